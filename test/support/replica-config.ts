import type {CostModel} from '../../src/models/cost/cost.js';
import {factoryOf} from '../../src/policies/eviction/eviction.js';
import {lru} from '../../src/policies/eviction/lru.js';
import {type RoutingPolicyName, routingPolicies} from '../../src/policies/routing/index.js';
import type {RoutingPolicy} from '../../src/policies/routing/policy.js';
import type {RunRecord} from '../../src/sim/metrics/record.js';
import type {ReplicaConfig} from '../../src/sim/serving/config.js';
import {type SimulationOptions, type SimulationParts, simulateCluster} from '../../src/sim/serving/simulation.js';
import type {Workload} from '../../src/sim/workload/workload.js';

export interface Overrides {
  readonly scheduler?: Partial<ReplicaConfig['scheduler']>;
  readonly inFlight?: number;
  readonly request?: number;
  readonly delivery?: number;
  readonly kv?: Partial<ReplicaConfig['kv']>;
  readonly maxModelLen?: number;
}

/** An engine with room for everything, one step in flight and blocks of 4 tokens, unless a test says otherwise. */
export function replicaConfig({scheduler, inFlight = 1, request = 0, delivery = 0, kv, maxModelLen = 1e6}: Overrides = {}): ReplicaConfig {
  return {
    scheduler: {
      maxNumSeqs: 64,
      maxNumBatchedTokens: 1000,
      chunkedPrefill: true,
      longPrefillTokenThreshold: 0,
      prefillInterval: 1,
      batching: 'continuous',
      steps: 'mixed',
      promptsPerStep: Number.POSITIVE_INFINITY,
      preemption: 'recompute',
      queueLimit: null,
      timeout: null,
      ...scheduler,
    },
    inFlight,
    overhead: {request, delivery},
    kv: {blocks: 1000, blockSize: 4, prefixCache: true, publishes: 'plan', ...kv},
    maxModelLen,
  };
}

/** Runs a workload with audits on, on one replica unless said. */
export function simulated(
  overrides: Overrides,
  cost: CostModel,
  workload: Workload,
  options: SimulationOptions &
    Partial<Pick<SimulationParts, 'below' | 'scheduling' | 'admission' | 'eviction' | 'prefetch'>> & {
      replicas?: number;
      router?: RoutingPolicyName | RoutingPolicy;
    } = {},
): RunRecord {
  return simulateCluster(
    {
      config: replicaConfig(overrides),
      cost,
      workload,
      eviction: factoryOf('lru', lru),
      ...options,
      below: options.below ?? null,
      replicas: options.replicas ?? 1,
      router: typeof options.router === 'object' ? options.router : routingPolicies[options.router ?? 'round-robin'],
    },
    {audit: true, ...options},
  );
}
