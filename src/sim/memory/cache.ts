import {type EvictionBound, evictionBounds} from '../../policies/eviction/bounds.js';
import {evictionPolicies} from '../../policies/eviction/index.js';
import type {EvictionFactory} from '../../policies/eviction/policy.js';
import type {Trace} from '../traces/trace.js';

/** A trace's block accesses: block by block in file order, each prompt from its head to its tail. */
export interface Accesses {
  readonly ids: Int32Array;
  /** Ids are below it. */
  readonly distinct: number;
}

/**
 * Counts the accesses that a cache of `capacity` blocks answers: each is a hit, or the block is brought in at once, one leaving for it when there is no room.
 *
 * There is no clock: nothing is pinned, and what a request brings in can be hit by its own later blocks. `future` is for policies that need it (see `nextUses`).
 */
export function cacheHits(accesses: Accesses, create: EvictionFactory, capacity: number, future: Float64Array | null = null): number {
  const {ids, distinct} = accesses;
  if (capacity < 1) return 0;
  const next = new Float64Array(distinct);
  const policy = create({blocks: distinct, capacity, nextUse: (block) => next[block]});
  const resident = new Uint8Array(distinct);
  let used = 0,
    hits = 0;
  for (let access = 0; access < ids.length; access++) {
    const block = ids[access];
    if (future !== null) next[block] = future[access];
    if (resident[block]) {
      hits++;
      policy.touch(block);
      continue;
    }
    if (used < capacity) used++;
    else {
      const victim = policy.victim(block);
      policy.evict(victim);
      resident[victim] = 0;
    }
    resident[block] = 1;
    policy.insert(block);
    policy.unpin(block);
  }
  return hits;
}

/** For each access the number of the next one to the same block, or Infinity. */
export function nextUses({ids, distinct}: Accesses): Float64Array {
  const next = new Float64Array(ids.length);
  const latest = new Float64Array(distinct).fill(Infinity);
  for (let access = ids.length - 1; access >= 0; access--) {
    next[access] = latest[ids[access]];
    latest[ids[access]] = access;
  }
  return next;
}

/** One line of a table of hits: how many accesses hit, by size. */
export interface HitRow {
  readonly policy: string;
  readonly hits: readonly number[];
}

/** Every policy and bound that can be tried on a trace, by name. */
export const hitCandidates: Readonly<Record<string, EvictionBound>> = {
  ...Object.fromEntries(Object.entries(evictionPolicies).map(([name, create]) => [name, {create, needsFuture: false, room: sameRoom}])),
  ...evictionBounds,
};

function sameRoom(capacity: number): number {
  return capacity;
}

/** Hits of each candidate at each size, in blocks. */
export function hitTable(
  trace: Pick<Trace, 'ids' | 'distinct'>,
  candidates: ReadonlyMap<string, EvictionBound>,
  sizes: readonly number[],
): HitRow[] {
  const future = [...candidates.values()].some(({needsFuture}) => needsFuture) ? nextUses(trace) : null;
  return [...candidates].map(([policy, {create, needsFuture, room}]) => ({
    policy,
    hits: sizes.map((size) => cacheHits(trace, create, room(size), needsFuture ? future : null)),
  }));
}
