import {describe, expect, it} from 'vitest';
import type {Arrival, WorkloadConfig} from '../../../src/sim/workload/workload.js';
import {constant, correlation, idsOf, served, workload} from '../../support/workloads.js';

type Config = Extract<WorkloadConfig, {kind: 'chat'}>;

const fixed: Config = {
  kind: 'chat',
  arrivals: {process: 'constant', rate: 1, of: 'session'},
  turns: constant(3),
  thinkTime: constant(10),
  userTokens: constant(20),
  outputTokens: constant(12),
  sharedPrefixes: null,
};
const random: Config = {
  ...fixed,
  arrivals: {process: 'poisson', rate: 2, of: 'session'},
  turns: {dist: 'geometric', mean: 4},
  thinkTime: {dist: 'exponential', mean: 30},
  userTokens: {dist: 'lognormal', mean: 200, cv: 1},
  outputTokens: {dist: 'lognormal', mean: 240, cv: 1},
};
const second = 1e9;

it('each prompt holds all that was said before, and comes a think time after the answer', () => {
  const arrivals = served(workload(fixed, {limit: {sessions: 1}}), 2 * second);
  expect(arrivals.map(({time, session, turn, input, output}) => ({time: time / second, session, turn, input, output}))).toEqual([
    {time: 1, session: 0, turn: 0, input: 20, output: 12},
    {time: 13, session: 0, turn: 1, input: 52, output: 12},
    {time: 25, session: 0, turn: 2, input: 84, output: 12},
  ]);
});

it('the ids of a session go on where its last prompt and answer ended', () => {
  // 32, 64 and 96 tokens: 2, 4 and 6 blocks of 16.
  const source = workload(fixed, {limit: {sessions: 1}});
  expect(served(source, 1).map(idsOf)).toEqual([
    [0, 1],
    [0, 1, 2, 3],
    [0, 1, 2, 3, 4, 5],
  ]);
  expect(source.ids.limit).toBe(6);
  expect(source.ids.owner(5)).toBe(0);
});

it('a shared prefix stands before the first turn, its last partial block with the session', () => {
  const config: Config = {...fixed, sharedPrefixes: {count: 1, tokens: constant(40), popularity: {dist: 'uniform'}}};
  const arrivals = served(workload(config, {limit: {sessions: 2}}), 1);
  const first = arrivals.filter(({session}) => session === 0);
  expect(first.map(({input}) => input)).toEqual([60, 92, 124]);
  expect(idsOf(first[2])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]); // 136 tokens; 0 and 1 are the prefix
  const other = idsOf(arrivals.find(({session, turn}) => session === 1 && turn === 0)!);
  expect(other.slice(0, 2)).toEqual([0, 1]);
  expect(Math.min(...other.slice(2))).toBe(9);
});

it('a session ends when a request does not finish', () => {
  const arrivals = served(workload(fixed, {limit: {sessions: 2}}), 1, ({session, turn}) => !(session === 0 && turn === 1));
  expect(arrivals.map(({session, turn}) => `${session}.${turn}`)).toEqual(['0.0', '1.0', '0.1', '1.1', '1.2']);
});

describe('what is said does not depend on when', () => {
  const bySession = (arrivals: readonly Arrival[]) =>
    arrivals
      .map(({session, turn, input, output}) => ({session, turn, input, output}))
      .sort((a, b) => a.session - b.session || a.turn - b.turn);

  it('slow service changes when turns come, not their lengths', () => {
    const slow = served(workload(random, {limit: {sessions: 60}}), ({session}) => (session % 7) * 50 * second + 1);
    const fast = served(workload(random, {limit: {sessions: 60}}), 1);
    expect(slow.map(({time}) => time)).not.toEqual(fast.map(({time}) => time));
    expect(bySession(slow)).toEqual(bySession(fast));
  });

  it('a closed loop serves the same sessions as an open one', () => {
    const closed = served(workload({...random, arrivals: {process: 'closed-loop', sessions: 5}}, {limit: {sessions: 40}}), 3 * second);
    expect(bySession(closed)).toEqual(bySession(served(workload(random, {limit: {sessions: 40}}), 1)));
  });

  it('changing one quantity leaves the draws of the others', () => {
    const first = (changes: Partial<Config>) =>
      served(workload({...random, ...changes}, {limit: {sessions: 30}}), 1).filter(({turn}) => turn === 0);
    const before = first({}),
      after = first({turns: constant(2), outputTokens: constant(5), thinkTime: constant(1)});
    expect(after.map(({time, input}) => [time, input])).toEqual(before.map(({time, input}) => [time, input]));
    const longer = first({userTokens: constant(9)});
    expect(longer.map(({output}) => output)).toEqual(before.map(({output}) => output));
  });
});

