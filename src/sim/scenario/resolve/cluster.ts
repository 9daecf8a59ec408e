import type {RoutingPolicyName} from '../../../policies/routing/index.js';
import type {Scenario} from '../scenario.js';
import type {Draft} from './draft.js';

/** How many replicas there are, and who gets a request. */
export function resolveCluster(draft: Draft): Scenario['cluster'] {
  const replicas = draft.get<number>('cluster.replicas') ?? 1;
  if (replicas === 1) draft.noEffect('cluster.router', 'there is one replica; cluster.replicas says more');
  return {replicas, router: draft.get<RoutingPolicyName>('cluster.router.policy') ?? 'round-robin'};
}
