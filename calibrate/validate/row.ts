import {coverageOf, errorOf} from '../../src/models/cost/fit/error.js';

/** One line of the accuracy table. Errors are shares: predicted/measured − 1. */
export interface ValidationRow {
  readonly section: Section;
  /** What was predicted: a device, an engine and a model, or a kernel. */
  readonly subject: string;
  readonly metric: string;
  readonly n: number;
  readonly mean: number;
  readonly median: number;
  readonly bias: number;
  readonly p90: number;
  /** The largest error, to either side; null where only the table's summary is known. */
  readonly worst: number | null;
  /** Share of the measured values inside the 80 % interval; null where none is given. */
  readonly coverage: number | null;
  /** What was fitted, and to which rows: never to those judged here. */
  readonly fitted: string;
  readonly target: Target | null;
  readonly note: string | null;
}

export const sections = ['kernels', 'single streams', 'serving'] as const;
export type Section = (typeof sections)[number];

/** The bar of issue or paper: this statistic at most this share. */
export interface Target {
  readonly statistic: 'mean' | 'median' | 'worst';
  readonly most: number;
}

/** A measured value and the predicted one in the same unit; `interval` holds 80 %. */
export interface Pair {
  readonly measured: number;
  readonly predicted: number;
  readonly interval?: readonly [low: number, high: number];
}

/** What a row says beside its errors. */
export type RowLabel = Pick<ValidationRow, 'section' | 'subject' | 'metric' | 'fitted'> & Partial<Pick<ValidationRow, 'target' | 'note'>>;

/** Makes a row of pairs. At least one is needed. */
export function rowOf(label: RowLabel, pairs: readonly Pair[]): ValidationRow {
  const measured = pairs.map((pair) => pair.measured);
  const predicted = pairs.map((pair) => pair.predicted);
  const {n, mape, p50, p90, bias} = errorOf(measured, predicted);
  return {target: null, note: null, ...label, n, mean: mape, median: p50, bias, p90, worst: worstOf(pairs), coverage: insideShare(pairs)};
}

/** Whether a row reaches its target; null without one. */
export function meets(row: ValidationRow): boolean | null {
  if (row.target === null) return null;
  const error = row[row.target.statistic];
  return error !== null && error <= row.target.most;
}

function worstOf(pairs: readonly Pair[]): number {
  return pairs.reduce((most, {measured, predicted}) => Math.max(most, Math.abs(predicted / measured - 1)), 0);
}

function insideShare(pairs: readonly Pair[]): number | null {
  if (pairs.some(({interval}) => interval === undefined)) return null;
  return pairs.filter(({measured, interval}) => coverageOf([measured], [1], interval!) === 1).length / pairs.length;
}
