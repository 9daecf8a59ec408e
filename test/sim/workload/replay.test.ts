import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {readTrace} from '../../../src/sim/traces/index.js';
import type {Trace} from '../../../src/sim/traces/trace.js';
import type {Arrival, Workload} from '../../../src/sim/workload/workload.js';
import {noSharedData, sharedData} from '../../support/shared-data.js';
import {mooncakeTrace} from '../../support/traces.js';
import {idsOf, served, workload} from '../../support/workloads.js';

const replayed = (trace: Trace, options?: Parameters<typeof workload>[1]) =>
  workload({kind: 'replay', trace, arrivals: null}, {limit: {}, ...options});

const trace = mooncakeTrace([
  [0, 1100, 100, [0, 1, 2]],
  [7, 1100, 100, [0, 1, 2]],
  [9, 1030, 3000, [0, 1, 3]],
]);

it('gives the rows as they were recorded, each a session of one turn', () => {
  const arrivals = served(replayed(trace), 1);
  expect(arrivals.map(({time, session, turn, input, output}) => [time / 1e6, session, turn, input, output])).toEqual([
    [0, 0, 0, 1100, 100],
    [7, 1, 0, 1100, 100],
    [9, 2, 0, 1030, 3000],
  ]);
});

it('at the block size of the trace, whole blocks of the prompt keep their ids; the rest of the chain is the row’s own', () => {
  const source = replayed(trace, {blockSize: 512});
  const chains = served(source, 1).map(idsOf);
  // 1,200 tokens: blocks 0 and 1, and one of its own, though the third id is equal too: it covers a partial block.
  expect(chains).toEqual([
    [0, 1, 4],
    [0, 1, 5],
    [0, 1, 6, 7, 8, 9, 10, 11],
  ]);
  expect([3, 4, 5, 11].map((id) => source.ids.owner(id))).toEqual([-1, 0, 1, 2]);
});

it('in smaller blocks, each id becomes several, and those that fill a part of the last one are shared too', () => {
  const [first, second, third] = served(replayed(trace, {blockSize: 128}), 1).map(idsOf);
  // 1,100 tokens = 8 blocks of 128 and 76 tokens over: 4 parts of id 0 and of id 1, none of id 2.
  expect(first.slice(0, 9)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 16]);
  expect(second.slice(0, 9)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 18]);
  const [whole] = served(replayed(trace, {blockSize: 16}), 1);
  // 1,100 tokens = 68 blocks of 16: 32 of id 0, 32 of id 1, 4 of id 2; the ids are consecutive, so that is one run.
  expect(whole.chain!.bases[0]).toBe(0);
  expect(whole.chain!.counts[0]).toBe(68);
  expect(whole.chain!.blocks).toBe(75);
  expect(third).toHaveLength(Math.ceil(4030 / 128));
});

it('in larger blocks, the last id in a block stands for it, since it stands for all before it', () => {
  const long = mooncakeTrace([
    [0, 2100, 1, [0, 1, 2, 3, 4]],
    [0, 2100, 1, [0, 1, 2, 5, 6]],
  ]);
  const [first, second] = served(replayed(long, {blockSize: 1024}), 1).map(idsOf);
  expect(first.slice(0, 2)).toEqual([1, 3]);
  expect(second.slice(0, 2)).toEqual([1, 5]); // equal up to 1,024 tokens, not to 2,048
  expect(first[2]).not.toBe(second[2]);
});

it('refuses blocks that neither divide the trace’s nor are multiples, and names sizes that work', () => {
  expect(() => replayed(trace, {blockSize: 48})).toThrow(
    "kv.block_size: blocks of 48 tokens cannot be cut from the trace's blocks of 512; sizes that divide it or are multiples of it work: 16, 32, 64, 128, 256, 512, 1024",
  );
});

it('own ids of a released row serve another', () => {
  const source = replayed(trace, {blockSize: 512});
  source.next();
  expect(source.released(0)).toEqual({base: 4, count: 1});
  expect(idsOf(source.next()!)).toEqual([0, 1, 4]);
});

it('limits end a replay', () => {
  expect(served(replayed(trace, {limit: {requests: 2}}), 1)).toHaveLength(2);
  expect(served(replayed(trace, {limit: {duration: 0.007}}), 1)).toHaveLength(2);
});

it('a trace without ids shares nothing, at any block size', () => {
  const text = 'TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46,374,44';
  const source = replayed(readTrace(new TextEncoder().encode(text), 't'), {blockSize: 48});
  expect([source.shares, source.ids.limit, source.next()!.chain]).toEqual([false, 0, null]);
});

