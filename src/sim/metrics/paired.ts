import {acrossReplications, type Interval, pairedSectioning} from './intervals.js';
import {quantile} from './quantiles.js';

/** A quantile of the same requests in two runs, and its difference, in the series' unit. */
export interface PairedQuantile {
  readonly before: number;
  readonly after: number;
  /** After − before. */
  readonly difference: number;
  /** 95 % interval of the difference; null when the series are too short to say. */
  readonly ci95: Interval | null;
}

/**
 * Compares the p-quantile of the same requests in two runs on the same random streams, one pair of series a replication, in order of arrival.
 *
 * The traffic is common, so its chance cancels in each pair; with one replication the pairs are ten batches of the run.
 */
export function pairedQuantile(before: readonly Float64Array[], after: readonly Float64Array[], p: number): PairedQuantile | null {
  if (before.length !== after.length || before.length === 0)
    throw new RangeError(`${before.length} and ${after.length} series are no pairs`);
  if ([...before, ...after].some((series) => series.length === 0)) return null;
  const [from, to] = [before, after].map((all) => all.map((series) => quantile(series, p)));
  const a = average(from);
  const b = average(to);
  const ci95 =
    before.length > 1 ? acrossReplications(to.map((value, i) => value - from[i])) : pairedSectioning(before[0], after[0], p, b - a);
  return {before: a, after: b, difference: b - a, ci95};
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
