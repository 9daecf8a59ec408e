import type {Interval} from './intervals.js';
import {acrossReplications} from './intervals.js';
import {mean} from './quantiles.js';

export type Verdict = 'better' | 'worse' | 'no difference shown';

/** What changed from A to B, B − A, in the metric's own unit and as shares of A. */
export interface Difference {
  readonly before: number;
  readonly after: number;
  readonly difference: number;
  /** 95 % interval of the difference, null with fewer than two pairs. */
  readonly ci95: Interval | null;
  /** Difference and interval over the value before; null when that is 0. */
  readonly relative: number | null;
  readonly relativeCi95: Interval | null;
  readonly verdict: Verdict;
}

/**
 * Compares two scenarios that ran on the same random streams, replication by replication: the traffic is common, so its chance cancels in
 * each pair, and the interval is that of the mean difference, by Student's t (common random numbers: Law, Simulation Modeling and Analysis, 11.2).
 *
 * The verdict is `no difference shown` unless the whole 95 % interval lies on one side of 0.
 */
export function pairedDifference(before: readonly number[], after: readonly number[], better: 'lower' | 'higher'): Difference {
  if (before.length !== after.length || before.length === 0) {
    throw new RangeError(`pairs need equally many replications, at least one; got ${before.length} and ${after.length}`);
  }
  const a = mean(before);
  const b = mean(after);
  const ci95 = acrossReplications(after.map((value, i) => value - before[i]));
  return {
    before: a,
    after: b,
    difference: b - a,
    ci95,
    relative: a === 0 ? null : (b - a) / a,
    relativeCi95: a === 0 || ci95 === null ? null : a > 0 ? [ci95[0] / a, ci95[1] / a] : [ci95[1] / a, ci95[0] / a],
    verdict: verdictOf(ci95, better),
  };
}

function verdictOf(ci95: Interval | null, better: 'lower' | 'higher'): Verdict {
  if (ci95 === null || (ci95[0] <= 0 && ci95[1] >= 0)) return 'no difference shown';
  return ci95[1] < 0 === (better === 'lower') ? 'better' : 'worse';
}
