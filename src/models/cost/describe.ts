import type {AttentionPart} from './attention-kernel.js';
import type {BatchSums, Bound} from './cost.js';
import type {Reach} from './efficiency.js';
import type {KernelTime} from './kernel-time.js';
import type {RowKernel} from './row-kernel.js';
import type {StepCost} from './step-cost.js';
import type {StepTerm} from './terms.js';
import {distinctExperts} from './work.js';

/** One kernel, or a run of equal ones, of a step: on one device of the replica. */
export interface StepItem {
  readonly term: StepTerm;
  readonly name: string;
  readonly seconds: number;
  readonly flops: number;
  readonly bytes: number;
  readonly bound: Bound;
  /** The formula with its numbers, or the fit with what it was asked. */
  readonly formula: string;
}

/** What a step does, kernel by kernel, with the formula of each: for documents and reports, not for the simulation. Sums to the prediction. */
export function describeStep(model: StepCost, batch: Readonly<BatchSums>): StepItem[] {
  const tokens = batch.decodes + batch.chunkTokens;
  const items = [
    ...(tokens === 0 ? [] : model.tokenKernels.map((kernel) => rowItem(model, kernel, tokens, model.padded(tokens)))),
    ...attentionItems(model, batch),
    ...(batch.emitting === 0 ? [] : model.headKernels.map((kernel) => rowItem(model, kernel, batch.emitting, batch.emitting))),
    ...linkItems(model, batch),
  ];
  const {layers} = model.work;
  const launch = model.launchSeconds(tokens, sum(items));
  const gaps = model.gapsPerLayer;
  const waits = launch > layers * gaps ? ', and waiting for launches by the host' : '';
  items.push(other('launch', 'launches and gaps', launch, 'launch', `${layers} layers × ${us(gaps)}${waits}`));
  items.push(hostItem(model, batch, sum(items)));
  return items;
}

function rowItem(model: StepCost, kernel: RowKernel, counted: number, rows: number): StepItem {
  const {term, name, count, time, peak, reach} = kernel;
  const flops = kernel.flops(counted);
  const bytes = kernel.bytes(counted);
  return {
    term,
    name: `${count} × ${term === 'experts' ? touched(model, name, rows) : name}`,
    seconds: kernel.seconds(rows),
    flops,
    bytes,
    bound: kernel.computeBound(rows) ? 'compute' : 'hbm',
    formula:
      time === null
        ? rooflineFormula(kernel.flops(rows), kernel.bytes(rows), peak, model.bandwidth, reach)
        : `${count} × ${adjusted(kernel.seconds(rows) / (count * time.seconds(kernel.shape(rows))))}${asked(time, kernel.shape(rows))}`,
  };
}

function touched(model: StepCost, name: string, tokens: number): string {
  const {experts, local, topK} = model.work.experts[0];
  return `${((local / experts) * distinctExperts(experts, topK, tokens)).toPrecision(4)} of ${name}`;
}

function attentionItems(model: StepCost, batch: Readonly<BatchSums>): StepItem[] {
  const {prefill, decode} = model.efficiency;
  return model.attention.flatMap((kernel) => {
    kernel.evaluate(batch);
    const {count, windowed} = kernel.work;
    const name = `${count} × ${windowed ? 'sliding' : 'full'}`;
    const item = (
      term: StepTerm,
      {seconds, flops, bytes, computeBound}: AttentionPart,
      time: KernelTime | null,
      reach: Reach,
    ): StepItem => ({
      term,
      name,
      seconds,
      flops,
      bytes,
      bound: computeBound ? 'compute' : 'hbm',
      formula:
        time === null
          ? rooflineFormula(flops, bytes, model.work.attentionPeak, model.bandwidth, reach)
          : `${time.fit.kernel.name}, ${time.fit.fitted.form} fit`,
    });
    return [
      ...(batch.chunks > 0 ? [item('attention.prefill', kernel.prefill, kernel.mixedTime ?? kernel.prefillTime, prefill)] : []),
      ...(batch.decodes > 0 ? [item('attention.decode', kernel.decode, kernel.mixedTime ?? kernel.decodeTime, decode)] : []),
    ];
  });
}

function linkItems(model: StepCost, batch: Readonly<BatchSums>): StepItem[] {
  const {exchange} = model;
  if (exchange === null) return [];
  const {reduces, reduceBytes, sends, sendBytes, logitBytes, tensor} = model.work;
  const items: StepItem[] = [];
  const tokens = batch.decodes + batch.chunkTokens;
  if (tokens > 0) {
    const bytes = model.padded(tokens) * reduceBytes;
    const one = exchange.allReduce(bytes, model.inGraph(tokens));
    items.push(other('collective', 'all-reduces', reduces * one, 'link', `${reduces} × ${us(one)} for ${(bytes / 1e6).toPrecision(4)} MB`));
    if (sends > 0) {
      const sent = model.padded(tokens) * sendBytes;
      const each = exchange.allToAll(sent);
      const formula = `${sends} × ${us(each)} for ${(sent / 1e6).toPrecision(4)} MB from each device`;
      items.push(other('collective', 'all-to-alls of experts', sends * each, 'link', formula));
    }
  }
  if (batch.emitting > 0) {
    const bytes = batch.emitting * logitBytes;
    const formula = `${(bytes / 1e6).toPrecision(4)} MB from each of ${tensor} devices`;
    items.push(other('collective', 'gather of logits', exchange.allGather(bytes), 'link', formula));
  }
  return items;
}

function hostItem(model: StepCost, batch: Readonly<BatchSums>, device: number): StepItem {
  const {overhead, inFlight} = model.engine;
  const sequences = batch.decodes + batch.chunks;
  const formula = `${us(overhead.step.value)} + ${sequences} × ${us(overhead.sequence.value)}`;
  const hidden = `max(0, ${formula} − ${us(device)} on the device)`;
  return other('host', 'host work', model.hostSeconds(sequences, device), 'host', inFlight > 1 ? hidden : formula);
}

function rooflineFormula(flops: number, bytes: number, peak: number, bandwidth: number, reach: Reach): string {
  return `max(${flops.toPrecision(4)} FLOP / (${(peak / 1e12).toPrecision(4)} TFLOP/s × ${reach.compute}), ${bytes.toPrecision(4)} B / (${(bandwidth / 1e12).toPrecision(4)} TB/s × ${reach.stream}))`;
}

/** What a measured time is multiplied by where it was measured of other work, as of half a matrix. */
function adjusted(factor: number): string {
  return Math.abs(factor - 1) < 1e-9 ? '' : `${factor.toPrecision(4)} × `;
}

function asked(time: KernelTime, shape: readonly number[]): string {
  const {kernel, fitted} = time.fit;
  return `${kernel.name} at (${kernel.axes.map((name, d) => `${name} ${shape[d]}`).join(', ')}) by the ${fitted.form} fit: ${us(time.seconds(shape))}`;
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