describe.skipIf(noSharedData !== null)(`the Mooncake trace${noSharedData === null ? '' : ` (skipped: ${noSharedData})`}`, () => {
  const mooncake = () => readTrace(sharedData('traces/mooncake_conversation.jsonl.gz'), 'm');

  // What an engine with an infinite cache finds, when it may take no more than length − 1 tokens from it.
  it.each([
    [512, 105_592, 276_469],
    [16, 3_381_090, 9_043_202],
  ])('in blocks of %d: %d of %d full blocks hit an infinite cache', (blockSize, hits, accesses) => {
    expect(infinite(replayed(mooncake(), {blockSize}), blockSize)).toEqual({hits, accesses});
  });

  function infinite(source: Workload, blockSize: number): {hits: number; accesses: number} {
    const seen = new Uint8Array(8e6);
    let [hits, accesses] = [0, 0];
    for (let arrival: Arrival | null = source.next(); arrival !== null; arrival = source.next()) {
      let asked = Math.floor((arrival.input - 1) / blockSize);
      accesses += asked;
      for (const [run, base] of arrival.chain!.bases.entries()) {
        for (let id = base; id < base + arrival.chain!.counts[run]; id++, asked--) if (asked > 0) hits += seen[id];
      }
      for (const [run, base] of arrival.chain!.bases.entries()) seen.fill(1, base, base + arrival.chain!.counts[run]);
    }
    expect(source.ids.limit).toBeLessThan(seen.length);
    return {hits, accesses};
  }
});

describe('a trace with sessions', () => {
  const recorded = (name: string) => readTrace(readFileSync(`test/golden/traces/${name}`), name);
  const agents = recorded('kv-cache-tester.jsonl');
  const second = 1e9;
  const table = (arrivals: readonly Arrival[]) => arrivals.map(({time, session, turn, input}) => [time / second, session, turn, input]);

  it('asks each session’s next request its gap after the answer, however long that took', () => {
    // Gaps of session a: 3, 2, 1, 2 s; of b: 1.5 s. Each answer takes 10 s.
    expect(table(served(replayed(agents), 10 * second))).toEqual([
      [0, 0, 0, 200],
      [0, 1, 0, 70],
      [11.5, 1, 1, 150],
      [13, 0, 1, 330],
      [25, 0, 2, 130],
      [36, 0, 3, 200],
      [48, 0, 4, 340],
    ]);
  });

  it('starts sessions when the scenario says, in the order of the trace, and each once', () => {
    const source = workload({kind: 'replay', trace: agents, arrivals: {process: 'closed-loop', sessions: 1}}, {limit: {}});
    expect(table(served(source, 10 * second)).filter(([, , turn]) => turn === 0)).toEqual([
      [0, 0, 0, 200],
      [58, 1, 0, 70],
    ]);
    // 7 requests of 2 sessions: 0.35 req/s are 0.1 session/s.
    for (const rate of [{rate: 0.1, of: 'session'} as const, {rate: 0.35, of: 'request'} as const]) {
      const open = workload({kind: 'replay', trace: agents, arrivals: {process: 'constant', ...rate}}, {limit: {}});
      expect(table(served(open, second)).filter(([, , turn]) => turn === 0)).toEqual([
        [10, 0, 0, 200],
        [20, 1, 0, 70],
      ]);
    }
  });

  it('shares whole blocks exactly where the prompts’ recorded blocks are the same', () => {
    const arrivals = served(replayed(agents, {blockSize: 64}), second);
    const [first, second_, , , last] = arrivals.filter(({session}) => session === 0).map(idsOf);
    // 200 tokens are 3 recorded blocks and 8 tokens over; the answer of 20 shares their block with nobody.
    expect(first).toHaveLength(4);
    expect(second_.slice(0, 3)).toEqual(first.slice(0, 3));
    expect(second_).not.toContain(first[3]);
    // 340 tokens: blocks 1 to 4 as before, then another.
    expect(last.slice(0, 4)).toEqual(second_.slice(0, 4));
    expect(second_).not.toContain(last[4]);
  });

  it('gives the ids of a session back when it has ended, because no other uses them', () => {
    const source = replayed(agents, {blockSize: 64});
    const arrivals = served(source, second);
    const ids = new Set(arrivals.filter(({session}) => session === 0).flatMap(idsOf));
    for (const id of ids) expect(source.ids.owner(id)).toBe(0);
    const range = source.released(0);
    for (const id of ids) expect(id >= range.base && id < range.base + range.count).toBe(true);
  });

  it('keeps ids that several sessions use, and comes at recorded times, but not before the answer', () => {
    const chains = recorded('lmcache-agent.jsonl');
    const source = replayed(chains);
    const arrivals = served(source, 2 * second);
    // Session 0 asks at 0 and 1 s, and is answered after 2; session 1 at 0.5 and 1.25 s.
    expect(arrivals.map(({time, session, turn}) => [time / second, session, turn])).toEqual([
      [0, 0, 0],
      [0.5, 1, 0],
      [2, 0, 1],
      [2.5, 1, 1],
      [3, 2, 0],
    ]);
    const owner = (session: number) => idsOf(arrivals.find((arrival) => arrival.session === session)!).map((id) => source.ids.owner(id));
    // 3 recorded ids: the first two are also in session 2, the third only here; then a block for the rest and the answer.
    expect(owner(0)).toEqual([-1, -1, 0, 0]);
    expect(owner(2)).toEqual([-1, -1, 2, 2]);
  });
});
