import {allGatherSeconds, allReduceSeconds} from './collectives.js';
import type {BatchSums, Bound} from './cost.js';
import type {Reach} from './efficiency.js';
import {matrixBytes, matrixFlops, type Roofline, type rooflineTerms} from './roofline.js';
import {distinctExperts} from './work.js';

/** One kernel, or a run of equal ones, of a step: on one device of the replica. */
export interface StepItem {
  readonly term: (typeof rooflineTerms)[number];
  readonly name: string;
  readonly seconds: number;
  readonly flops: number;
  readonly bytes: number;
  readonly bound: Bound;
  /** The formula with its numbers. */
  readonly formula: string;
}

/** What a step does, kernel by kernel, with the formula of each: for documents and reports, not for the simulation. Sums to the prediction. */
export function describeStep(model: Roofline, batch: Readonly<BatchSums>): StepItem[] {
  const items = [...linearItems(model, batch), ...expertItems(model, batch), ...attentionItems(model, batch), ...headItems(model, batch)];
  const tokens = batch.decodes + batch.chunkTokens;
  const elementwise = tokens * model.work.elementwiseBytes;
  items.push(kernel(model, 'elementwise', 'norms, activations, cache writes', 0, elementwise, 1, model.efficiency.linear));
  items.push(...linkItems(model, batch));
  const launch = model.work.layers * model.engine.launchPerLayer.value;
  items.push(
    other('launch', 'launches and gaps', launch, 'launch', `${model.work.layers} layers × ${us(model.engine.launchPerLayer.value)}`),
  );
  items.push(hostItem(model, batch, sum(items)));
  return items;
}

function linearItems(model: Roofline, batch: Readonly<BatchSums>): StepItem[] {
  const tokens = batch.decodes + batch.chunkTokens;
  if (tokens === 0) return [];
  return model.work.matrices.map((matrix) => {
    const flops = matrix.count * matrixFlops(matrix, tokens);
    const bytes = matrix.count * matrixBytes(matrix, tokens, model.work.activationBytes);
    return kernel(model, 'linear', `${matrix.count} × ${matrix.name}`, flops, bytes, matrix.peak, model.efficiency.linear);
  });
}

function expertItems(model: Roofline, batch: Readonly<BatchSums>): StepItem[] {
  const tokens = batch.decodes + batch.chunkTokens;
  if (tokens === 0) return [];
  return model.work.experts.map(({count, experts, topK, params, weightBytes, tokenBytes, peak}) => {
    const touched = distinctExperts(experts, topK, tokens);
    const flops = count * 2 * tokens * topK * params;
    const bytes = count * (touched * weightBytes + tokens * topK * tokenBytes);
    const name = `${count} × ${touched.toPrecision(4)} of ${experts} experts`;
    return kernel(model, 'experts', name, flops, bytes, peak, model.efficiency.experts);
  });
}

function attentionItems(model: Roofline, batch: Readonly<BatchSums>): StepItem[] {
  const {attention, attentionPeak} = model.work;
  return attention.flatMap((layer) => {
    const kind = `${layer.count} × ${layer.windowed ? 'sliding' : 'full'}`;
    const items: StepItem[] = [];
    if (batch.chunks > 0) {
      const [area, context] = layer.windowed ? [batch.chunkAreaClipped, batch.chunkContextClipped] : [batch.chunkArea, batch.chunkContext];
      const flops = layer.count * (layer.areaFlops * area + layer.prefixFlops * (batch.chunkContext - batch.chunkTokens));
      const bytes = layer.count * (layer.contextBytes * context + layer.tokenBytes * batch.chunkTokens);
      items.push(kernel(model, 'attention.prefill', kind, flops, bytes, attentionPeak, model.efficiency.prefill));
    }
    if (batch.decodes > 0) {
      const context = layer.windowed ? batch.decodeContextClipped : batch.decodeContext;
      const flops = layer.count * layer.decodeFlops * context;
      const bytes = layer.count * (layer.decodeBytes * context + layer.sequenceBytes * batch.decodes);
      items.push(kernel(model, 'attention.decode', kind, flops, bytes, attentionPeak, model.efficiency.decode));
    }
    return items;
  });
}

function headItems(model: Roofline, batch: Readonly<BatchSums>): StepItem[] {
  if (batch.emitting === 0) return [];
  const {head, activationBytes} = model.work;
  const flops = matrixFlops(head, batch.emitting);
  return [kernel(model, 'head', head.name, flops, matrixBytes(head, batch.emitting, activationBytes), head.peak, model.efficiency.linear)];
}

function linkItems(model: Roofline, batch: Readonly<BatchSums>): StepItem[] {
  if (model.collectives === null) return [];
  const {reduces, reduceBytes, logitBytes} = model.work;
  const bytes = (batch.decodes + batch.chunkTokens) * reduceBytes;
  const one = allReduceSeconds(model.collectives, bytes);
  const items = [
    other('collective', 'all-reduces', reduces * one, 'link', `${reduces} × ${us(one)} for ${(bytes / 1e6).toPrecision(4)} MB`),
  ];
  if (batch.emitting > 0) {
    const gathered = batch.emitting * logitBytes;
    const seconds = allGatherSeconds(model.collectives, gathered);
    items.push(
      other(
        'collective',
        'gather of logits',
        seconds,
        'link',
        `${(gathered / 1e6).toPrecision(4)} MB from each of ${model.work.tensor} devices`,
      ),
    );
  }
  return items;
}

function hostItem(model: Roofline, batch: Readonly<BatchSums>, device: number): StepItem {
  const {overhead, inFlight} = model.engine;
  const sequences = batch.decodes + batch.chunks;
  const onHost = overhead.step.value + sequences * overhead.sequence.value;
  const seconds = inFlight > 1 ? Math.max(0, onHost - device) : onHost;
  const formula = `${us(overhead.step.value)} + ${sequences} × ${us(overhead.sequence.value)}`;
  return other('host', 'host work', seconds, 'host', inFlight > 1 ? `max(0, ${formula} − ${us(device)} on the device)` : formula);
}

function kernel(model: Roofline, term: StepItem['term'], name: string, flops: number, bytes: number, peak: number, reach: Reach): StepItem {
  const compute = flops / (peak * reach.compute);
  const memory = bytes / (model.bandwidth * reach.stream);
  const formula = `max(${flops.toPrecision(4)} FLOP / (${(peak / 1e12).toPrecision(4)} TFLOP/s × ${reach.compute}), ${bytes.toPrecision(4)} B / (${(model.bandwidth / 1e12).toPrecision(4)} TB/s × ${reach.stream}))`;
  return {term, name, seconds: Math.max(compute, memory), flops, bytes, bound: compute > memory ? 'compute' : 'hbm', formula};
}

function other(term: StepItem['term'], name: string, seconds: number, bound: Bound, formula: string): StepItem {
  return {term, name, seconds, flops: 0, bytes: 0, bound, formula};
}

function us(seconds: number): string {
  return `${(seconds * 1e6).toPrecision(4)} µs`;
}

function sum(items: readonly StepItem[]): number {
  return items.reduce((total, {seconds}) => total + seconds, 0);
}
