import {kernelNamed} from '../../src/models/cost/fit/kernels/index.js';

/** A machine that was made up: its kernels take exactly o + max(FLOP/P, bytes/W). */
export interface Invented {
  readonly P: Readonly<Record<string, number>>;
  readonly W: number;
  readonly o: number;
}

export const plainMachine: Invented = {P: {fp32: 1e11, bf16: 4e11, int8: 8e11}, W: 4e10, o: 2e-6};

/** What a test may change of a run. */
export interface Spoiled {
  /** Share of clean samples, of ten. */
  readonly clean?: number;
  readonly drift?: number;
  readonly end?: boolean;
  /** Times one sample of `gemm.bf16` is faster than the machine can be. */
  readonly impossible?: boolean;
  /** Name of the GPU that it is; absent: a CPU. */
  readonly gpu?: string;
}

interface Point {
  readonly kernel: string;
  readonly op: string;
  readonly dtype: string;
  readonly shape: Readonly<Record<string, number>>;
}

/** The JSON Lines of calib-bench on a machine that was made up. */
export function inventedLines(
  machine: Invented = plainMachine,
  {clean = 10, drift = 0.01, end = true, impossible = false, gpu}: Spoiled = {},
): string {
  const lines: object[] = [
    {
      v: 1,
      kind: 'env',
      ...(gpu === undefined ? {device: 'cpu', threads: 2} : {device: 'cuda:0', gpu: {name: gpu, memoryTotal: 8 * 2 ** 30}}),
      machine: {cpu: 'Made-up AMD processor', processors: 2, memoryTotal: 16 * 2 ** 30},
    },
    {v: 1, kind: 'anchor', op: 'mem.triad', dtype: '', drift: 0},
    {v: 1, kind: 'anchor', op: 'mem.triad', dtype: '', drift},
  ];
  for (const [i, point] of pointsOf().entries()) {
    const seconds = secondsOf(machine, point) / (impossible && i === 0 ? 50 : 1);
    lines.push(sampleLine(machine, point, seconds, clean));
  }
  lines.push({
    v: 1,
    kind: 'sample',
    op: 'copy.locked',
    dtype: '',
    shape: {bytes: 4096},
    threads: 1,
    status: 'skipped',
    code: 'MEMLOCK_LIMIT',
    message: 'could not be locked',
  });
  lines.push({v: 1, kind: 'progress', done: 1, of: 1});
  if (end) lines.push({v: 1, kind: 'end', ending: 'done'});
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
}

function pointsOf(): Point[] {
  const points: Point[] = [];
  for (const dtype of ['bf16', 'fp32', 'int8', 'int4_g32'])
    for (const m of [1, 8, 64, 512])
      for (const n of [1024, 4096])
        for (const k of [1024, 4096]) points.push({kernel: `gemm.${dtype}`, op: 'gemm', dtype, shape: {m, n, k}});
  for (const batch of [1, 4, 16])
    for (const context of [256, 1024, 4096])
      for (const kv_heads of [8, 32])
        points.push({
          kernel: 'attn.decode.bf16',
          op: 'attn.decode',
          dtype: 'bf16',
          shape: {batch, context, heads: 32, kv_heads, head_dim: 128, window: 0},
        });
  for (let bytes = 2 ** 20; bytes <= 2 ** 30; bytes *= 2) points.push({kernel: 'mem.read', op: 'mem.read', dtype: '', shape: {bytes}});
  return points;
}

function secondsOf({P, W, o}: Invented, {kernel: name, shape}: Point): number {
  const kernel = kernelNamed(name);
  const work = workOf(name, shape);
  // A cache in front of the memory, four times as fast.
  const cached = name === 'mem.read' && shape['bytes'] <= 16 * 2 ** 20 ? 4 : 1;
  return o + Math.max(work.flops / (P[kernel.compute ?? ''] ?? Number.POSITIVE_INFINITY), work.bytes / (cached * W));
}

function workOf(name: string, shape: Point['shape']): {flops: number; bytes: number} {
  const kernel = kernelNamed(name);
  const work = {flops: 0, bytes: 0};
  kernel.work(
    kernel.axes.map((axis) => shape[axis]),
    work,
  );
  return work;
}

function sampleLine(_machine: Invented, {kernel, op, dtype, shape}: Point, seconds: number, clean: number): object {
  const t = {min: seconds * 0.99, p25: seconds, p50: seconds * 1.01, p90: seconds * 1.05, n: 10, clean, cv: 0.02};
  return {
    v: 1,
    kind: 'sample',
    op,
    dtype,
    shape,
    threads: 2,
    impl: 'made-up',
    ...workOf(kernel, shape),
    t,
    lost: 0.001,
    rot: 1,
    inner: 1,
    status: 'ok',
    code: null,
    message: null,
  };
}
