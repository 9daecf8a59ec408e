import {isChained} from './chained.js';
import {type ReuseDistances, reuseDistances} from './reuse-distances.js';
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
  readonly distances: ReuseDistances;
}

/** Measures the reuse of a trace with ids. */
export function reuse(trace: Trace): Reuse {
  const distances = reuseDistances(trace);
  return {
    accesses: trace.ids.length,
    distinct: trace.distinct,
    hits: distances.total,
    ...wholeBlocks(trace),
    chained: isChained(trace),
    distances,
  };
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
