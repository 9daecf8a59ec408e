import {pairedDifference} from '../metrics/paired-difference.js';
import type {RunRecord} from '../metrics/record.js';
import type {Stopped} from './comparison.js';
import type {Figures} from './metrics.js';
import {replicationFigures, type Side} from './side.js';

/** Replications that a comparison starts with, and the most that it raises them to by itself. */
export const replicationRange = {least: 5, most: 16} as const;

/** A difference of p95 whose 95 % interval is at most this wide, as half-width over the value before, is known well enough. */
export const NARROW = 0.1;

/** So many replications tell whether anything is random. */
const EQUAL = 2;

/** What all replications of all sides left. */
export interface Replicated {
  /** [side][replication] */
  readonly records: readonly (readonly RunRecord[])[];
  readonly figures: readonly (readonly Figures[])[];
  readonly stopped: Stopped;
}

/** A replication of one side that is wanted next; `planned` is how many replications are wanted so far. */
export interface WantedRun {
  readonly side: number;
  readonly replication: number;
  readonly planned: number;
}

/**
 * Runs all sides on the same random streams: `asked` replications, or from 5 up to 16 until every p95 (TTFT, TPOT, E2E) of every difference
 * from the first side has a 95 % interval of at most ± 10 % of the value before (sequential sampling: Law, Simulation Modeling and
 * Analysis, 9.4.1). Where the first two replications of every side are equal, nothing is random and two are enough.
 *
 * Gives the runs that are wanted next, which need nothing from each other, and takes their records in the same order.
 */
export function* replicate(
  sides: readonly Side[],
  asked: number | null,
  least: number = replicationRange.least,
): Generator<readonly WantedRun[], Replicated, readonly RunRecord[]> {
  const records: RunRecord[][] = sides.map(() => []);
  const figures: Figures[][] = sides.map(() => []);
  const result = (stopped: Stopped): Replicated => ({records, figures, stopped});
  for (let n = 0; ; ) {
    const planned = asked ?? (n === 0 ? EQUAL : Math.max(n + 1, least));
    const replications = Array.from({length: planned - n}, (_, i) => n + i);
    const wanted = replications.flatMap((replication) =>
      sides.map((_, side) => ({side, replication, planned: asked ?? Math.max(planned, least)})),
    );
    const ran = yield wanted;
    for (let i = 0; i < ran.length; i += sides.length) {
      const pair = ran.slice(i, i + sides.length);
      replicationFigures(sides, pair).forEach((found, side) => {
        records[side].push(pair[side]);
        figures[side].push(found);
      });
    }
    n = planned;
    if (asked !== null) return result('asked');
    if (n === EQUAL && records.every(([first, second]) => first.eventLog === second.eventLog)) return result('equal');
    if (n >= least && wideDifferences(figures).length === 0) return result('narrow');
    if (n >= Math.max(least, replicationRange.most)) return result('cap');
  }
}

/** Differences of p95 from the first side that are known less well than ± 10 %: side, metric and half-width as a share of the value before. */
export function wideDifferences(figures: readonly (readonly Figures[])[]): {side: number; name: string; half: number}[] {
  const wide: {side: number; name: string; half: number}[] = [];
  for (let side = 1; side < figures.length; side++) {
    for (const name of ['ttft_s', 'tpot_s', 'e2e_s'] as const) {
      const [before, after] = [figures[0], figures[side]].map((all) => all.map(({metrics}) => metrics[name].p95));
      if (before.includes(null) || after.includes(null)) continue;
      const {relativeCi95: interval} = pairedDifference(before as number[], after as number[], 'lower');
      const half = interval === null ? null : (interval[1] - interval[0]) / 2;
      if (half !== null && half > NARROW) wide.push({side, name, half});
    }
  }
  return wide;
}
