import {InputError} from '../core/errors.js';
import type {Trace} from './trace.js';

type Ids = Pick<Trace, 'rows' | 'offsets' | 'ids' | 'distinct'>;

/** Whether each id always follows the same id, as it must when ids stand for all that came before. */
export function isChained({rows, offsets, ids, distinct}: Ids): boolean {
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

/**
 * The trace with ids that stand for all that came before: equal blocks behind different text get different ids.
 *
 * A KV block depends on every token before it, so ids of blocks alone would find in the cache what is not there. Keys are (prefix, block) pairs, exact, never a hash of them: nothing can collide. A trace whose ids are chained already comes back as it is.
 */
export function chainedIds(trace: Trace): Trace {
  if (trace.blockSize === 0 || isChained(trace)) return trace;
  const {rows, offsets, ids, distinct} = trace;
  if (ids.length * distinct > Number.MAX_SAFE_INTEGER)
    throw new InputError(`${ids.length} ids that stand for blocks alone are too many to chain; cut the trace into parts`);
  const prefixes = new Map<number, number>();
  const chained = new Int32Array(ids.length);
  for (let row = 0; row < rows; row++) {
    let prefix = 0; // of the root; those of blocks count from 1
    for (let i = offsets[row]; i < offsets[row + 1]; i++) {
      const key = prefix * distinct + ids[i];
      prefix = prefixes.get(key) ?? prefixes.size + 1;
      prefixes.set(key, prefix);
      chained[i] = prefix - 1;
    }
  }
  const text =
    'its ids stand for blocks alone, not for all before them; they were chained, because equal blocks behind different text share no KV';
  return {...trace, ids: chained, distinct: prefixes.size, notes: [...trace.notes, {code: 'ids_chained', text}]};
}
