import type {AccessLog, LoggedAccesses} from '../memory/access-log.js';
import type {RunRecord} from '../metrics/record.js';
import type {SimulationOptions} from '../serving/simulation.js';
import {withoutPrefetches} from './prefetch-worth.js';
import type {MemoryPlan, Scenario} from './scenario.js';
import {simulate} from './simulate.js';
import {withoutEachTier} from './tier-worth.js';

/** What is simulated of a scenario: itself, or what one figure of its result is worked out from. Plain data, so that it crosses to a worker. */
export type Variation =
  | {readonly kind: 'as-written' | 'without-prefetches' | 'without-prefix-cache'}
  /** Every step takes so many times as long. */
  | {readonly kind: 'cost'; readonly scale: number}
  | {readonly kind: 'without-tier'; readonly tier: string}
  /** So many blocks more in HBM. */
  | {readonly kind: 'more-blocks'; readonly blocks: number};

/** The scenario itself. */
export const asWritten: Variation = {kind: 'as-written'};

/** One simulation of a planned scenario. */
export interface Run {
  readonly variation: Variation;
  readonly replication: number;
  /** How many block accesses of each replica are written down at most; null: none are. */
  readonly accesses: number | null;
}

/** What a run left. */
export interface RunOutcome {
  readonly record: RunRecord;
  /** By replica; null where there were more than may be written down. */
  readonly accesses: readonly (LoggedAccesses | null)[];
}

/** A scenario and its plan. */
export interface Planned {
  readonly scenario: Scenario;
  readonly plan: MemoryPlan;
}

/** Carries out one run: a pure function of scenario, plan and run, in whatever thread. */
export function carryOut(
  planned: Planned,
  {variation, replication, accesses}: Run,
  onProgress?: SimulationOptions['onProgress'],
): RunOutcome {
  const {scenario, plan} = varied(planned, variation);
  const logs: AccessLog[] = [];
  const record = simulate(scenario, plan, {
    replication,
    costScale: variation.kind === 'cost' ? variation.scale : 1,
    ...(accesses === null ? {} : {accesses: {most: accesses, logs}}),
    ...(onProgress === undefined ? {} : {onProgress}),
  });
  return {record, accesses: logs.map((log) => log.take())};
}

function varied({scenario, plan}: Planned, variation: Variation): Planned {
  switch (variation.kind) {
    case 'as-written':
    case 'cost':
      return {scenario, plan};
    case 'without-prefetches':
      return {scenario: withoutPrefetches(scenario)!, plan};
    case 'without-prefix-cache':
      return {scenario: {...scenario, kv: {...scenario.kv, prefixCache: false}}, plan};
    case 'without-tier':
      return withoutEachTier(scenario, plan).find(({tier}) => tier === variation.tier)!;
    case 'more-blocks':
      return {scenario, plan: {...plan, kvBlocks: plan.kvBlocks + variation.blocks}};
  }
}
