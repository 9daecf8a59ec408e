import {InfeasibleError} from '../core/errors.js';
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
  return plan;
}
