import type {MemoryPlan, Scenario, TierName} from './scenario.js';
import {copies} from './shared.js';

/** A memory that keeps KV, with the blocks that all replicas have of it together. */
export interface CacheMemory {
  readonly memory: 'hbm' | TierName;
  readonly blocks: number;
}

/** The memories of a scenario as sizes of caches, nearest first; those without room for a block are left out. */
export function cacheMemories(
  {cluster: {replicas}}: Pick<Scenario, 'cluster'>,
  plan: Pick<MemoryPlan, 'kvBlocks' | 'tiers'>,
): CacheMemory[] {
  const below = plan.tiers.map((tier) => ({memory: tier.memory, blocks: tier.kvBlocks * copies(tier, replicas)}));
  return [{memory: 'hbm' as const, blocks: plan.kvBlocks * replicas}, ...below].filter(({blocks}) => blocks >= 1);
}
