import type {Trace} from './trace.js';

/** How often a trace's blocks come again, and after how much else. */
export interface Reuse {
  readonly accesses: number;
  readonly distinct: number;
  /** Accesses that a cache without end answers; a partial last block counts as an access. */
  readonly hits: number;
  /** Whole blocks of prompts, and those that were there before. */
  readonly wholeBlocks: number;
  readonly wholeHits: number;
  /** Whether each id always follows the same id, as it must when ids stand for all that came before. */
  readonly chained: boolean;
  /** Reuse distances of the hits, rising: how many different blocks were read since the block was read last. A cache with LRU needs one more. */
  readonly distances: Int32Array;
}

/** Measures the reuse of a trace with ids. */
export function reuse(trace: Trace): Reuse {
  const distances = reuseDistances(trace.ids, trace.distinct);
  return {
    accesses: trace.ids.length,
    distinct: trace.distinct,
    hits: distances.length,
    ...wholeBlocks(trace),
    chained: chained(trace),
    distances,
  };
}

/**
 * Counts, for each access to a block read before, the different blocks read in between.
 *
 * A tree of partial sums holds a mark at each block's latest access (Bennett and Kruskal, IBM J. R&D 1975): n log n.
 */
function reuseDistances(ids: Int32Array, distinct: number): Int32Array {
  const marks = new Int32Array(ids.length + 1);
  const add = (at: number, value: number): void => {
    for (let i = at + 1; i < marks.length; i += i & -i) marks[i] += value;
  };
  const sumTo = (at: number): number => {
    let sum = 0;
    for (let i = at + 1; i > 0; i -= i & -i) sum += marks[i];
    return sum;
  };
  const latest = new Int32Array(distinct).fill(-1);
  const distances = new Int32Array(ids.length);
  let hits = 0,
    seen = 0;
  for (let access = 0; access < ids.length; access++) {
    const before = latest[ids[access]];
    if (before === -1) seen++;
    else {
      distances[hits++] = seen - sumTo(before);
      add(before, -1);
    }
    add(access, 1);
    latest[ids[access]] = access;
  }
  return distances.slice(0, hits).sort();
}

function wholeBlocks({rows, inputs, offsets, ids, distinct, blockSize}: Trace): {wholeBlocks: number; wholeHits: number} {
  const seen = new Uint8Array(distinct);
  let whole = 0,
    hits = 0;
  for (let row = 0; row < rows; row++) {
    const end = offsets[row] + Math.floor(inputs[row] / blockSize);
    for (let i = offsets[row]; i < end; i++) {
      whole++;
      if (seen[ids[i]]) hits++;
      seen[ids[i]] = 1;
    }
  }
  return {wholeBlocks: whole, wholeHits: hits};
}

function chained({rows, offsets, ids, distinct}: Trace): boolean {
  const UNSEEN = -2,
    ROOT = -1;
  const parents = new Int32Array(distinct).fill(UNSEEN);
  for (let row = 0; row < rows; row++) {
    for (let i = offsets[row]; i < offsets[row + 1]; i++) {
      const parent = i === offsets[row] ? ROOT : ids[i - 1];
      if (parents[ids[i]] === UNSEEN) parents[ids[i]] = parent;
      else if (parents[ids[i]] !== parent) return false;
    }
  }
  return true;
}
