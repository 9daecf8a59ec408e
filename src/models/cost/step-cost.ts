import type {Device} from '../devices/device.js';
import type {EngineProfile} from '../engines/engine.js';
import type {Llm} from '../llms/llm.js';
import {AttentionKernel} from './attention-kernel.js';
import {collectivesOf, Exchange} from './collectives.js';
import type {BatchSums, CostModel, CostTerm, Prediction} from './cost.js';
import {type Efficiency, efficiencyOf} from './efficiency.js';
import {type FitChoice, KernelTimes} from './kernel-time.js';
import {headKernels, type RowKernel, tokenKernels} from './row-kernel.js';
import {RowTable} from './row-table.js';
import {stepTerms, termsOf} from './terms.js';
import {type Work, type WorkOptions, workOf} from './work.js';

/** What the cost of a step needs beside model and device. */
export interface StepOptions extends WorkOptions {
  readonly engine: EngineProfile;
  /** Which of the device's fits are taken. */
  readonly fits: FitChoice;
}

const [COMPUTE, HBM, LINK, LAUNCH, HOST] = [0, 1, 2, 3, 4];
const [LINEAR, EXPERTS, PREFILL, DECODE, HEAD, ELEMENTWISE, COLLECTIVE, LAUNCHES, HOST_TERM] = stepTerms.keys();
const rowTerms = {linear: LINEAR, experts: EXPERTS, head: HEAD, elementwise: ELEMENTWISE} as const;

/** Columns of a table by rows: seconds by term, of them the compute-bound ones, then link time, work, and bits of the terms asked beyond what was measured. */
const [R_LINEAR, R_EXPERTS, R_HEAD, R_ELEMENTWISE, R_COMPUTE, R_LINK, R_FLOPS, R_BYTES, R_OUTSIDE] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const columns = {linear: R_LINEAR, experts: R_EXPERTS, head: R_HEAD, elementwise: R_ELEMENTWISE} as const;
const STRIDE = 9;

/** Attention over decodes of unequal length costs 5 % of the way from the mean length to the longest more: read from serving runs on one card. */
const UNEQUAL = 0.05;

/**
 * The kernels of a step follow each other, so their times add up; the launch gaps and collectives add too.
 *
 * Each kernel takes what a fit of measurements on the device says, or, without one, the longer of its arithmetic and its memory
 * traffic at a share of the peaks: max(F / (P · share), B / (W · share)). The host's work adds with one step in flight, and hides
 * behind the device with two. docs/cost-model.md works three steps out by hand.
 */
export class StepCost implements CostModel {
  readonly kind: 'fitted' | 'roofline';
  readonly window: number;
  readonly terms: readonly CostTerm[];
  readonly work: Work;
  readonly efficiency: Efficiency;
  readonly engine: EngineProfile;
  /** B/s of the memory that weights and KV live in. */
  readonly bandwidth: number;
  readonly tokenKernels: readonly RowKernel[];
  readonly headKernels: readonly RowKernel[];
  readonly attention: readonly AttentionKernel[];
  readonly exchange: Exchange | null;
  /** Seconds between the kernels of a layer: a measured kernel has its launch in its time. */
  readonly gapsPerLayer: number;
  readonly #byTokens = new RowTable(STRIDE, (row, tokens) => this.#fillTokens(row, tokens));
  readonly #byRows = new RowTable(STRIDE, (row, rows) => this.#fillHead(row, rows));

