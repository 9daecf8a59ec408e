import {createHash} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {type RoutingPolicyName, routingPolicies} from '../../../src/policies/routing/index.js';
import type {RoutingPolicy} from '../../../src/policies/routing/policy.js';
import {stream} from '../../../src/sim/core/random.js';
import type {RunRecord} from '../../../src/sim/metrics/record.js';
import type {Workload} from '../../../src/sim/workload/workload.js';
import {conversations} from '../../support/conversations.js';
import {linearCost} from '../../support/linear-cost.js';
import {randomTraffic} from '../../support/random-traffic.js';
import {type Overrides, simulated} from '../../support/replica-config.js';
import {type Scripted, ScriptedWorkload} from '../../support/scripted.js';
import {hierarchyConfig} from '../../support/tiers.js';

const MS = 1e6;
/** 1 ms a computed token. */
const perToken = linearCost({token: 0.001});

function rowsOf({requests: r}: RunRecord) {
  const order = Array.from({length: r.rows}, (_, i) => i).sort((a, b) => r.id[a] - r.id[b]);
  return order.map((i) => ({replica: r.replica[i], first: r.firstToken[i] / MS, hit: r.hit[i]}));
}

describe('two replicas', () => {
  const four: Scripted[] = [0, 0, 0, 0].map(() => ({at: 0, input: 10, output: 1}));

  it('serve side by side what one serves in one batch', () => {
    // 40 tokens on one replica take 40 ms; 20 on each of two take 20 ms.
    expect(rowsOf(simulated({}, perToken, new ScriptedWorkload(four))).map(({first}) => first)).toEqual([40, 40, 40, 40]);
    expect(rowsOf(simulated({}, perToken, new ScriptedWorkload(four), {replicas: 2}))).toEqual([
      {replica: 0, first: 20, hit: 0},
      {replica: 1, first: 20, hit: 0},
      {replica: 0, first: 20, hit: 0},
      {replica: 1, first: 20, hit: 0},
    ]);
  });

  it('have blocks of their own: what one computed the other computes again', () => {
    const twice: Scripted[] = [0, 1, 2, 3].map((i) => ({at: i * 100 * MS, input: 9, output: 1, text: 'ab'}));
    const rows = rowsOf(simulated({}, perToken, new ScriptedWorkload(twice), {replicas: 2}));
    expect(rows.map(({hit}) => hit)).toEqual([0, 0, 8, 8]);
  });

  it('count together: sums of steps and tokens, and each alone', () => {
    const record = simulated({}, perToken, new ScriptedWorkload([...four, {at: 50 * MS, input: 10, output: 3}]), {replicas: 2});
    expect(record.replicas.map(({counters}) => [counters.steps, counters.prefillTokens, counters.generatedTokens])).toEqual([
      [4, 30, 5],
      [1, 20, 2],
    ]);
    expect(record.counters).toMatchObject({steps: 5, prefillTokens: 50, generatedTokens: 7});
    expect(record.counters.busySeconds).toBeCloseTo(0.052, 9);
  });

  it('leave one timeline each, to the same end, whose counts add up to that of both', () => {
    const {timeline, replicas} = simulated({}, perToken, new ScriptedWorkload([...four, {at: 50 * MS, input: 10, output: 3}]), {
      replicas: 2,
    });
    expect(replicas.map((one) => [one.timeline.rows, one.timeline.width])).toEqual([
      [62, MS],
      [62, MS],
    ]);
    expect([0, 19, 20, 51].map((row) => replicas.map((one) => one.timeline.running[row]))).toEqual([
      [2, 2],
      [2, 2],
      [0, 0],
      [1, 0],
    ]);
    expect([0, 19, 20, 51].map((row) => timeline.running[row])).toEqual([4, 4, 0, 1]);
    // A step of 20 tokens on each ends in the row before 20 ms: tokens of a step, not of both.
    expect(timeline.batchTokens[19]).toBe(20);
  });

  it('time out what waits at its own replica', () => {
    const script: Scripted[] = [
      {at: 0, input: 100, output: 1},
      {at: 0, input: 10, output: 1},
      {at: 1 * MS, input: 10, output: 1},
      {at: 1 * MS, input: 10, output: 1},
    ];
    const record = simulated({scheduler: {maxNumSeqs: 1, timeout: 0.05}}, perToken, new ScriptedWorkload(script), {replicas: 2});
    const {requests: r} = record;
    expect([...r.id].map((id, i) => [id, r.end[i], r.replica[i]]).sort((a, b) => a[0] - b[0])).toEqual([
      [0, 0, 0],
      [1, 0, 1],
      [2, 2, 0],
      [3, 0, 1],
    ]);
  });
});

