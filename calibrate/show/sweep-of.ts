import type {KernelFit} from '../../src/models/cost/fit/fit.js';
import type {Kernel, KernelWork} from '../../src/models/cost/fit/kernels/kernel.js';

/** A kernel at one shape: its work, and how long it takes. */
export interface KernelPoint {
  readonly shape: readonly number[];
  /** FLOP. */
  readonly flops: number;
  readonly bytes: number;
  readonly seconds: number;
}

/** What a kernel is evaluated at while one axis runs: an 8-billion-parameter model of the Llama 3 family, experts of Mixtral 8x7B, 32 sequences that decode. */
const typical: Readonly<Record<string, number>> = {
  n: 4096,
  k: 4096,
  batch: 1,
  heads: 32,
  kv_heads: 8,
  head_dim: 128,
  prefix: 0,
  window: 0,
  decodes: 0,
  hidden: 4096,
  width: 14_336,
  top_k: 2,
  experts: 8,
  local: 8,
  touched: 8,
  depth: 32,
};
const decoding = 32;

/** The axis that runs: the first of these that a kernel has. */
const running = ['context', 'tokens', 'm', 'bytes', 'chunk'];

const most = 16;

/** A fit along one axis, in powers of two over its measured range, the others at typical values within theirs. */
export function sweepOf({kernel, fitted}: KernelFit): {readonly along: string; readonly points: readonly KernelPoint[]} {
  const range = rangeOf(fitted.toJson()['range']);
  const along =
    running.find((name) => kernel.axes.includes(name) && (name !== 'context' || !kernel.axes.includes('chunk'))) ?? kernel.axes[0];
  const fixed = kernel.axes.map((name) => within(range[name], name === 'batch' && along === 'context' ? decoding : (typical[name] ?? 1)));
  const points = stepsOf(range[along]).map((value) =>
    pointOf(
      kernel,
      fixed.map((own, d) => (kernel.axes[d] === along ? value : own)),
      fitted.predict,
    ),
  );
  return {along, points};
}

/** A kernel at a shape with its work. */
export function pointOf(kernel: Kernel, shape: readonly number[], seconds: (shape: readonly number[]) => number): KernelPoint {
  const work: KernelWork = {flops: 0, bytes: 0};
  kernel.work(shape, work);
  return {shape, flops: work.flops, bytes: work.bytes, seconds: seconds(shape)};
}

type Pair = readonly [number, number];

/** By axis: least and most that was measured, as far as the profile says. */
export function rangeOf(json: unknown): Readonly<Record<string, Pair | undefined>> {
  const stated = Object.entries((json ?? {}) as Readonly<Record<string, Pair>>);
  return Object.fromEntries(stated.filter(([, pair]) => pair.every((end) => Number.isFinite(end))));
}

function within(range: Pair | undefined, value: number): number {
  return range === undefined ? value : Math.min(range[1], Math.max(range[0], value));
}

/** The ends of a range and the powers of two between them, thinned evenly where they are many. */
function stepsOf([low, high]: Pair = [1, 8192]): number[] {
  const from = Math.max(1, low);
  const powers = Array.from({length: 64}, (_, i) => 2 ** i).filter((value) => value > from && value < high);
  const all = [from, ...powers, ...(high > from ? [high] : [])];
  const step = Math.max(1, (all.length - 1) / (most - 1));
  return [...new Set(Array.from({length: Math.min(most, all.length)}, (_, i) => all[Math.round(i * step)]))];
}