  constructor(llm: Llm, device: Device, options: StepOptions) {
    const {engine} = options;
    this.engine = engine;
    this.work = workOf(llm, device, options);
    this.efficiency = efficiencyOf(device, engine.ideal);
    this.bandwidth = device.memory[device.home]!.bandwidth.value;
    this.window = smallestWindow(llm);
    const times = new KernelTimes(device, engine.ideal ? 'roofline' : options.fits);
    const {linear, experts, prefill, decode, link} = this.efficiency;
    const {bandwidth, work} = this;
    this.tokenKernels = tokenKernels(work, {times, linear, experts, bandwidth});
    this.headKernels = headKernels(work, {times, linear, experts, bandwidth});
    const unequal = engine.ideal ? 0 : UNEQUAL;
    this.attention = work.attention.map(
      (layer) => new AttentionKernel(layer, work, {times, prefill, decode, bandwidth, peak: work.attentionPeak, unequal}),
    );
    const constants = collectivesOf(device, options.tensor, link, engine.ideal);
    this.exchange = constants === null ? null : new Exchange(constants, times);
    this.gapsPerLayer = engine.launchPerLayer.value * this.#unmeasured();
    this.terms = termsOf(this);
    this.kind = this.#fitted() ? 'fitted' : 'roofline';
  }

  predict(batch: Readonly<BatchSums>, into: Prediction): void {
    const {terms, bounds} = into;
    const tokens = batch.decodes + batch.chunkTokens;
    const byTokens = this.#byTokens;
    const t = byTokens.at(tokens);
    const rows = byTokens.values;
    terms[LINEAR] = rows[t + R_LINEAR];
    terms[EXPERTS] = rows[t + R_EXPERTS];
    terms[ELEMENTWISE] = rows[t + R_ELEMENTWISE];
    let compute = rows[t + R_COMPUTE];
    let link = rows[t + R_LINK];
    let flops = rows[t + R_FLOPS];
    let bytes = rows[t + R_BYTES];
    let outside = rows[t + R_OUTSIDE];
    let kernels = terms[LINEAR] + terms[EXPERTS] + terms[ELEMENTWISE];

    const h = this.#byRows.at(batch.emitting);
    const head = this.#byRows.values;
    terms[HEAD] = head[h + R_HEAD];
    compute += head[h + R_COMPUTE];
    link += head[h + R_LINK];
    flops += head[h + R_FLOPS];
    bytes += head[h + R_BYTES];
    outside |= head[h + R_OUTSIDE];
    kernels += terms[HEAD];

    terms[PREFILL] = terms[DECODE] = 0;
    for (let i = 0; i < this.attention.length; i++) {
      const {prefill, decode} = this.#evaluated(i, batch);
      terms[PREFILL] += prefill.seconds;
      terms[DECODE] += decode.seconds;
      if (prefill.computeBound) compute += prefill.seconds;
      if (decode.computeBound) compute += decode.seconds;
      if (prefill.outside) outside |= 1 << PREFILL;
      if (decode.outside) outside |= 1 << DECODE;
      flops += prefill.flops + decode.flops;
      bytes += prefill.bytes + decode.bytes;
    }
    kernels += terms[PREFILL] + terms[DECODE];

    terms[COLLECTIVE] = link;
    const launch = this.launchSeconds(tokens, kernels + link);
    terms[LAUNCHES] = launch;
    const onDevice = kernels + link + launch;
    const host = this.hostSeconds(batch.decodes + batch.chunks, onDevice);
    terms[HOST_TERM] = host;
    bounds[COMPUTE] = compute;
    bounds[HBM] = kernels - compute;
    bounds[LINK] = link;
    bounds[LAUNCH] = launch;
    bounds[HOST] = host;
    into.seconds = onDevice + host;
    into.flops = flops * this.work.tensor;
    into.bytes = bytes * this.work.tensor;
    into.outside = outside;
  }

  /** Whether a step of that many tokens was captured as a CUDA graph. */
  inGraph(tokens: number): boolean {
    const {graphs} = this.engine;
    return graphs === null || tokens <= graphs.sizes[graphs.sizes.length - 1];
  }

  /** Rows that kernels run on: a captured step has the next captured size. */
  padded(tokens: number): number {
    const {graphs} = this.engine;
    if (graphs === null || !this.inGraph(tokens)) return tokens;
    return graphs.sizes.find((size) => size >= tokens)!;
  }

