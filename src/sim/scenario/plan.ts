import {InfeasibleError, InputError} from '../core/errors.js';
import {derivePlan, whyNot} from './plan-derivation.js';
import {nearest} from './plan-nearest.js';
import type {MemoryPlan, Scenario} from './scenario.js';

/**
 * Derives where memory goes and how many KV blocks are left, term by term, on one device of the replica.
 *
 * Throws InfeasibleError, with what would fit, when the weights do not fit or the engine could not hold one prompt of the largest length; InputError when the device's capacity is not stated or heads cannot be split.
 */
export function planMemory(scenario: Scenario): MemoryPlan {
  const plan = derivePlan(scenario);
  const problem = whyNot(scenario, plan);
  if (problem !== null) throw new InfeasibleError(problem, nearest(scenario, plan));
  refuseUnchunked(scenario, plan);
  return plan;
}

/** As vLLM does: a prompt that is not cut must fit into one step. */
function refuseUnchunked({scheduler}: Scenario, {maxModelLen}: MemoryPlan): void {
  if (scheduler.chunkedPrefill || scheduler.maxNumBatchedTokens >= maxModelLen) return;
  throw new InputError(
    `scheduler.chunked_prefill: false needs scheduler.max_num_batched_tokens ≥ ${maxModelLen} (engine.max_model_len), got ${scheduler.maxNumBatchedTokens}`,
  );
}
