import {constant} from '../../models/cost/constant.js';
import type {CostModel} from '../../models/cost/cost.js';
import {type Stretch, scaled, stretched} from '../../models/cost/scaled.js';
import {stepCost} from '../../models/cost/step-cost.js';
import {admissionPolicies} from '../../policies/admission/index.js';
import {prefetchPolicies} from '../../policies/prefetch/index.js';
import {routingPolicies} from '../../policies/routing/index.js';
import type {RoutingPolicy} from '../../policies/routing/policy.js';
import {schedulingPolicies} from '../../policies/scheduling/index.js';
import type {SchedulingFactory} from '../../policies/scheduling/policy.js';
import {stream} from '../core/random.js';
import type {SimulationParts} from '../serving/simulation.js';
import {isWhole} from '../workload/classes.js';
import {createWorkload} from '../workload/index.js';
import type {WorkloadOptions} from '../workload/workload.js';
import {evictionOf} from './eviction-of.js';
import {hierarchyOf} from './hierarchy-of.js';
import type {MemoryPlan, Scenario} from './scenario.js';

/** Share of requests sent beyond those asked for, so that a warm-up can be cut off. */
export const WARMUP_SHARE = 0.25;

/** Looks the names of a scenario up and makes the parts of a run; `costScale` stretches every step, for prediction intervals, `stretch` one term of it. */
export function build(
  scenario: Scenario,
  plan: MemoryPlan,
  options: {replication: number; costScale?: number; stretch?: Stretch},
): SimulationParts {
  const {scheduler, engine, kv, cluster} = scenario;
  return {
    config: {
      scheduler,
      inFlight: engine.inFlight,
      overhead: {request: engine.overhead.request.value, delivery: engine.overhead.delivery.value},
      kv: {blocks: plan.kvBlocks, blockSize: kv.blockSize, prefixCache: kv.prefixCache, publishes: engine.publishes},
      maxModelLen: plan.maxModelLen,
    },
    cost: scaled(options.stretch === undefined ? costOf(scenario) : stretched(costOf(scenario), options.stretch), options.costScale ?? 1),
    workload: createWorkload(scenario.workload, {
      seed: scenario.run.seed,
      replication: options.replication,
      blockSize: kv.blockSize,
      limit: limits(scenario),
    }),
    eviction: evictionOf(kv),
    scheduling: schedulingOf(scenario, options.replication),
    admission: admissionPolicies[scheduler.admission.policy].create(scheduler.admission.value),
    below: hierarchyOf(scenario, plan),
    prefetch: kv.prefetch === null ? null : {policy: prefetchPolicies[kv.prefetch.policy], params: kv.prefetch.params},
    replicas: cluster.replicas,
    router: routerOf(scenario),
  };
}

function routerOf({cluster}: Scenario): RoutingPolicy {
  const policy: RoutingPolicy = routingPolicies[cluster.router];
  return {...policy, create: (view) => policy.create(view, cluster.routerParams)};
}

function schedulingOf({scheduler, run}: Scenario, replication: number): SchedulingFactory {
  const {create} = schedulingPolicies[scheduler.policy];
  return create(scheduler.parameters, stream(run.seed, `${replication}/scheduler/${scheduler.policy}`));
}

/** The cost model that a scenario names. */
export function costOf(scenario: Scenario): CostModel {
  const {costModel, llm, device, parallel, engine, kv, activationType} = scenario;
  if (costModel.kind === 'constant') return constant(costModel.seconds);
  return stepCost(llm, device, {...parallel, engine, kvFormat: kv.format, activationType, fits: costModel.kind});
}

function limits({run, workload}: Scenario): WorkloadOptions['limit'] {
  const {requests, sessions, duration, warmup} = run;
  if (requests === null) return {requests, sessions, duration};
  const extra =
    warmup.kind === 'requests' ? warmup.value : warmup.kind === 'auto' && !isWhole(workload) ? Math.ceil(requests * WARMUP_SHARE) : 0;
  return {requests: requests + extra, sessions, duration};
}
