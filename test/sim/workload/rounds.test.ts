import {describe, expect, it} from 'vitest';
import {resolveText} from '../../../src/sim/scenario/resolve/index.js';
import {createWorkload} from '../../../src/sim/workload/index.js';
import type {Arrival, ArrivalsInRounds} from '../../../src/sim/workload/workload.js';
import {linearCost} from '../../support/linear-cost.js';
import {memoryFiles} from '../../support/memory-files.js';
import {simulated} from '../../support/replica-config.js';

const MS = 1e6;
const none = {requests: null, sessions: null, duration: null};

function rounds(
  arrivals: Partial<ArrivalsInRounds>,
  {
    turns = 2,
    seed = 1,
    limit = none,
  }: {turns?: number; seed?: number; limit?: typeof none | {requests: number; sessions: null; duration: null}} = {},
) {
  return createWorkload(
    {
      kind: 'chat',
      arrivals: {process: 'rounds', sessions: 3, inFlight: 2, rate: 1e9, ...arrivals},
      turns: {dist: 'constant', value: turns},
      thinkTime: {dist: 'constant', value: 0},
      userTokens: {dist: 'constant', value: 10},
      outputTokens: {dist: 'constant', value: 2},
      sharedPrefixes: null,
    },
    {seed, replication: 0, blockSize: 4, limit},
  );
}

describe('rounds', () => {
  it('send as many as may be under way, and one more when one has ended', () => {
    const workload = rounds({});
    const first = workload.next()!;
    const second = workload.next()!;
    expect(workload.next()).toBeNull();
    expect(workload.follow(first, 50 * MS, true)).toBeNull();
    const third = workload.next()!;
    expect(third.time).toBe(50 * MS);
    expect(workload.next()).toBeNull();
    expect([first, second, third].map(({session}) => session).sort()).toEqual([0, 1, 2]);
    expect([first, second, third].map(({turn}) => turn)).toEqual([0, 0, 0]);
  });

  it('begin the next one when all of this one have ended, not before, however many places are free', () => {
    const workload = rounds({inFlight: 3});
    const all = [workload.next()!, workload.next()!, workload.next()!];
    workload.follow(all[0], 10 * MS, true);
    workload.follow(all[1], 30 * MS, true);
    expect(workload.next()).toBeNull();
    workload.follow(all[2], 20 * MS, true);
    // The last answer came at 30 ms. A prompt is 10 tokens more than the last one and its answer of 2.
    const next = [workload.next()!, workload.next()!, workload.next()!];
    expect(next.map(({turn, input}) => [turn, input])).toEqual([
      [1, 22],
      [1, 22],
      [1, 22],
    ]);
    for (const {time} of next) expect(time).toBeGreaterThanOrEqual(30 * MS);
    expect(next[0].time).toBeLessThan(31 * MS);
  });

  it('leave out who did not finish, and end after the last turn', () => {
    const workload = rounds({inFlight: 3});
    const all = [workload.next()!, workload.next()!, workload.next()!].sort((a, b) => a.session - b.session);
    for (const arrival of all) workload.follow(arrival, 10 * MS, arrival.session !== 1);
    expect([0, 1, 2].map((session) => workload.barrier!.goesOn(session))).toEqual([true, false, true]);
    const next = [workload.next()!, workload.next()!];
    expect(workload.next()).toBeNull();
    expect(next.map(({session}) => session).sort()).toEqual([0, 2]);
    for (const arrival of next) workload.follow(arrival, 20 * MS, true);
    expect(workload.barrier!.goesOn(0)).toBe(false);
    expect(workload.next()).toBeNull();
  });

  it('go out at their rate while places are free, in gaps like those of Poisson arrivals', () => {
    const workload = rounds({sessions: 20_000, inFlight: 20_000, rate: 100}, {turns: 1});
    const times: number[] = [];
    for (let arrival = workload.next(); arrival !== null; arrival = workload.next()) times.push(arrival.time / 1e9);
    expect(times).toHaveLength(20_000);
    const gaps = times.slice(1).map((time, i) => time - times[i]);
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    const deviation = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length);
    expect(mean * 100).toBeCloseTo(1, 1);
    expect(deviation / mean).toBeCloseTo(1, 1);
  });

  it('have another order each round, the same one for the same seed', () => {
    const orders = (seed: number) => {
      const workload = rounds({sessions: 30, inFlight: 30}, {turns: 2, seed});
      const take = () => Array.from({length: 30}, () => workload.next()!);
      const first = take();
      for (const arrival of first) workload.follow(arrival, 1e9, true);
      return [first, take()].map((round: Arrival[]) => round.map(({session}) => session).join());
    };
    const [one, two] = orders(1);
    expect(one).not.toBe(two);
    expect(orders(1)).toEqual([one, two]);
    expect(orders(2)[0]).not.toBe(one);
  });

  it('stop at the limits of the run', () => {
    const workload = rounds({inFlight: 3}, {limit: {requests: 2, sessions: null, duration: null}});
    expect([workload.next(), workload.next(), workload.next()].map((arrival) => arrival !== null)).toEqual([true, true, false]);
  });

  it('are simulated round by round: nothing of a round arrives before all of the last one have ended, and its blocks are found', () => {
    for (const fastForward of [true, false]) {
      const record = simulated({}, linearCost({token: 0.001}), rounds({sessions: 5}, {turns: 3}), {fastForward});
      const r = record.requests;
      expect(r.rows).toBe(15);
      const of = (turn: number) => Array.from({length: r.rows}, (_, i) => i).filter((i) => r.turn[i] === turn);
      for (const turn of [1, 2]) {
        const ended = Math.max(...of(turn - 1).map((i) => r.finished[i]));
        const began = Math.min(...of(turn).map((i) => r.arrival[i]));
        expect(began).toBeGreaterThanOrEqual(ended);
        expect(began - ended).toBeLessThan(100); // a gap at 1e9 req/s
      }
      // 12 tokens before, 11 of them with KV: 2 blocks of 4; then 23: 5 blocks.
      expect(of(1).map((i) => r.hit[i])).toEqual([8, 8, 8, 8, 8]);
      expect(of(2).map((i) => r.hit[i])).toEqual([20, 20, 20, 20, 20]);
    }
  });
});

