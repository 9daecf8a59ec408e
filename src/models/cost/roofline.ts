import type {Device} from '../devices/device.js';
import type {EngineProfile} from '../engines/engine.js';
import type {Llm} from '../llms/llm.js';
import {allGatherSeconds, allReduceSeconds, type Collectives, collectivesOf} from './collectives.js';
import type {BatchSums, CostModel, CostTerm, Prediction} from './cost.js';
import {type Efficiency, efficiencyOf} from './efficiency.js';
import {distinctExperts, type MatrixWork, type Work, type WorkOptions, workOf} from './work.js';

/** What a roofline needs beside model and device. */
export interface RooflineOptions extends WorkOptions {
  readonly engine: EngineProfile;
}

/** Terms of a roofline, in the order of `Prediction.terms`. */
export const rooflineTerms = [
  'linear',
  'experts',
  'attention.prefill',
  'attention.decode',
  'head',
  'elementwise',
  'collective',
  'launch',
  'host',
] as const;

const [COMPUTE, HBM, LINK, LAUNCH, HOST] = [0, 1, 2, 3, 4];
const [LINEAR, EXPERTS, PREFILL, DECODE, HEAD, ELEMENTWISE, COLLECTIVE, LAUNCHES, HOST_TERM] = rooflineTerms.keys();

/** Columns of a row of the table by token count. */
const [T_LINEAR_C, T_LINEAR_M, T_EXPERTS_C, T_EXPERTS_M, T_ELEMENTWISE, T_COLLECTIVE, T_FLOPS, T_BYTES] = [0, 1, 2, 3, 4, 5, 6, 7];
/** Columns of a row of the table by emitting rows. */
const [H_COMPUTE, H_MEMORY, H_LINK, H_FLOPS, H_BYTES] = [0, 1, 2, 3, 4];
const STRIDE = 8;
/** Counts up to here are remembered; larger ones are worked out again each time. */
const REMEMBERED = 65_536;

/**
 * Each kernel takes the longer of its arithmetic and its memory traffic: max(F / (P · share), B / (W · share)).
 *
 * Kernels follow each other, so their times add up; the launch gaps and collectives add too. The host's work adds with one step in flight, and hides behind the device with two. docs/cost-model.md works three steps out by hand.
 */
export class Roofline implements CostModel {
  readonly kind = 'roofline';
  readonly window: number;
  readonly terms: readonly CostTerm[];
  readonly work: Work;
  readonly efficiency: Efficiency;
  readonly collectives: Collectives | null;
  readonly engine: EngineProfile;
  /** B/s of the memory that weights and KV live in. */
  readonly bandwidth: number;
  readonly #launchSeconds: number;
  #byTokens = new Float64Array(0);
  #byRows = new Float64Array(0);
  readonly #scratch = new Float64Array(STRIDE);

  constructor(llm: Llm, device: Device, options: RooflineOptions) {
    this.engine = options.engine;
    this.work = workOf(llm, device, options);
    this.efficiency = efficiencyOf(device, options.engine.ideal);
    this.collectives = collectivesOf(device, options.tensor, this.efficiency.link, options.engine.ideal);
    this.bandwidth = device.memory[device.home]!.bandwidth.value;
    this.window = smallestWindow(llm);
    this.terms = termsOf(this.efficiency, options.engine);
    this.#launchSeconds = this.engine.launchPerLayer.value * this.work.layers;
  }

