import {describe, expect, it} from 'vitest';
import {compacted} from '../../../src/sim/workload/agent.js';
import type {Arrival, Traffic} from '../../../src/sim/workload/workload.js';
import {constant, idsOf, served, workload} from '../../support/workloads.js';

type Config = Extract<Traffic, {kind: 'agent'}>;

const second = 1e9;
const fixed: Config = {
  kind: 'agent',
  arrivals: {process: 'constant', rate: 1, of: 'session'},
  steps: constant(4),
  userTokens: constant(20),
  toolResultTokens: constant(30),
  outputTokens: constant(10),
  toolTime: constant(5),
  contextLimit: null,
  sharedPrefixes: {count: 1, tokens: constant(40), popularity: {dist: 'uniform'}},
};
const random: Config = {
  ...fixed,
  arrivals: {process: 'closed-loop', sessions: 8},
  steps: {dist: 'lognormal', mean: 12, cv: 1},
  toolResultTokens: {dist: 'lognormal', mean: 200, cv: 1.5},
  outputTokens: {dist: 'lognormal', mean: 60, cv: 1},
  toolTime: {dist: 'exponential', mean: 5},
  contextLimit: {tokens: 1500, keepTokens: 300},
};

it('each prompt is the prefix, all before, and what the tool returned, a tool’s time after the answer', () => {
  const arrivals = served(workload(fixed, {limit: {sessions: 1}}), 2 * second);
  expect(arrivals.map(({time, turn, input, output}) => [time / second, turn, input, output])).toEqual([
    [1, 0, 60, 10],
    [8, 1, 100, 10],
    [15, 2, 140, 10],
    [22, 3, 180, 10],
  ]);
  // Blocks of 16: two whole ones of the prefix are shared, the rest goes on where it ended.
  expect(arrivals.map(idsOf).map((ids) => ids.length)).toEqual([5, 7, 10, 12]);
  expect(idsOf(arrivals[3]).slice(0, 10)).toEqual(idsOf(arrivals[2]));
});

describe('beyond the limit of the context', () => {
  const limited: Config = {...fixed, contextLimit: {tokens: 120, keepTokens: 56}};

  it('only the prefix stays as it is; other text stands for the rest, and the next prompts grow from it', () => {
    // 60, 100, then 140 > 120: 56 kept and 30 of the tool = 86; then 86 + 10 + 30 = 126 > 120: again 86.
    const arrivals = served(workload(limited, {limit: {sessions: 1}}), 1);
    expect(arrivals.map(({input}) => input)).toEqual([60, 100, 86, 86]);
    const [, second_, third, fourth] = arrivals.map(idsOf);
    const common = (a: readonly number[], b: readonly number[]) => a.filter((id) => b.includes(id));
    expect(common(third, second_)).toEqual([0, 1]); // 40 tokens of prefix: two whole blocks
    expect(common(fourth, third)).toEqual([0, 1]);
    expect(common(fourth, second_)).toEqual([0, 1]);
  });

  it('a prefix longer than what is kept stays whole, and nothing is longer than the limit', () => {
    const prefix = {tokens: 80, base: 0, blocks: 5};
    expect(compacted(prefix, [20, 30, 500], [10, 10, 10], {tokens: 120, keepTokens: 0}, 16)).toEqual({
      inputs: [100, 110, 120], // 100 + 10 + 30 = 140 is 80 + 30; 110 + 10 + 500 is 80 + 500, cut to 120
      starts: [0, 2, 5 - 5 + 2 + 3], // 110 tokens were 7 blocks, 5 of them the prefix's; then 120 are 8
    });
  });

  it('without a limit nothing is replaced', () => {
    const prefix = {tokens: 0, base: 0, blocks: 0};
    expect(compacted(prefix, [20, 30], [10, 10], null, 16)).toEqual({inputs: [20, 60], starts: [0, 0]});
  });
});

it('what a task asks does not depend on how fast it is served', () => {
  const asked = (service: number) =>
    served(workload(random, {limit: {sessions: 40}}), service)
      .map(({session, turn, input, output}) => ({session, turn, input, output}))
      .sort((a, b) => a.session - b.session || a.turn - b.turn);
  const byLength = (list: ReturnType<typeof asked>) => list.map(({turn, input, output}) => `${turn} ${input} ${output}`).sort();
  expect(byLength(asked(9 * second))).toEqual(byLength(asked(1)));
});

it('ids of two tasks meet in the prefix alone, and those of ended tasks serve others', () => {
  const arrivals = served(workload(random, {limit: {sessions: 30}}), second);
  const bySession = new Map<number, Set<number>>();
  for (const arrival of arrivals) {
    const ids = bySession.get(arrival.session) ?? new Set();
    for (const id of idsOf(arrival)) ids.add(id);
    bySession.set(arrival.session, ids);
  }
  const [a, b] = [bySession.get(3)!, bySession.get(4)!];
  expect([...a].filter((id) => b.has(id))).toEqual([0, 1]);

  const source = workload(random, {limit: {sessions: 300}});
  let steps = 0;
  const open: Arrival[] = [];
  for (let i = 0; i < 8; i++) open.push(source.next()!);
  while (open.length > 0) {
    const ended = open.shift()!;
    steps++;
    const next = source.follow(ended, ended.time, true);
    if (next?.session !== ended.session) source.released(ended.session);
    if (next !== null) open.push(next);
  }
  expect(steps).toBeGreaterThan(2500);
  expect(source.ids.limit).toBeLessThan(30_000); // 300 tasks of about 400 blocks would be 120,000
});