const {'prefix-affinity': prefixAffinity} = routingPolicies;
const late: RoutingPolicy = {...prefixAffinity, create: (view) => prefixAffinity.create(view, {refresh: 0.02})};
const routers: (RoutingPolicyName | RoutingPolicy)[] = ['round-robin', 'session-affinity', 'least-loaded', 'prefix-affinity', late];

describe('fast-forward and stepping give the same bytes', () => {
  const below = (seed: number) => {
    const random = stream(seed, 'test/cluster/tiers');
    if (random() < 0.4) return null;
    const write = (
      [{when: 'through', generated: true}, {when: 'back'}, {when: 'selective', afterTouches: 2, counts: 'hits', generated: false}] as const
    )[seed % 3];
    return {
      hierarchy: hierarchyConfig({
        dram: 2 + Math.floor(random() * 40),
        ssd: seed % 2 === 0 ? 100 : 0,
        write,
        host: 10 ** (7 + 3 * random()),
        hbm: 1e10,
      }),
      load: 'always' as const,
    };
  };
  const both = (overrides: Overrides, seed: number, cost: Parameters<typeof simulated>[1], workload: () => Workload) => {
    const options = {below: below(seed), replicas: 2 + (seed % 3), router: routers[(seed >> 2) % routers.length]};
    const on = simulated(overrides, cost, workload(), options);
    expect(digest(on), `seed ${seed}`).toBe(digest(simulated(overrides, cost, workload(), {...options, fastForward: false})));
    return on;
  };

  it('with two to four replicas under 200 scripts of independent requests, transfers under way and times on a grid', () => {
    let moved = 0;
    for (let seed = 0; seed < 200; seed++) {
      const {overrides, cost, script} = randomTraffic(seed);
      const record = both({...overrides, kv: {...overrides.kv, prefixCache: true}}, seed, cost, () => new ScriptedWorkload(script));
      expect(record.requests.rows).toBe(script.length);
      moved += record.tiers.reduce((sum, tier) => sum + tier.readBytes, 0);
    }
    expect(moved / 1e6).toBeGreaterThan(300);
  });

  it('with two to four replicas under 200 loads of sessions, whose ends cause arrivals elsewhere', () => {
    let moved = 0,
      elsewhere = 0;
    for (let seed = 0; seed < 200; seed++) {
      const {overrides, cost} = randomTraffic(seed);
      const tight = {...overrides, kv: {blocks: 26, prefixCache: true}, maxModelLen: 100};
      const record = both(tight, seed, cost, () => conversations(seed));
      moved += record.tiers.reduce((sum, tier) => sum + tier.readBytes, 0);
      elsewhere += elsewheres(record);
    }
    expect(moved / 1e6).toBeGreaterThan(100);
    expect(elsewhere).toBeGreaterThan(1000);
  });
});

/** How many turns went to another replica than the one before. */
function elsewheres({requests: r}: RunRecord): number {
  const homes = new Map<number, Map<number, number>>();
  for (let i = 0; i < r.rows; i++) {
    const turns = homes.get(r.session[i]) ?? new Map<number, number>();
    homes.set(r.session[i], turns.set(r.turn[i], r.replica[i]));
  }
  let moves = 0;
  for (const turns of homes.values()) for (const [turn, replica] of turns) if (turn > 0 && turns.get(turn - 1) !== replica) moves++;
  return moves;
}

it('affinity finds what round-robin loses', () => {
  const hits = (router: RoutingPolicyName) =>
    simulated({maxModelLen: 400}, perToken, conversations(4), {replicas: 4, router}).requests.hit.reduce((sum, hit) => sum + hit, 0);
  expect(hits('session-affinity')).toBeGreaterThan(1.5 * hits('round-robin'));
});

it('tells two routers apart by the event log, and gives one replica the log it has alone', () => {
  const log = (replicas: number, router: RoutingPolicyName) =>
    simulated({maxModelLen: 400}, perToken, conversations(4), {replicas, router});
  expect(log(3, 'round-robin').eventLog).not.toBe(log(3, 'session-affinity').eventLog);
  const {eventLog, replicas} = log(1, 'least-loaded');
  expect(eventLog).toBe(replicas[0].eventLog);
});

function digest(record: RunRecord): string {
  const text = JSON.stringify(record, (_, value) => (ArrayBuffer.isView(value) ? Array.from(value as Float64Array, String) : value));
  return createHash('sha256').update(text).digest('hex');
}
