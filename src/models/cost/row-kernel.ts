import type {Reach} from './efficiency.js';
import {busiest} from './expert-layout.js';
import {gemmNames, moeNames, streamNames} from './kernel-names.js';
import type {KernelTime, KernelTimes} from './kernel-time.js';
import {distinctExperts, type ExpertWork, type MatrixWork, type StreamWork, type Work} from './work.js';

/** Terms whose kernels run on rows of activations. */
export type RowTerm = 'linear' | 'experts' | 'head' | 'elementwise';

/** What a row kernel is made of. */
interface RowKernelParts {
  readonly term: RowTerm;
  readonly name: string;
  readonly count: number;
  /** Of one launch. */
  readonly flops: (rows: number) => number;
  readonly bytes: (rows: number) => number;
  /** FLOP/s before `reach`; infinite where there is no arithmetic to speak of. */
  readonly peak: number;
  readonly reach: Reach;
  readonly time: KernelTime | null;
  readonly shape: (rows: number) => readonly number[];
  /** What the kernel's time is multiplied by, where the measured one did other work. */
  readonly adjust?: (rows: number) => number;
  /** Time of the device that has most to do, over that of the mean. */
  readonly busiest?: (rows: number) => number;
}

/** A kernel that runs `count` times a step, on rows of activations: tokens, or sequences that emit. Its work follows from the model; its time from a fit, or from the roofline. */
export class RowKernel {
  readonly term: RowTerm;
  readonly name: string;
  readonly count: number;
  readonly peak: number;
  readonly reach: Reach;
  readonly time: KernelTime | null;
  readonly #parts: RowKernelParts;
  readonly #bandwidth: number;

  constructor(parts: RowKernelParts, bandwidth: number) {
    this.term = parts.term;
    this.name = parts.name;
    this.count = parts.count;
    this.peak = parts.peak;
    this.reach = parts.reach;
    this.time = parts.time;
    this.#parts = parts;
    this.#bandwidth = bandwidth;
  }

  /** Of all launches of a step. */
  flops(rows: number): number {
    return this.count * this.#parts.flops(rows);
  }

  bytes(rows: number): number {
    return this.count * this.#parts.bytes(rows);
  }

  /** Seconds that the arithmetic and the traffic of `rows` take at the shares of the peaks that kernels reach. */
  computeSeconds(rows: number): number {
    return this.flops(rows) / (this.peak * this.reach.compute);
  }

