import type {Trace} from './trace.js';

/** Requests of a trace, each with the one whose prompt it extends. */
export interface Threads {
  /** By row: the row before in its thread, or -1. */
  readonly before: Int32Array;
  /** By row: its thread, numbered by first use. */
  readonly of: Int32Array;
  readonly count: number;
}

/** Of a text that more different texts follow, no request is taken for the continuation: it is a system prompt, not a conversation. */
const MOST_CONTINUATIONS = 8;

/**
 * Finds conversations in block ids: a prompt that begins with all whole blocks of an earlier one of its session is that one's next turn.
 *
 * Each prompt has at most one next turn; of several that a prompt extends, the longest one counts, and of equal ones the latest. Ids must be chained.
 */
export function threadsOf(trace: Trace): Threads {
  const {rows, offsets, ids, distinct, sessions} = trace;
  const common = manyFollow(trace);
  const ends = new Map<number, number>(); // by session and last whole block: the row that nobody extends yet
  const before = new Int32Array(rows).fill(-1),
    of = new Int32Array(rows);
  let count = 0;
  for (let row = 0; row < rows; row++) {
    const base = (sessions?.[row] ?? 0) * distinct;
    for (let i = offsets[row + 1] - 1; i >= offsets[row]; i--) {
      const key = base + ids[i];
      const end = ends.get(key);
      if (end === undefined) continue;
      ends.delete(key);
      before[row] = end;
      break;
    }
    of[row] = before[row] < 0 ? count++ : of[before[row]];
    const last = offsets[row] + wholeBlocks(trace, row) - 1;
    if (last >= offsets[row] && !common[ids[last]]) ends.set(base + ids[last], row);
  }
  return {before, of, count};
}

/** Blocks of a row's prompt that are full. */
export function wholeBlocks({inputs, offsets, blockSize}: Trace, row: number): number {
  return Math.min(Math.floor(inputs[row] / blockSize), offsets[row + 1] - offsets[row]);
}

/** By id: whether more than so many different ids come right after it. */
function manyFollow({rows, offsets, ids, distinct}: Trace): Uint8Array {
  const seen = new Uint8Array(distinct),
    followers = new Uint8Array(distinct),
    many = new Uint8Array(distinct);
  for (let row = 0; row < rows; row++) {
    for (let i = offsets[row] + 1; i < offsets[row + 1]; i++) {
      if (seen[ids[i]]) continue; // chained ids have one id before them
      seen[ids[i]] = 1;
      const parent = ids[i - 1];
      if (followers[parent] === MOST_CONTINUATIONS) many[parent] = 1;
      else followers[parent]++;
    }
  }
  return many;
}