  /** Gaps between kernels, and, outside graphs, what the host's launches take beyond the device's work. */
  launchSeconds(tokens: number, onDevice: number): number {
    const {graphs} = this.engine;
    const gaps = this.gapsPerLayer * this.work.layers;
    if (graphs === null || this.inGraph(tokens)) return gaps;
    return Math.max(gaps, graphs.eagerLaunchPerLayer.value * this.work.layers - onDevice);
  }

  /** What the host takes beyond the device: all of its work with one step in flight. */
  hostSeconds(sequences: number, onDevice: number): number {
    const {overhead, inFlight} = this.engine;
    const onHost = overhead.step.value + overhead.sequence.value * sequences;
    return inFlight > 1 ? Math.max(0, onHost - onDevice) : onHost;
  }

  #evaluated(i: number, batch: Readonly<BatchSums>): AttentionKernel {
    const kernel = this.attention[i];
    kernel.evaluate(batch);
    return kernel;
  }

  /** Share of a step's launches whose kernels were not measured. */
  #unmeasured(): number {
    let all = 0;
    let without = 0;
    const count = (launches: number, measured: boolean) => {
      all += launches;
      if (!measured) without += launches;
    };
    for (const kernel of this.tokenKernels) count(kernel.count, kernel.time !== null);
    for (const {work, mixedTime, decodeTime} of this.attention) count(work.count, (mixedTime ?? decodeTime) !== null);
    return without / all;
  }

  #fitted(): boolean {
    const rows = [...this.tokenKernels, ...this.headKernels].some(({time}) => time !== null);
    return rows || this.attention.some(({prefillTime, decodeTime, mixedTime}) => (prefillTime ?? decodeTime ?? mixedTime) !== null);
  }

  #fillTokens(row: Float64Array, tokens: number): void {
    if (tokens === 0) return;
    this.#fill(row, this.tokenKernels, tokens);
    if (this.exchange === null) return;
    const {reduces, reduceBytes} = this.work;
    const bytes = this.padded(tokens) * reduceBytes;
    row[R_LINK] = reduces * this.exchange.allReduce(bytes, this.inGraph(tokens));
    const {sends, sendBytes} = this.work;
    if (sends > 0) row[R_LINK] += sends * this.exchange.allToAll(this.padded(tokens) * sendBytes);
    if (this.exchange.outside(bytes, this.inGraph(tokens))) row[R_OUTSIDE] |= 1 << COLLECTIVE;
  }

  #fillHead(row: Float64Array, rows: number): void {
    if (rows === 0) return;
    this.#fill(row, this.headKernels, rows);
    if (this.exchange !== null) row[R_LINK] = this.exchange.allGather(rows * this.work.logitBytes);
  }

  #fill(row: Float64Array, kernels: readonly RowKernel[], tokens: number): void {
    for (const kernel of kernels) {
      // The head runs on the rows that emit, outside the graph.
      const rows = kernel.term === 'head' ? tokens : this.padded(tokens);
      const seconds = kernel.seconds(rows);
      row[columns[kernel.term]] += seconds;
      if (kernel.computeBound(rows)) row[R_COMPUTE] += seconds;
      row[R_FLOPS] += kernel.flops(tokens);
      row[R_BYTES] += kernel.bytes(tokens);
      if (kernel.outside(rows)) row[R_OUTSIDE] |= 1 << rowTerms[kernel.term];
    }
  }
}

/** The cost of steps of `llm` on `tensor` devices of one kind. Throws InputError when heads do not divide, or a peak, a link or the fits asked for are missing. */
export function stepCost(llm: Llm, device: Device, options: StepOptions): StepCost {
  return new StepCost(llm, device, options);
}

function smallestWindow(llm: Llm): number {
  return llm.layers.reduce(
    (least, {attention}) => (attention.kind === 'gqa' && attention.window !== null ? Math.min(least, attention.window) : least),
    Number.POSITIVE_INFINITY,
  );
}
