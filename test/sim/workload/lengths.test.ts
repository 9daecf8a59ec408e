import {expect, it} from 'vitest';
import type {WorkloadConfig} from '../../../src/sim/workload/workload.js';
import {constant, correlation, idsOf, served, workload} from '../../support/workloads.js';

type Config = Extract<WorkloadConfig, {kind: 'lengths'}>;

const config: Config = {
  kind: 'lengths',
  arrivals: {process: 'poisson', rate: 20, of: 'request'},
  inputTokens: {dist: 'uniform', min: 100, max: 1000},
  outputTokens: {dist: 'lognormal', mean: 250, cv: 0.5, min: 50, max: 450},
  sharedPrefixes: null,
};
const prefixed: Config = {
  ...config,
  inputTokens: constant(20),
  outputTokens: constant(10),
  sharedPrefixes: {count: 1, tokens: constant(40), popularity: {dist: 'uniform'}},
};
const arrivalsOf = (changes: Partial<Config>, options?: Parameters<typeof workload>[1]) =>
  served(workload({...config, ...changes}, options), 1);

it('requests are sessions of one turn, in order of time, with no block to share', () => {
  const source = workload(config);
  const arrivals = served(source, 1);
  expect(arrivals).toHaveLength(1000);
  expect(arrivals.every(({session, turn, chain}, i) => session === i && turn === 0 && chain === null)).toBe(true);
  expect(source.shares).toBe(false);
  expect(source.ids.limit).toBe(0);
});

it('the same seed and replication give the same requests; another of either gives others', () => {
  expect(arrivalsOf({})).toEqual(arrivalsOf({}));
  const [first] = arrivalsOf({});
  for (const other of [{seed: 2}, {replication: 1}]) {
    const [request] = arrivalsOf({}, {...other, limit: {requests: 1}});
    expect(request.time).not.toBe(first.time);
    expect(request.output).not.toBe(first.output);
  }
});

it('changing one quantity leaves the others as they were', () => {
  const column = (changes: Partial<Config>, what: 'time' | 'input' | 'output') => arrivalsOf(changes).map((arrival) => arrival[what]);
  const outputs: Partial<Config> = {outputTokens: {dist: 'gamma', mean: 90, cv: 3}};
  expect(column(outputs, 'time')).toEqual(column({}, 'time'));
  expect(column(outputs, 'input')).toEqual(column({}, 'input'));
  expect(column(outputs, 'output')).not.toEqual(column({}, 'output'));
  const slower: Partial<Config> = {arrivals: {process: 'gamma', rate: 3, cv: 2, of: 'request'}};
  expect(column(slower, 'input')).toEqual(column({}, 'input'));
  expect(column(slower, 'output')).toEqual(column({}, 'output'));
  const shared: Partial<Config> = {sharedPrefixes: prefixed.sharedPrefixes};
  expect(column(shared, 'time')).toEqual(column({}, 'time'));
  expect(column(shared, 'output')).toEqual(column({}, 'output'));
});

it('inputs, outputs and gaps do not follow each other', () => {
  const arrivals = arrivalsOf({outputTokens: {dist: 'uniform', min: 50, max: 450}});
  const inputs = arrivals.map(({input}) => input),
    outputs = arrivals.map(({output}) => output),
    gaps = arrivals.map(({time}, i) => time - (arrivals[i - 1]?.time ?? 0));
  // The standard error of 1,000 pairs is 0.03.
  for (const [a, b] of [
    [inputs, outputs],
    [inputs, gaps],
    [outputs, gaps],
  ])
    expect(Math.abs(correlation(a, b))).toBeLessThan(0.12);
});

it('a shared prefix comes before the input, and its whole blocks have the same ids for all', () => {
  // Prefix 40 tokens = 2 whole blocks of 16; 40 + 20 + 10 = 70 tokens = 5 blocks, so 3 are the request's own.
  const source = workload(prefixed, {limit: {requests: 2}});
  const [first, second] = served(source, 1);
  expect([first.input, first.output]).toEqual([60, 10]);
  expect(idsOf(first)).toEqual([0, 1, 2, 3, 4]);
  expect(idsOf(second)).toEqual([0, 1, 5, 6, 7]);
  expect(source.shares).toBe(true);
  expect([0, 1, 2, 4, 5].map((id) => source.ids.owner(id))).toEqual([-1, -1, 0, 0, 1]);
});

it('a prefix shorter than a block shares nothing, but still comes first', () => {
  const short: Config = {...prefixed, sharedPrefixes: {...prefixed.sharedPrefixes!, tokens: constant(15)}};
  const [first, second] = served(workload(short, {limit: {requests: 2}}), 1);
  expect(first.input).toBe(35);
  expect(idsOf(first).filter((id) => idsOf(second).includes(id))).toEqual([]);
});

it('own ids of a released session serve another', () => {
  const source = workload(prefixed, {limit: {requests: 2}});
  source.next();
  expect(source.released(0)).toEqual({base: 2, count: 3});
  expect(idsOf(source.next()!)).toEqual([0, 1, 2, 3, 4]);
});

it('prefixes are taken by rank when their popularity is zipf', () => {
  const zipf: Config = {...prefixed, sharedPrefixes: {count: 4, tokens: constant(16), popularity: {dist: 'zipf', s: 1}}};
  const taken = served(workload(zipf, {limit: {requests: 8000}}), 1).map((arrival) => idsOf(arrival)[0]);
  const shares = [0, 1, 2, 3].map((id) => taken.filter((first) => first === id).length / 8000);
  // 1 : 1/2 : 1/3 : 1/4 = 12/25, 6/25, 4/25, 3/25
  for (const [rank, share] of [0.48, 0.24, 0.16, 0.12].entries()) expect(Math.abs(shares[rank] - share)).toBeLessThan(0.02);
});

it('in a closed loop a request is followed at once, whether it finished or not, by the next in the order of lengths', () => {
  const loop: Partial<Config> = {arrivals: {process: 'closed-loop', sessions: 2}};
  const arrivals = arrivalsOf(loop, {limit: {requests: 4}});
  expect(arrivals.map(({time, session}) => [time, session])).toEqual([
    [0, 0],
    [0, 1],
    [1, 2],
    [1, 3],
  ]);
  const rejected = served(workload({...config, ...loop}, {limit: {requests: 4}}), 1, () => false);
  expect(rejected).toEqual(arrivals);
  const open = arrivalsOf({}, {limit: {requests: 4}});
  expect(arrivals.map(({input, output}) => [input, output])).toEqual(open.map(({input, output}) => [input, output]));
});

it('refuses prefixes that cannot be', () => {
  expect(() => workload({...prefixed, sharedPrefixes: {...prefixed.sharedPrefixes!, count: 0}})).toThrow(
    'workload.shared_prefixes.count: 0 is no whole number ≥ 1',
  );
});

it('a batch comes all at time 0, as many as the run asks for', () => {
  const config = {kind: 'batch', arrivals: null, inputTokens: constant(50), outputTokens: constant(5), sharedPrefixes: null} as const;
  const arrivals = served(workload(config, {limit: {requests: 5}}), 1e9);
  expect(arrivals.map(({time, session, input}) => [time, session, input])).toEqual([0, 1, 2, 3, 4].map((session) => [0, session, 50]));
});
