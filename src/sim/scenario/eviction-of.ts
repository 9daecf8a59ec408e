import {factoryOf} from '../../policies/eviction/eviction.js';
import {type EvictionPolicyName, evictionPolicies} from '../../policies/eviction/index.js';
import type {EvictionFactory} from '../../policies/eviction/policy.js';
import type {KvTier} from './scenario.js';

/** Makes the eviction policy of a memory, its own or the one of that name. */
export function evictionOf({
  eviction,
  evictionParams,
  ownEviction,
}: Pick<KvTier, 'eviction' | 'evictionParams' | 'ownEviction'>): EvictionFactory {
  return factoryOf(eviction, ownEviction ?? evictionPolicies[eviction as EvictionPolicyName], evictionParams);
}