it('a session keeps its block ids while it waits for the others, even when none of its blocks is left', () => {
  // 12 blocks hold two of the five sessions: what the first ones computed is gone when their next round comes.
  const record = simulated({kv: {blocks: 12}}, linearCost({token: 0.001}), rounds({sessions: 5, inFlight: 1}, {turns: 4}));
  const {requests: r} = record;
  expect(r.rows).toBe(20);
  for (let i = 0; i < r.rows; i++) expect(r.hit[i] + r.computed[i]).toBe(r.input[i]);
  expect(record.counters.evictions).toBeGreaterThan(30);
});

describe('workload.arrivals: rounds', () => {
  const load = (workload: string) =>
    resolveText(`model: llama-3.1-8b\nhardware: h100-sxm\nengine: vllm\nworkload: ${workload}\n`, 'test.yaml', memoryFiles({}));

  it('needs sessions, requests in flight and a rate, and ends by itself, without a warm-up', async () => {
    const scenario = await load('{kind: chat, turns: 10, arrivals: {process: rounds, sessions: 80, in_flight: 4, rate: 16 req/s}}');
    expect(scenario.workload).toMatchObject({arrivals: {process: 'rounds', sessions: 80, inFlight: 4, rate: 16}});
    expect(scenario.run.requests).toBeNull();
    expect(scenario.assumptions.map(({path}) => path)).not.toContain('workload.think_time');
    await expect(load('{kind: chat, arrivals: {process: rounds, sessions: 80}}')).rejects.toThrow(/in_flight: missing[\s\S]*rate: missing/);
  });

  it('is refused where a round has no sense', async () => {
    const arrivals = 'arrivals: {process: rounds, sessions: 8, in_flight: 4, rate: 16 req/s}';
    await expect(load(`{kind: lengths, input_tokens: 1, output_tokens: 1, ${arrivals}}`)).rejects.toThrow(/kind chat, alone/);
    await expect(load(`{streams: {a: {kind: chat, ${arrivals}}}}`)).rejects.toThrow(/rounds go alone/);
    await expect(load('{kind: chat, arrivals: {process: rounds, sessions: 8, in_flight: 4, rate: 1 session/s}}')).rejects.toThrow(
      /offer requests/,
    );
  });
});
