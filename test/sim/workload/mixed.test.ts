import {describe, expect, it} from 'vitest';
import {classesOf, closedLoops, recordedRequests} from '../../../src/sim/workload/classes.js';
import type {Arrival, StreamConfig, Traffic, Workload, WorkloadConfig} from '../../../src/sim/workload/workload.js';
import {constant, idsOf, served, workload} from '../../support/workloads.js';

const chat: Traffic = {
  kind: 'chat',
  arrivals: {process: 'poisson', rate: 2, of: 'session'},
  turns: {dist: 'geometric', mean: 3},
  thinkTime: {dist: 'exponential', mean: 5},
  userTokens: {dist: 'lognormal', mean: 100, cv: 1},
  outputTokens: {dist: 'lognormal', mean: 60, cv: 1},
  sharedPrefixes: {count: 2, tokens: constant(100), popularity: {dist: 'uniform'}},
};
const tick: Traffic = {
  kind: 'lengths',
  arrivals: {process: 'constant', rate: 1, of: 'request'},
  inputTokens: constant(32),
  outputTokens: constant(8),
  sharedPrefixes: null,
};
const tock: Traffic = {...tick, arrivals: {process: 'constant', rate: 2, of: 'request'}, inputTokens: constant(64)};

const mixed = (...streams: readonly (readonly [name: string, traffic: Traffic, named?: string])[]): WorkloadConfig => ({
  kind: 'streams',
  streams: streams.map(([name, traffic, named]): StreamConfig => ({name, class: named ?? name, traffic})),
});
const of = (arrivals: readonly Arrival[], index: number) => arrivals.filter((arrival) => arrival.class === index);
/** What a stream asks for, whatever its sessions are numbered. */
const asked = (arrivals: readonly Arrival[]) => arrivals.map(({time, turn, input, output}) => [time, turn, input, output].join());

it('streams arrive in order of time, the one written first before the other at one time', () => {
  // tick every second, tock every half; both at 1 s and 2 s.
  const arrivals = served(workload(mixed(['tick', tick], ['tock', tock]), {limit: {requests: 6}}), 1);
  expect(arrivals.map(({time, class: index, session}) => `${time / 1e9} ${index} ${session}`)).toEqual([
    '0.5 1 0',
    '1 0 1',
    '1 1 2',
    '1.5 1 3',
    '2 0 4',
    '2 1 5',
  ]);
});

it('the limits of a run count all streams', () => {
  const limited = (limit: object) => served(workload(mixed(['tick', tick], ['tock', tock]), {limit}), 1);
  expect(limited({requests: 4})).toHaveLength(4);
  expect(limited({sessions: 5})).toHaveLength(5);
  expect(limited({duration: 2})).toHaveLength(6);
});

it('a class is named after its stream, unless the stream says another; streams of one class have one index', () => {
  const config = mixed(['a', tick, 'interactive'], ['b', tock], ['c', tick, 'interactive']);
  expect(classesOf(config)).toEqual(['interactive', 'b']);
  const source = workload(config, {limit: {duration: 1}});
  expect(source.classes).toEqual(['interactive', 'b']);
  expect(served(source, 1).map((arrival) => arrival.class)).toEqual([1, 0, 1, 0]);
});

it('traffic that is not mixed is of one class, which it may name', () => {
  expect(workload(tick).classes).toEqual(['default']);
  expect(workload({...tick, class: 'batch'}).classes).toEqual(['batch']);
  expect(workload(tick).next()!.class).toBe(0);
});

describe('a stream does not disturb another', () => {
  const alone = served(workload(mixed(['chat', chat]), {limit: {duration: 60}}), 1e9);

  it.each<[string, Traffic]>([
    ['requests', tock],
    ['another chat', {...chat, turns: constant(2)}],
  ])('%s beside it change neither when it comes nor what it says', (_name, other) => {
    const both = served(workload(mixed(['other', other], ['chat', chat]), {limit: {duration: 60}}), 1e9);
    expect(asked(of(both, 1))).toEqual(asked(alone));
    expect(of(both, 0).length).toBeGreaterThan(10);
  });

  it('and two streams that are written alike are not copies of each other', () => {
    const both = served(workload(mixed(['one', chat], ['two', chat]), {limit: {duration: 60}}), 1e9);
    expect(asked(of(both, 0))).not.toEqual(asked(of(both, 1)));
  });
});

it('block ids of different streams are never the same, prefixes included', () => {
  const arrivals = served(workload(mixed(['one', chat], ['two', chat]), {limit: {duration: 60}}), 1e9);
  const ids = [0, 1].map((index) => new Set(of(arrivals, index).flatMap(idsOf)));
  expect([...ids[0]].filter((id) => ids[1].has(id))).toEqual([]);
  expect(ids[0].size).toBeGreaterThan(100);
});

it('a session that ends in one stream gives its ids to a session of any other', () => {
  const source: Workload = workload(
    mixed(['one', {...chat, sharedPrefixes: null, turns: constant(2)}], ['two', {...chat, turns: constant(2)}]),
    {
      limit: {sessions: 400},
    },
  );
  let turns = 0;
  for (let arrival = source.next(); arrival !== null; arrival = source.next()) {
    const {session} = arrival;
    for (let turn: Arrival | null = arrival; turn !== null; turn = source.follow(turn, turn.time, true)) {
      turns++;
      expect(turn.session).toBe(session);
      expect(source.ids.owner(idsOf(turn).at(-1)!)).toBe(session);
    }
    source.released(session);
  }
  expect(turns).toBe(800);
  expect(source.ids.limit).toBeLessThan(2000); // 400 sessions of 20 blocks are 8,000
});

it('a closed loop stays closed beside an open stream', () => {
  const closed: Traffic = {...tick, arrivals: {process: 'closed-loop', sessions: 2}};
  const arrivals = served(workload(mixed(['closed', closed], ['tock', tock]), {limit: {duration: 3}}), 1e9);
  expect(of(arrivals, 0).map(({time}) => time / 1e9)).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
  expect(closedLoops(mixed(['closed', closed], ['tock', tock]))).toBe('some');
  expect(closedLoops(mixed(['closed', closed]))).toBe('all');
  expect(closedLoops(tock)).toBe('none');
});

it('how many requests there will be is known only where all are recorded', () => {
  expect(recordedRequests(mixed(['tick', tick]))).toBeNull();
});

it('a message names the stream', () => {
  const wrong: Traffic = {...tick, arrivals: {process: 'poisson', rate: -1, of: 'request'}};
  expect(() => workload(mixed(['fast', wrong]))).toThrow(/^workload\.streams\.fast\.arrivals\.rate: -1\/s is not a rate/);
});
