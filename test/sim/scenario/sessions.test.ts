import {describe, expect, it} from 'vitest';
import {costFigures} from '../../../src/sim/scenario/cost-figures.js';
import {planDocument} from '../../../src/sim/scenario/plan-document.js';
import type {KvTier, MemoryPlan, Scenario} from '../../../src/sim/scenario/scenario.js';
import {residentTokens, sessionsOf} from '../../../src/sim/scenario/session-figures.js';
import {noPrices} from '../../support/plain-scenario.js';
import {runRecord} from '../../support/records.js';
import {toyPlan, toyScenario} from '../../support/scenarios.js';

const SESSION = 1600; // tokens
const exclusive: Partial<KvTier> = {write: {when: 'back'}, inclusive: false};

/** HBM with room for so many sessions, and DRAM and SSD of 8 and 64 times that. */
function tiered(sessions: number, rules: Partial<KvTier>, prices: Scenario['cost'] = noPrices): {scenario: Scenario; plan: MemoryPlan} {
  const toy = toyScenario();
  const tokens = Math.round(sessions * SESSION);
  const room = (memory: 'dram' | 'ssd', times: number) => ({memory, sizeBytes: 1, kvBytes: 1, kvBlocks: 1, kvTokens: times * tokens});
  const tier = (name: 'dram' | 'ssd'): KvTier => ({
    name,
    capacity: 1,
    eviction: 'lru',
    write: {when: 'through', generated: true},
    inclusive: true,
    promote: false,
    via: 'dram',
    ...rules,
  });
  return {
    scenario: toyScenario({cost: prices, kv: {...toy.kv, blockSize: 16, tiers: [tier('dram'), tier('ssd')]}}),
    plan: {...toyPlan, kvTokens: tokens, tiers: [room('dram', 8), room('ssd', 64)]},
  };
}

/** A session of two turns that ends with 1,600 tokens of KV: 1,501 + 100 − 1. */
const run = runRecord([
  {arrival: 0, scheduled: 0, firstToken: 1, finished: 2, session: 0, turn: 0, input: 500, output: 100},
  {arrival: 3, scheduled: 3, firstToken: 4, finished: 5, session: 0, turn: 1, input: 1501, output: 100},
]);
const throughput = {
  requests_per_s: null,
  output_tokens_per_s: null,
  input_tokens_per_s: null,
  goodput_requests_per_s: null,
  sessions_per_s: null,
};

function figures({scenario, plan}: ReturnType<typeof tiered>, record = run) {
  const sessions = sessionsOf(scenario, plan, [record]);
  return {sessions, cost: costFigures(scenario, plan, {...throughput, mfu_share: null, mbu_share: null}, sessions)};
}

describe('resident sessions', () => {
  it('are 1 + 8 + 64 = 73 where each memory keeps its own, and 64 where what lies above lies below too', () => {
    expect(figures(tiered(1, exclusive)).sessions).toEqual({longest_tokens: SESSION, resident_per_device: 73, open_per_device: null});
    expect(figures(tiered(1, {})).sessions.resident_per_device).toBe(64);
    const {scenario, plan} = tiered(1, exclusive);
    expect(planDocument(scenario, plan).resident_tokens).toBe(73 * SESSION);
  });

  it('count a memory once that only keeps a copy: written back, but not given away by a load', () => {
    const {scenario, plan} = tiered(1, {write: {when: 'back'}});
    expect(residentTokens(scenario, plan)).toBe(64 * SESSION);
    const [dram, ssd] = scenario.kv.tiers;
    // DRAM has its own beside HBM, the SSD a copy of both.
    expect(residentTokens({...scenario, kv: {...scenario.kv, tiers: [{...dram, ...exclusive}, ssd]}}, plan)).toBe(64 * SESSION);
    expect(residentTokens({...scenario, kv: {...scenario.kv, tiers: [dram, {...ssd, ...exclusive}]}}, plan)).toBe(72 * SESSION);
  });

  it('are whole: a session of a token more does not fit, and blocks are whole too', () => {
    const {scenario, plan} = tiered(1, exclusive);
    const longer = runRecord([{arrival: 0, scheduled: 0, firstToken: 1, finished: 2, input: 1502, output: 100}]);
    expect(figures({scenario, plan}, longer).sessions).toMatchObject({longest_tokens: 1616, resident_per_device: 72});
    expect(figures({scenario: {...scenario, count: 2}, plan}).sessions.resident_per_device).toBe(36.5);
    expect(figures(tiered(0.9, {})).sessions.resident_per_device).toBe(57);
  });

  it('are none without a prefix cache, which keeps nothing between two turns', () => {
    const {scenario, plan} = tiered(1, exclusive);
    expect(figures({scenario: {...scenario, kv: {...scenario.kv, prefixCache: false}}, plan}).sessions.resident_per_device).toBeNull();
  });
});

describe('an hour of a session', () => {
  const prices = {...noPrices, device: 1};

  it('costs devices and memories over the sessions', () => {
    const {cost} = figures(tiered(1, exclusive, {...prices, dram: 0.1, ssd: 0.36})); // of 1 byte each
    expect(cost.per_resident_session_hour_usd).toBeCloseTo(1.46 / 73, 12);
    expect(cost.per_open_session_hour_usd).toBeNull();
  });

  it('is 62.04 times cheaper with 73.02 times the sessions where both memories add 17.698 % to the price (S139)', () => {
    // 73.02 = 3,651 / 50: what whole sessions give where HBM has room for fifty and a little more.
    const alone = tiered(50.02, exclusive, prices);
    const without = figures({scenario: {...alone.scenario, kv: {...alone.scenario.kv, tiers: []}}, plan: {...alone.plan, tiers: []}});
    const both = figures(tiered(50.02, exclusive, {...prices, dram: 0.08, ssd: 0.09698}));
    expect(both.sessions.resident_per_device! / without.sessions.resident_per_device!).toBeCloseTo(73.02, 10);
    const cheaper = without.cost.per_resident_session_hour_usd! / both.cost.per_resident_session_hour_usd!;
    expect(cheaper).toBeCloseTo(73.02 / 1.17698, 10);
    expect(cheaper.toFixed(2)).toBe('62.04');
  });

  it('of a closed loop is also told for the sessions that are always open', () => {
    const {scenario, plan} = tiered(1, exclusive, prices);
    const {workload} = scenario;
    const closed = {...workload, arrivals: {process: 'closed-loop', sessions: 12}} as Scenario['workload'];
    const {sessions, cost} = figures({scenario: {...scenario, count: 2, workload: closed}, plan});
    expect(sessions.open_per_device).toBe(6);
    expect(cost.per_open_session_hour_usd).toBeCloseTo(2 / 12, 12);
  });
});