  predict(batch: Readonly<BatchSums>, into: Prediction): void {
    const {terms, bounds} = into;
    const tokens = batch.decodes + batch.chunkTokens;
    const t = this.#tokenRow(tokens);
    const byTokens = t < 0 ? this.#scratch : this.#byTokens;
    const at = Math.max(t, 0);
    let compute = byTokens[at + T_LINEAR_C] + byTokens[at + T_EXPERTS_C];
    let memory = byTokens[at + T_LINEAR_M] + byTokens[at + T_EXPERTS_M] + byTokens[at + T_ELEMENTWISE];
    let link = byTokens[at + T_COLLECTIVE];
    let flops = byTokens[at + T_FLOPS];
    let bytes = byTokens[at + T_BYTES];
    terms[LINEAR] = byTokens[at + T_LINEAR_C] + byTokens[at + T_LINEAR_M];
    terms[EXPERTS] = byTokens[at + T_EXPERTS_C] + byTokens[at + T_EXPERTS_M];
    terms[ELEMENTWISE] = byTokens[at + T_ELEMENTWISE];

    let prefill = 0;
    let decode = 0;
    const {attention, attentionPeak} = this.work;
    const {prefill: prefillReach, decode: decodeReach} = this.efficiency;
    for (let i = 0; i < attention.length; i++) {
      const layer = attention[i];
      if (batch.chunks > 0) {
        const area = layer.windowed ? batch.chunkAreaClipped : batch.chunkArea;
        const context = layer.windowed ? batch.chunkContextClipped : batch.chunkContext;
        const f = layer.count * (layer.areaFlops * area + layer.prefixFlops * (batch.chunkContext - batch.chunkTokens));
        const b = layer.count * (layer.contextBytes * context + layer.tokenBytes * batch.chunkTokens);
        const c = f / (attentionPeak * prefillReach.compute);
        const m = b / (this.bandwidth * prefillReach.stream);
        if (c > m) compute += c;
        else memory += m;
        prefill += Math.max(c, m);
        flops += f;
        bytes += b;
      }
      if (batch.decodes > 0) {
        const context = layer.windowed ? batch.decodeContextClipped : batch.decodeContext;
        const f = layer.count * layer.decodeFlops * context;
        const b = layer.count * (layer.decodeBytes * context + layer.sequenceBytes * batch.decodes);
        const c = f / (attentionPeak * decodeReach.compute);
        const m = b / (this.bandwidth * decodeReach.stream);
        if (c > m) compute += c;
        else memory += m;
        decode += Math.max(c, m);
        flops += f;
        bytes += b;
      }
    }
    terms[PREFILL] = prefill;
    terms[DECODE] = decode;

    const h = this.#headRow(batch.emitting);
    const byRows = h < 0 ? this.#scratch : this.#byRows;
    const row = Math.max(h, 0);
    compute += byRows[row + H_COMPUTE];
    memory += byRows[row + H_MEMORY];
    link += byRows[row + H_LINK];
    terms[HEAD] = byRows[row + H_COMPUTE] + byRows[row + H_MEMORY];
    terms[COLLECTIVE] = link;
    const launch = this.#launchSeconds;
    terms[LAUNCHES] = launch;

    const {overhead, inFlight} = this.engine;
    const onHost = overhead.step.value + overhead.sequence.value * (batch.decodes + batch.chunks);
    const onDevice = compute + memory + link + launch;
    const host = inFlight > 1 ? Math.max(0, onHost - onDevice) : onHost;
    terms[HOST_TERM] = host;

    bounds[COMPUTE] = compute;
    bounds[HBM] = memory;
    bounds[LINK] = link;
    bounds[LAUNCH] = launch;
    bounds[HOST] = host;
    into.seconds = onDevice + host;
    into.flops = (flops + byRows[row + H_FLOPS]) * this.work.tensor;
    into.bytes = (bytes + byRows[row + H_BYTES]) * this.work.tensor;
  }

