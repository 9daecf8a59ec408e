import type {Stretch} from '../../models/cost/scaled.js';
import type {RunRecord} from '../metrics/record.js';
import {type SimulationOptions, simulateCluster} from '../serving/simulation.js';
import {build} from './build.js';
import type {MemoryPlan, Scenario} from './scenario.js';

/** One run of a scenario. */
export interface SimulateOptions extends SimulationOptions {
  /** From 0: each has its own random numbers, the same ones in every scenario with the same seed. */
  readonly replication: number;
  /** Stretches every step, for prediction intervals. Default 1. */
  readonly costScale?: number;
  /** Stretches one cost term of every step, to see what it changes. */
  readonly stretch?: Stretch;
}

/** Simulates one replication of a scenario: a pure function of scenario, plan and replication. */
export function simulate(scenario: Scenario, plan: MemoryPlan, options: SimulateOptions): RunRecord {
  return simulateCluster(build(scenario, plan, options), options);
}
