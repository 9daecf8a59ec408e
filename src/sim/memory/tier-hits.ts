import type {EvictionFactory} from '../../policies/eviction/policy.js';
import type {Trace} from '../traces/trace.js';
import {BlockCache} from './cache.js';

/** What one of several memories answers. */
export interface TierHits {
  /** Blocks. */
  readonly capacity: number;
  /** Accesses that it answers, because no memory above it has the block. */
  readonly hits: number;
}

/** Hits of memories one below the other, nearest first: each gets every block, as with write-through, and the first that has it answers. */
export function tierHits(trace: Pick<Trace, 'ids' | 'distinct'>, create: EvictionFactory, capacities: readonly number[]): TierHits[] {
  const caches = capacities.map((capacity) => new BlockCache(create, capacity, trace.distinct));
  const hits = capacities.map(() => 0);
  for (let access = 0; access < trace.ids.length; access++) {
    const tier = caches.findIndex((cache) => cache.has(trace.ids[access]));
    if (tier >= 0) hits[tier]++;
    for (const cache of caches) cache.read(trace.ids, access, access + 1);
  }
  return capacities.map((capacity, i) => ({capacity, hits: hits[i]}));
}