  /** Where the row of `tokens` starts, or -1 when it is in the scratch row. */
  #tokenRow(tokens: number): number {
    if (tokens > REMEMBERED) {
      this.#fillTokens(this.#scratch, 0, tokens);
      return -1;
    }
    const at = tokens * STRIDE;
    if (at >= this.#byTokens.length) this.#byTokens = grown(this.#byTokens, at + STRIDE);
    if (Number.isNaN(this.#byTokens[at])) this.#fillTokens(this.#byTokens, at, tokens);
    return at;
  }

  #headRow(rows: number): number {
    if (rows > REMEMBERED) {
      this.#fillHead(this.#scratch, 0, rows);
      return -1;
    }
    const at = rows * STRIDE;
    if (at >= this.#byRows.length) this.#byRows = grown(this.#byRows, at + STRIDE);
    if (Number.isNaN(this.#byRows[at])) this.#fillHead(this.#byRows, at, rows);
    return at;
  }

  #fillTokens(table: Float64Array, at: number, tokens: number): void {
    table.fill(0, at, at + STRIDE);
    if (tokens === 0) return;
    const {matrices, experts, elementwiseBytes, reduces, reduceBytes, activationBytes} = this.work;
    const {linear, experts: expertReach} = this.efficiency;
    for (const matrix of matrices) {
      const f = matrix.count * matrixFlops(matrix, tokens);
      const b = matrix.count * matrixBytes(matrix, tokens, activationBytes);
      addLonger(table, at + T_LINEAR_C, at + T_LINEAR_M, f / (matrix.peak * linear.compute), b / (this.bandwidth * linear.stream));
      table[at + T_FLOPS] += f;
      table[at + T_BYTES] += b;
    }
    for (const {count, experts: all, topK, params, weightBytes, tokenBytes, peak} of experts) {
      const f = count * 2 * tokens * topK * params;
      const b = count * (distinctExperts(all, topK, tokens) * weightBytes + tokens * topK * tokenBytes);
      addLonger(table, at + T_EXPERTS_C, at + T_EXPERTS_M, f / (peak * expertReach.compute), b / (this.bandwidth * expertReach.stream));
      table[at + T_FLOPS] += f;
      table[at + T_BYTES] += b;
    }
    table[at + T_ELEMENTWISE] = (tokens * elementwiseBytes) / (this.bandwidth * linear.stream);
    table[at + T_BYTES] += tokens * elementwiseBytes;
    if (this.collectives !== null) table[at + T_COLLECTIVE] = reduces * allReduceSeconds(this.collectives, tokens * reduceBytes);
  }

  #fillHead(table: Float64Array, at: number, rows: number): void {
    table.fill(0, at, at + STRIDE);
    if (rows === 0) return;
    const {head, activationBytes, logitBytes} = this.work;
    const {linear} = this.efficiency;
    const f = matrixFlops(head, rows);
    const b = matrixBytes(head, rows, activationBytes);
    addLonger(table, at + H_COMPUTE, at + H_MEMORY, f / (head.peak * linear.compute), b / (this.bandwidth * linear.stream));
    table[at + H_FLOPS] = f;
    table[at + H_BYTES] = b;
    if (this.collectives !== null) table[at + H_LINK] = allGatherSeconds(this.collectives, rows * logitBytes);
  }
}

/** A roofline of `llm` on `tensor` devices of one kind. Throws InputError when heads do not divide or a peak or link is missing. */
export function roofline(llm: Llm, device: Device, options: RooflineOptions): Roofline {
  return new Roofline(llm, device, options);
}

/** Multiply-adds of `rows` rows through a matrix, two FLOP each. */
export function matrixFlops({inputs, outputs}: MatrixWork, rows: number): number {
  return 2 * rows * inputs * outputs;
}

/** Weights once, inputs and outputs of every row. */
export function matrixBytes({inputs, outputs, weightBytes}: MatrixWork, rows: number, activationBytes: number): number {
  return weightBytes + rows * (inputs + outputs) * activationBytes;
}

function addLonger(table: Float64Array, computeAt: number, memoryAt: number, compute: number, memory: number): void {
  if (compute > memory) table[computeAt] += compute;
  else table[memoryAt] += memory;
}

/** A table of at least `length`, doubled, its new rows unfilled. */
function grown(table: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const wider = new Float64Array(Math.max(64 * STRIDE, length, table.length * 2)).fill(Number.NaN);
  wider.set(table);
  return wider;
}

function smallestWindow(llm: Llm): number {
  return llm.layers.reduce(
    (least, {attention}) => (attention.kind === 'gqa' && attention.window !== null ? Math.min(least, attention.window) : least),
    Number.POSITIVE_INFINITY,
  );
}

const LINK_SOURCE =
  'a third of the peer link: vLLM custom all-reduce, 0.3–0.5 measured on A100, H100, B200 (aiconfigurator custom_allreduce, vllm_graph)';

function termsOf(efficiency: Efficiency, engine: EngineProfile): CostTerm[] {
  const linear = efficiency.linear;
  const by: Record<(typeof rooflineTerms)[number], Omit<CostTerm, 'name'>> = {
    linear,
    experts: efficiency.experts,
    'attention.prefill': efficiency.prefill,
    'attention.decode': efficiency.decode,
    head: linear,
    elementwise: {
      grade: 'assumed',
      source: 'streams at the bandwidth share of the linear layers',
      interval: engine.ideal ? [1, 1] : [0.7, 1.5],
    },
    collective: engine.ideal ? linear : {grade: 'fitted', source: LINK_SOURCE, interval: [0.7, 1.5]},
    launch: {grade: engine.launchPerLayer.grade, source: engine.launchPerLayer.source, interval: engine.ideal ? [1, 1] : [0.5, 2]},
    host: {grade: engine.overhead.step.grade, source: engine.overhead.step.source, interval: engine.ideal ? [1, 1] : [0.5, 2]},
  };
  return rooflineTerms.map((name) => ({name, grade: by[name].grade, source: by[name].source, interval: by[name].interval}));
}