  memorySeconds(rows: number): number {
    return this.bytes(rows) / (this.#bandwidth * this.reach.stream);
  }

  seconds(rows: number): number {
    const busiest = this.#parts.busiest?.(rows) ?? 1;
    if (this.time !== null) return this.count * this.time.seconds(this.#parts.shape(rows)) * (this.#parts.adjust?.(rows) ?? 1) * busiest;
    return Math.max(this.computeSeconds(rows), this.memorySeconds(rows)) * busiest;
  }

  computeBound(rows: number): boolean {
    return this.computeSeconds(rows) > this.memorySeconds(rows);
  }

  outside(rows: number): boolean {
    return this.time?.outside(this.#parts.shape(rows)) ?? false;
  }

  /** The shape that the fit is asked for. */
  shape(rows: number): readonly number[] {
    return this.#parts.shape(rows);
  }
}

/** What kernels are made with: the device's measured times and its roofline. */
export interface KernelSources {
  readonly times: KernelTimes;
  readonly linear: Reach;
  readonly experts: Reach;
  /** B/s. */
  readonly bandwidth: number;
}

/** Everything that runs on each new token. */
export function tokenKernels(work: Work, sources: KernelSources): RowKernel[] {
  const experts = work.experts.map((expert) => expertKernel(expert, sources));
  const measured = experts.some(({time}) => time !== null);
  return [
    ...work.matrices.map((matrix) => matrixKernel('linear', matrix, work, sources)),
    ...experts,
    ...work.streams.filter(({ofExperts}) => !(ofExperts && measured)).map((stream) => streamKernel(stream, work, sources)),
  ];
}

/** Everything that runs on each sequence that emits a token; the sampler only where it was measured. */
export function headKernels(work: Work, sources: KernelSources): RowKernel[] {
  const head = matrixKernel('head', work.head, work, sources);
  const shape = [1, work.vocab * work.tensor];
  const time = sources.times.find(streamNames('sampler', work.activationType), shape);
  if (time === null) return [head];
  const parts = {
    term: 'head',
    name: 'sampler',
    count: 1,
    flops: none,
    bytes: none,
    peak: Number.POSITIVE_INFINITY,
    reach: sources.linear,
  } as const;
  return [head, new RowKernel({...parts, time, shape: first(shape)}, sources.bandwidth)];
}

const none = () => 0;

/** A shape whose first number is the rows; the same array each time. */
function first(shape: number[]): (rows: number) => readonly number[] {
  return (rows) => {
    shape[0] = rows;
    return shape;
  };
}

/** Rows that tables of products have in any case. */
const TYPICAL_ROWS = 64;
const MOST_PARTS = 8;

/** A matrix wider than any that was measured, as of a large vocabulary, takes as long as its halves one after the other. */
function partsOf(time: KernelTime, outputs: number, inputs: number): number {
  for (let parts = 1; parts <= MOST_PARTS; parts *= 2) {
    if (!time.outside([TYPICAL_ROWS, outputs / parts, inputs])) return parts;
  }
  return 1;
}

function matrixKernel(
  term: 'linear' | 'head',
  matrix: MatrixWork,
  {activationBytes}: Work,
  {times, linear, bandwidth}: KernelSources,
): RowKernel {
  const {name, count, inputs, outputs, weightBytes, format, peak} = matrix;
  const time = times.find(gemmNames(format), [TYPICAL_ROWS, outputs, inputs]);
  const parts = time === null ? 1 : partsOf(time, outputs, inputs);
  const shape = [1, outputs / parts, inputs];
  return new RowKernel(
    {
      term,
      name,
      count,
      flops: (rows) => 2 * rows * inputs * outputs,
      bytes: (rows) => weightBytes + rows * (inputs + outputs) * activationBytes,
      peak,
      reach: linear,
      time,
      shape: first(shape),
      adjust: () => parts,
    },
    bandwidth,
  );
}

function expertKernel(work: ExpertWork, {times, experts: reach, bandwidth}: KernelSources): RowKernel {
  const {count, experts, local, topK, hidden, width, params, weightBytes, tokenBytes, format, peak} = work;
  const here = local / experts; // share of a token's picks
  const shape = [1, hidden, width, topK, experts, local];
  const time = times.find(moeNames(format), shape);
  // Balanced tables touch as many experts as they can; the roofline says what routing at random leaves out.
  const saved = (rows: number): number => {
    const compute = (2 * rows * topK * here * params) / (peak * reach.compute);
    const memory = (touched: number) => (here * (touched * weightBytes + rows * topK * tokenBytes)) / (bandwidth * reach.stream);
    return Math.max(compute, memory(distinctExperts(experts, topK, rows))) / Math.max(compute, memory(Math.min(experts, topK * rows)));
  };
  return new RowKernel(
    {
      term: 'experts',
      name: local === experts ? `${experts} experts` : `${local} of ${experts} experts`,
      count,
      flops: (rows) => 2 * rows * topK * here * params,
      bytes: (rows) => here * (distinctExperts(experts, topK, rows) * weightBytes + rows * topK * tokenBytes),
      peak,
      reach,
      time,
      shape: first(shape),
      adjust: time?.fit.kernel.name.endsWith('.balanced') ? saved : () => 1,
      ...(local === experts ? {} : {busiest: (rows: number) => busiest(work, experts / local, rows)}),
    },
    bandwidth,
  );
}

function streamKernel(stream: StreamWork, {activationType}: Work, {times, linear, bandwidth}: KernelSources): RowKernel {
  const {op, name, count, width, tokenBytes} = stream;
  const shape = [1, width];
  return new RowKernel(
    {
      term: 'elementwise',
      name,
      count,
      flops: none,
      bytes: (rows) => rows * tokenBytes,
      peak: Number.POSITIVE_INFINITY,
      reach: linear,
      time: op === 'copy' ? null : times.find(streamNames(op, activationType), shape),
      shape: first(shape),
    },
    bandwidth,
  );
}