it('what is asked, what is answered and how long a user thinks do not follow each other, nor does one session the other', () => {
  const uniform = {dist: 'uniform', min: 100, max: 300} as const;
  const config: Config = {...fixed, turns: constant(2), thinkTime: uniform, userTokens: uniform, outputTokens: uniform};
  const arrivals = served(workload(config, {limit: {sessions: 1000}}), 0).sort((a, b) => a.session - b.session || a.turn - b.turn);
  const first = arrivals.filter(({turn}) => turn === 0);
  const asked = first.map(({input}) => input),
    answered = first.map(({output}) => output),
    thought = arrivals.filter(({turn}) => turn === 1).map(({time}, i) => time - first[i].time);
  // The standard error of 1,000 pairs is 0.03.
  for (const [a, b] of [
    [asked, answered],
    [asked, thought],
    [answered, thought],
    [asked.slice(1), asked.slice(0, -1)],
  ])
    expect(Math.abs(correlation(a, b))).toBeLessThan(0.12);
});

it('a closed loop always has its sessions open, and replaces one at the moment it ends', () => {
  const config: Config = {...fixed, turns: constant(2), arrivals: {process: 'closed-loop', sessions: 2}};
  const arrivals = served(workload(config, {limit: {requests: 8}}), second);
  expect(arrivals.map(({time, session, turn}) => `${time / second}: ${session}.${turn}`)).toEqual([
    '0: 0.0',
    '0: 1.0',
    '11: 0.1',
    '11: 1.1',
    '12: 2.0',
    '12: 3.0',
    '23: 2.1',
    '23: 3.1',
  ]);
});

it('a session that is still thinking when the arrivals end is not replaced', () => {
  const config: Config = {...fixed, arrivals: {process: 'closed-loop', sessions: 2}};
  expect(served(workload(config, {limit: {duration: 5}}), second)).toHaveLength(2);
});

it('a rate of requests is divided by the turns when these are fixed, and refused when they vary', () => {
  const arrivals: Config['arrivals'] = {process: 'constant', rate: 6, of: 'request'};
  expect(workload({...fixed, arrivals}).next()!.time).toBe(0.5 * second);
  expect(() => workload({...random, arrivals})).toThrow(/^workload\.arrivals\.rate: 6 req\/s does not say how many sessions start/);
});

it('one turn without a prefix shares nothing and needs no ids', () => {
  const source = workload({...fixed, turns: constant(1)}, {limit: {sessions: 2}});
  expect(source.shares).toBe(false);
  expect(served(source, 1).map(({chain}) => chain)).toEqual([null, null]);
});

it('ids stay few when ended sessions give theirs back', () => {
  const source = workload(random, {limit: {sessions: 500}});
  let turns = 0;
  for (let arrival = source.next(); arrival !== null; arrival = source.next()) {
    const {session} = arrival;
    for (let turn: Arrival | null = arrival; turn !== null; turn = source.follow(turn, turn.time, true)) turns++;
    source.released(session);
  }
  expect(turns).toBeGreaterThan(1500);
  expect(source.ids.limit).toBeLessThan(turns * 28); // what they would take without: 440 tokens = 28 blocks a turn
});
