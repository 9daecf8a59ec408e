import {InputError} from '../../src/sim/core/errors.js';

/** A point that may be measured: the words for calib-bench, how important it is (0: most), and about how many seconds it takes. */
export interface PlannedPoint {
  readonly text: string;
  readonly priority: number;
  readonly estimate: number;
}

/** Reads what `calib-bench --list` prints. Throws InputError with its message when it says that there is no such device. */
export function readPoints(lines: string): PlannedPoint[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const {kind, text, priority, estimate, code, message} = JSON.parse(line) as Record<string, unknown>;
      if (kind !== 'point') throw new InputError(`${code}: ${message}`);
      return {text: String(text), priority: Number(priority), estimate: Number(estimate)};
    });
}

/** Products of a model, as a plan measures them. */
interface MatrixShape {
  readonly inputs: number;
  readonly outputs: number;
}

/** Rows at which a model's own matrices are measured: decode of one and of a few, prefill of a chunk. */
const MODEL_ROWS = [1, 8, 64, 512];
/** calib-bench multiplies in groups of 32 along k. */
const GROUP = 32;

/** A model's own matrices as points of `dtype`; those whose inputs are no multiple of 32 are left out. */
export function modelPoints(matrices: readonly MatrixShape[], dtype: string): PlannedPoint[] {
  const shapes = new Map(matrices.map(({inputs, outputs}) => [`n=${outputs} k=${inputs}`, {inputs, outputs}]));
  return [...shapes]
    .filter(([, {inputs}]) => inputs % GROUP === 0)
    .flatMap(([text, {inputs, outputs}]) =>
      MODEL_ROWS.map((m) => ({text: `gemm ${dtype} m=${m} ${text}`, priority: 0, estimate: 0.05 + (m * inputs * outputs) / 5e9})),
    );
}

/** Seconds up to which a point is measured twice. */
const SHORT = 0.1;

/** The points, and the short ones once more: what disturbs a machine comes and goes, and two moments are quieter than one. */
export function shortTwice(points: readonly PlannedPoint[]): PlannedPoint[] {
  const short = points.filter(({estimate}) => estimate <= SHORT);
  return [...points, ...short.map((point) => ({...point, priority: point.priority + 1}))];
}

/** The points that a budget of seconds allows, most important first, and the others. */
export function withinBudget(
  points: readonly PlannedPoint[],
  seconds: number,
): {readonly kept: PlannedPoint[]; readonly dropped: PlannedPoint[]} {
  const kept: PlannedPoint[] = [];
  const dropped: PlannedPoint[] = [];
  let left = seconds;
  for (const point of [...points].sort((a, b) => a.priority - b.priority)) {
    if (point.estimate <= left) {
      kept.push(point);
      left -= point.estimate;
    } else dropped.push(point);
  }
  return {kept, dropped};
}
