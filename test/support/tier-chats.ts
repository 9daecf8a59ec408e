import type {RunRecord} from '../../src/sim/metrics/record.js';
import type {ResultDocument} from '../../src/sim/scenario/result.js';
import type {KvTier, MemoryPlan, Scenario} from '../../src/sim/scenario/scenario.js';
import {simulate} from '../../src/sim/scenario/simulate.js';
import {summarise} from '../../src/sim/scenario/summarise.js';
import {withoutEachTier} from '../../src/sim/scenario/tier-worth.js';
import {toyPlan, toyScenario} from './scenarios.js';

/** A figure without a source. */
export const figure = (value: number) => ({value, grade: 'assumed' as const, source: 'test'});
const link = {bandwidth: figure(1e6), latency: figure(0), duplex: null, piece: figure(0)};

/** Chats of a million bytes a second to the host: a block of 1,000 B is loaded in 1 ms, a step takes `step` seconds. */
export function tierChats(blocks: {hbm: number; dram: number; ssd: number}, {step = 1, write = {when: 'through'} as KvTier['write']} = {}) {
  const tier = (name: KvTier['name'], n: number): KvTier[] =>
    n === 0 ? [] : [{name, capacity: n * 1000, eviction: 'lru', write, inclusive: true, promote: false, via: 'dram'}];
  const toy = toyScenario();
  const scenario: Scenario = {
    ...toy,
    costModel: {kind: 'constant', seconds: step},
    kv: {...toy.kv, tiers: [...tier('dram', blocks.dram), ...tier('ssd', blocks.ssd)]},
    host: {
      dram: {capacity: 1e6, bandwidth: figure(1e9), latency: figure(0)},
      ssd: {
        name: 'SSD',
        capacity: 1e9,
        read: figure(5e5),
        write: figure(5e5),
        latency: figure(0),
        iops: null,
        queueDepth: 4,
        endurance: figure(1e6),
      },
      remote: null,
      links: {host: link, storage: null, direct: null, network: null},
    },
    workload: {
      kind: 'chat',
      arrivals: {process: 'poisson', rate: 0.05, of: 'session'},
      turns: {dist: 'constant', value: 4},
      thinkTime: {dist: 'constant', value: 60},
      userTokens: {dist: 'constant', value: 160},
      outputTokens: {dist: 'constant', value: 2},
      sharedPrefixes: null,
    } as unknown as Scenario['workload'],
    run: {...toy.run, requests: 400},
  };
  const plan: MemoryPlan = {
    ...toyPlan,
    kvBlocks: blocks.hbm,
    kvTokens: blocks.hbm * 16,
    tiers: scenario.kv.tiers.map(({name, capacity}) => ({
      memory: name,
      sizeBytes: scenario.host[name as 'dram' | 'ssd']!.capacity!,
      kvBytes: capacity,
      kvBlocks: capacity / 1000,
      kvTokens: (capacity / 1000) * 16,
    })),
  };
  return {scenario, plan};
}

export interface Ran {
  readonly record: RunRecord;
  readonly document: ResultDocument;
}

/** A scenario of chats with its plan. */
export type TierChats = ReturnType<typeof tierChats>;

/** Runs them, and again without each memory. */
export function ranTierChats({scenario, plan}: TierChats): Ran {
  const record = simulate(scenario, plan, {replication: 0, audit: true});
  const without = withoutEachTier(scenario, plan).map(({tier, ...change}) => ({
    tier,
    records: [simulate(change.scenario, change.plan, {replication: 0})],
  }));
  return {record, document: summarise(scenario, plan, [record], {without})};
}
