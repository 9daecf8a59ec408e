import {readParameters} from '../../../policies/eviction/parameters.js';
import {type RoutingPolicyName, routingPolicies} from '../../../policies/routing/index.js';
import type {RoutingPolicy} from '../../../policies/routing/policy.js';
import type {Scenario} from '../scenario.js';
import type {Draft} from './draft.js';

/** How many replicas there are, and who gets a request; a parameter that the router does not have is a fault of its key. */
export function resolveCluster(draft: Draft): Scenario['cluster'] {
  const path = 'cluster.router';
  const replicas = draft.get<number>('cluster.replicas') ?? 1;
  if (replicas === 1) draft.noEffect(path, 'there is one replica; cluster.replicas says more');
  const {policy: router = 'round-robin', ...written} = draft.get<{policy?: RoutingPolicyName} & Record<string, unknown>>(path) ?? {};
  if (draft.isRefused(`${path}.policy`)) return {replicas, router: 'round-robin'};
  const spill = written['spill'] ?? 'least-loaded';
  if (router === 'prefix-affinity' && spill !== 'least-loaded')
    draft.noEffect(`${path}.refresh`, `spill is ${spill}, which sees no counts`);
  const {params = {}}: RoutingPolicy = routingPolicies[router];
  const read = Object.entries(written).map(([key, value]) =>
    draft.try(`${path}.${key}`, () => readParameters(router, {params}, {[key]: draft.inSeconds(params, key, value)})),
  );
  return {replicas, router, ...(read.length === 0 ? {} : {routerParams: Object.assign({}, ...read)})};
}
