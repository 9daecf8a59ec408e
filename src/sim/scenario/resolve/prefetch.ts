import {readParameters} from '../../../policies/eviction/parameters.js';
import {type PrefetchPolicyName, prefetchPolicies} from '../../../policies/prefetch/index.js';
import {defaultsOf} from '../../../policies/prefetch/parameters.js';
import type {Prefetch} from '../../../policies/prefetch/policy.js';
import type {KvTier, Scenario} from '../scenario.js';
import type {Draft} from './draft.js';

/** Reads `kv.prefetch`; null: nothing is loaded before it is asked for. A parameter that does not fit is a fault of its key. */
export function resolvePrefetch(
  draft: Draft,
  {tiers}: Pick<Scenario['kv'], 'tiers'>,
  {replicas, router}: Scenario['cluster'],
): Scenario['kv']['prefetch'] {
  const path = 'kv.prefetch';
  const {policy: name = 'none', ...written} = draft.get<{policy?: PrefetchPolicyName} & Record<string, unknown>>(path) ?? {};
  if (draft.isRefused(`${path}.policy`)) return null;
  const policy: Prefetch = prefetchPolicies[name];
  const params: Record<string, number | string> = {...defaultsOf(policy)};
  for (const [key, value] of Object.entries(written)) {
    const read = draft.try(`${path}.${key}`, () => readParameters(name, policy, {[key]: draft.inSeconds(policy.params, key, value)}));
    Object.assign(params, read);
  }
  if (name === 'none') return null;
  if (tiers.length === 0) {
    draft.noEffect(path, 'there is no memory below to fetch from; kv.tiers says which');
    return null;
  }
  if (draft.get('kv.prefix_cache') === false) {
    draft.noEffect(path, 'kv.prefix_cache is off, and only shared blocks are kept below HBM');
    return null;
  }
  if (policy.placing(params).to === 'near') refuseNowhere(draft, name, tiers);
  if (policy.needs === 'arrivals' && replicas > 1 && router !== 'session-affinity')
    draft.fault(
      path,
      `${name} must know where a request will go, and cluster.router is ${router}; session-affinity sends a session to one replica`,
    );
  return {policy: name, params};
}

/** The nearest memory must lie between another one and HBM, and in DRAM, where anything can be put. */
function refuseNowhere(draft: Draft, name: string, tiers: readonly KvTier[]): void {
  const [near] = tiers;
  if (near.scope !== undefined)
    draft.fault(
      'kv.prefetch',
      `${name} fetches into ${near.name}, which replicas share (kv.tiers.${near.name === 'page-cache' ? 'ssd' : near.name}.scope: ${near.scope}): what each of them expects says nothing about the others; "to: hbm" for policies that have it`,
    );
  else if (near.name !== 'dram' && near.name !== 'page-cache')
    draft.fault('kv.prefetch', `${name} fetches into DRAM, and KV has none: kv.tiers.dram gives it some`);
  else if (tiers.length === 1)
    draft.fault(
      'kv.prefetch',
      `${name} fetches from beyond DRAM, and nothing lies there: kv.tiers.ssd or kv.tiers.remote would, or "to: hbm" for policies that have it`,
    );
}
