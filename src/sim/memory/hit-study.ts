import {reuse} from '../traces/reuse.js';
import type {ReuseDistances} from '../traces/reuse-distances.js';
import type {Trace} from '../traces/trace.js';
import {type Candidate, hitCandidates, hitTable} from './candidates.js';
import {type LivePoint, liveBlocks} from './live-blocks.js';

/** Hits of one policy by size, beside what a perfect predictor gets. */
export interface PolicyHits {
  readonly policy: string;
  /** Whether it is a bound: it is told the future, or has more room than there is. */
  readonly bound: boolean;
  readonly hits: readonly number[];
  /** Of the hits that Belady has more than LRU, the share that this policy has more; null where there are none. */
  readonly gapClosed: readonly (number | null)[];
}

/** What caches of several sizes would do for a trace, without a clock. */
export interface HitStudy {
  readonly accesses: number;
  readonly distinct: number;
  /** Blocks. */
  readonly sizes: readonly number[];
  readonly policies: readonly PolicyHits[];
  /** Hits of a cache without end, and blocks that LRU and a perfect predictor that may bypass need for them. */
  readonly ceiling: {readonly hits: number; readonly lruBlocks: number; readonly predictorBlocks: number};
  /** Reuse distances of the hits: how many different blocks were read in between. Null when nothing is read again. */
  readonly distances: Readonly<Record<'p50' | 'p90' | 'p95' | 'p99' | 'max', number>> | null;
  /** Accesses by their reuse distance: up to `blocks`, and above those of the entry before. */
  readonly distanceBins: readonly {readonly blocks: number; readonly accesses: number}[];
  /** Over time: blocks read within the last window, and blocks that were read and are read again. */
  readonly workingSet: {readonly windowSeconds: number; readonly points: readonly LivePoint[]};
}

/** Bounds that every study has, whoever asks: the gap needs them. */
const always = ['lru', 'belady', 'infinite'];

/**
 * Tries candidates at each size, by name; lru, belady and infinite are always among them, and so is the size with which a perfect predictor reaches the ceiling.
 *
 * `accesses` are those that hits are counted of; default: all of the trace. Throws InputError for a candidate that must know what a trace does not tell.
 */
export function studyHits(
  trace: Trace,
  candidates: ReadonlyMap<string, Candidate>,
  wanted: readonly number[],
  windowSeconds: number,
  accesses = trace.ids.length,
): HitStudy {
  const all = new Map(candidates);
  for (const name of always) if (!all.has(name)) all.set(name, hitCandidates[name]);
  const {points, most} = liveBlocks(trace, windowSeconds);
  const sizes = [...new Set(most > 0 ? [...wanted, most] : wanted)].sort((a, b) => a - b);
  const table = hitTable(trace, all, sizes);
  const hitsOf = (name: string) => table.find(({policy}) => policy === name)!.hits;
  const [lru, belady] = [hitsOf('lru'), hitsOf('belady')];
  const {distances, hits} = reuse(trace);
  return {
    accesses,
    distinct: trace.distinct,
    sizes,
    policies: table.map(({policy, hits: counts}) => ({
      policy,
      bound: all.get(policy)!.policy.needs({}).includes('nextUse') || policy === 'infinite' || policy === 'none',
      hits: counts,
      gapClosed: counts.map((count, i) => (belady[i] > lru[i] ? (count - lru[i]) / (belady[i] - lru[i]) : null)),
    })),
    ceiling: {hits, lruBlocks: hits === 0 ? 0 : distances.quantile(1) + 1, predictorBlocks: most},
    distances: hits === 0 ? null : quantiles(distances),
    distanceBins: binned(distances),
    workingSet: {windowSeconds, points},
  };
}

function quantiles(distances: ReuseDistances): NonNullable<HitStudy['distances']> {
  const at = (share: number) => distances.quantile(share);
  return {p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99), max: at(1)};
}

/** Counts distances by powers of two. */
function binned(distances: ReuseDistances): HitStudy['distanceBins'] {
  if (distances.total === 0) return [];
  const ends = Array.from({length: Math.ceil(Math.log2(Math.max(1, distances.quantile(1)))) + 1}, (_, i) => 2 ** i);
  const within = distances.within(ends);
  return ends.map((blocks, i) => ({blocks, accesses: within[i] - (i === 0 ? 0 : within[i - 1])}));
}
