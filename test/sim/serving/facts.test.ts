import {describe, expect, it} from 'vitest';
import {factoryOf} from '../../../src/policies/eviction/eviction.js';
import {evictionPolicies} from '../../../src/policies/eviction/index.js';
import type {EvictionContext, EvictionFactory, EvictionPolicy, Fact} from '../../../src/policies/eviction/policy.js';
import {NO_BLOCK} from '../../../src/sim/core/ids.js';
import {createWorkload} from '../../../src/sim/workload/index.js';
import {linearCost} from '../../support/linear-cost.js';
import {simulated} from '../../support/replica-config.js';
import {type Scripted, ScriptedWorkload} from '../../support/scripted.js';

const MS = 1e6;
/** 1 ms a computed token. */
const perToken = linearCost({token: 0.001});

/** What a policy that asks for `facts` is told of each block when it comes in. */
function told(facts: readonly Fact[], run: (eviction: EvictionFactory) => unknown): Record<string, number>[] {
  const seen: Record<string, number>[] = [];
  const {lru} = evictionPolicies;
  const spying = (context: EvictionContext): EvictionPolicy => {
    const policy = lru.create(context, {});
    const insert = policy.insert.bind(policy);
    policy.insert = (block) => {
      insert(block);
      const known = facts.map((fact) => [fact, (context[fact] as (block: number) => number)(block)]);
      seen.push({block, ...Object.fromEntries(known)});
    };
    return policy;
  };
  run(Object.assign(spying, {facts}));
  return seen;
}

const two: Scripted[] = [
  {at: 0, input: 12, output: 1, text: 'abc'},
  {at: 100 * MS, input: 12, output: 1, text: 'abd'},
];

describe('a policy is told in a run', () => {
  it('which block a block follows, and how many are before it', () => {
    const seen = told(['parent', 'depth'], (eviction) => simulated({}, perToken, new ScriptedWorkload(two), {eviction}));
    expect(seen).toEqual([
      {block: 0, parent: NO_BLOCK, depth: 0},
      {block: 1, parent: 0, depth: 1},
      {block: 2, parent: 1, depth: 2},
      {block: 3, parent: 1, depth: 2},
    ]);
  });

  it('what time it is', () => {
    const [first, , , last] = told(['now'], (eviction) => simulated({}, perToken, new ScriptedWorkload(two), {eviction}));
    expect([first.now, last.now]).toEqual([0, 100 * MS]);
  });

  it('how long a block takes as part of the largest chunk, longer behind a long prefix', () => {
    // 1 ms a token: 4 ms a block. With 0.1 ms for each token that one attends to, a chunk of 8 after d blocks takes 0.1 × (8 × 4 d + 36) ms, a block half of it.
    const run = (cost: typeof perToken) =>
      told(['recompute'], (eviction) =>
        simulated({scheduler: {maxNumBatchedTokens: 8}}, cost, new ScriptedWorkload(two.slice(0, 1)), {eviction}),
      ).map(({recompute}) => recompute);
    for (const seconds of run(perToken)) expect(seconds).toBeCloseTo(0.004, 12);
    const [none, four, eight] = run(linearCost({context: 0.0001}));
    expect([none, four, eight].map((s) => s * 1e3)).toEqual([1.8, 3.4, 5].map((ms) => expect.closeTo(ms, 9)));
  });

  it('whose a block is, or that several sessions may use it', () => {
    const workload = createWorkload(
      {
        kind: 'chat',
        arrivals: {process: 'constant', rate: 1, of: 'session'},
        turns: {dist: 'constant', value: 1},
        thinkTime: {dist: 'constant', value: 1},
        userTokens: {dist: 'constant', value: 8},
        outputTokens: {dist: 'constant', value: 1},
        sharedPrefixes: {count: 1, tokens: {dist: 'constant', value: 4}, popularity: {dist: 'uniform'}},
      },
      {seed: 1, replication: 0, blockSize: 4, limit: {requests: 2, sessions: null, duration: null}},
    );
    const seen = told(['session'], (eviction) => simulated({}, perToken, workload, {eviction}));
    expect(seen.map(({session}) => session)).toEqual([-1, 0, 0, 1, 1]);
  });

  it('nothing of chains that it does not ask for', () => {
    let context: EvictionContext | undefined;
    const {lru} = evictionPolicies;
    const eviction = (given: EvictionContext) => lru.create((context = given), {});
    simulated({}, perToken, new ScriptedWorkload(two), {eviction});
    expect(Object.keys(context!).toSorted()).toEqual(['blocks', 'capacity', 'now', 'session']);
  });
});

it('evicts what has expired by the clock of the step that needs room, run ahead or not', () => {
  // 12 places. `abc` comes at 0 and is read again at 60 ms, `xyz` comes at 30. The decode from 70 ms on needs its 7th to 11th place at 95, 99, 103, 107 and 111 ms:
  // z and y leave as least recently used, and from 100 ms on a, b, c have expired.
  const script: Scripted[] = [
    {at: 0, input: 12, output: 1, text: 'abc'},
    {at: 30 * MS, input: 12, output: 1, text: 'xyz'},
    {at: 60 * MS, input: 13, output: 1, text: 'abc'},
    {at: 70 * MS, input: 4, output: 40},
    {at: 200 * MS, input: 13, output: 1, text: 'abc'},
  ];
  const hit = (eviction: EvictionFactory, fastForward: boolean) =>
    simulated({kv: {blocks: 12}}, perToken, new ScriptedWorkload(script), {eviction, fastForward}).requests.hit[4];
  const ttl = factoryOf('ttl', evictionPolicies.ttl, {ttl: 0.1});
  expect([hit(ttl, true), hit(ttl, false), hit(factoryOf('lru', evictionPolicies.lru), true)]).toEqual([0, 0, 4]);
});
