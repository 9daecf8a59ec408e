import type {LoggedAccesses} from './access-log.js';
import {LatestUses} from './latest-uses.js';

/**
 * Blocks that one cache of `capacity` blocks would have found of what `counts` requests looked up, had it known the future: nobody who brings in what is asked for can find more (Belady 1966).
 *
 * One memory, equal blocks, every block brought in when it is read or made, in the order of the run.
 */
export function beladyHits(
  {ids, distinct, first, counted, request}: LoggedAccesses,
  capacity: number,
  counts: (request: number) => boolean,
): number {
  if (capacity < 1) return 0;
  const next = nextUses(ids, distinct);
  // A resident block is known by its next use; those without one are all alike, and leave first.
  const uses = new LatestUses(ids.length);
  const resident = new Uint8Array(distinct);
  const unused = new Int32Array(distinct);
  let idle = 0,
    used = 0,
    hits = 0;
  for (let piece = 0; piece < first.length; piece++) {
    const end = piece + 1 < first.length ? first[piece + 1] : ids.length;
    const countedTo = request[piece] >= 0 && counts(request[piece]) ? first[piece] + counted[piece] : -1;
    for (let access = first[piece]; access < end; access++) {
      const block = ids[access];
      if (resident[block] === 1) {
        if (access < countedTo) hits++;
        uses.remove(access);
      } else {
        if (used < capacity) used++;
        else if (idle > 0) resident[unused[--idle]] = 0;
        else {
          const latest = uses.greatest;
          uses.remove(latest);
          resident[ids[latest]] = 0;
        }
        resident[block] = 1;
      }
      if (next[access] < 0) unused[idle++] = block;
      else uses.add(next[access]);
    }
  }
  return hits;
}

/** For each access the number of the next one to the same block, or −1. */
function nextUses(ids: Int32Array, distinct: number): Int32Array {
  const next = new Int32Array(ids.length);
  const latest = new Int32Array(distinct).fill(-1);
  for (let access = ids.length - 1; access >= 0; access--) {
    next[access] = latest[ids[access]];
    latest[ids[access]] = access;
  }
  return next;
}
