import {describe, expect, it} from 'vitest';
import {askedAtOnce} from '../../../src/sim/memory/asked-at-once.js';
import {studyHits} from '../../../src/sim/memory/hit-study.js';
import {build} from '../../../src/sim/scenario/build.js';
import {cacheMemories} from '../../../src/sim/scenario/cache-memories.js';
import {planMemory} from '../../../src/sim/scenario/plan.js';
import {simulate} from '../../../src/sim/scenario/simulate.js';
import type {WorkloadConfig} from '../../../src/sim/workload/workload.js';
import {chat, load} from '../../support/scenario-text.js';
import {constant, workload} from '../../support/workloads.js';

const engine = {blockSize: 16, maxModelLen: 1000};
const arrivals = {process: 'constant', rate: 1, of: 'session'} as const;
const turns: WorkloadConfig = {
  kind: 'chat',
  arrivals,
  turns: constant(2),
  thinkTime: constant(1.5),
  userTokens: constant(32),
  outputTokens: constant(17),
  sharedPrefixes: null,
};
const sessions = (count: number) => ({limit: {sessions: count}});
const rowsOf = ({trace}: ReturnType<typeof askedAtOnce>) =>
  Array.from({length: trace.rows}, (_, row) => [...trace.ids.subarray(trace.offsets[row], trace.offsets[row + 1])]);

describe('a workload that is answered at once', () => {
  it('has a row a request in order of arrival: whole blocks of the prompt, then of the answer, by first use', () => {
    const asked = askedAtOnce(workload(turns, sessions(2)), engine);
    const {trace, lookups, tooLong} = asked;
    const start = trace.times[0];
    expect([...trace.times].map((time) => (time - start) / 1e9)).toEqual([0, 1, 1.5, 2.5]);
    expect([...trace.sessions!]).toEqual([0, 1, 0, 1]);
    expect([...trace.inputs]).toEqual([32, 32, 81, 81]);
    // Of 32 + 17 tokens all but the last are kept: three blocks, two of them asked for. Then of 81 + 17: six, five asked for.
    expect(rowsOf(asked)).toEqual([
      [0, 1, 2],
      [3, 4, 5],
      [0, 1, 2, 6, 7, 8],
      [3, 4, 5, 9, 10, 11],
    ]);
    expect([lookups, tooLong, trace.distinct, trace.blockSize]).toEqual([2 + 2 + 5 + 5, 0, 12, 16]);
  });

  it('counts shares of what prompts ask for, so that answers are kept and are no misses', () => {
    const {trace, lookups} = askedAtOnce(workload(turns, sessions(2)), engine);
    const study = studyHits(trace, new Map(), [100], 1, lookups);
    expect([study.accesses, study.ceiling.hits]).toEqual([14, 6]);
  });

  it('keeps rows of which nothing can be shared, between others', () => {
    const mixed: WorkloadConfig = {
      kind: 'streams',
      streams: [
        {name: 'a', class: 'a', traffic: turns as never},
        {
          name: 'b',
          class: 'b',
          traffic: {
            kind: 'lengths',
            arrivals: {process: 'constant', rate: 1, of: 'request'},
            inputTokens: constant(40),
            outputTokens: constant(1),
            sharedPrefixes: null,
          },
        },
      ],
    };
    const asked = askedAtOnce(workload(mixed, {limit: {duration: 2.2}}), engine);
    expect(rowsOf(asked).map((ids) => ids.length)).toEqual([3, 0, 3, 0]);
    expect(asked.lookups).toBe(2 + 2 + 2 + 2);
  });

  it('lets sessions in rounds wait for each other', () => {
    const rounds: WorkloadConfig = {...turns, arrivals: {process: 'rounds', sessions: 3, inFlight: 2, rate: 10}} as never;
    const {trace} = askedAtOnce(workload(rounds, {limit: {}}), engine);
    expect([...trace.inputs]).toEqual([32, 32, 32, 81, 81, 81]);
    expect([...trace.sessions!].slice(0, 3).sort()).toEqual([0, 1, 2]);
  });

  it('leaves out what is longer than the context, with the rest of its session, and cuts answers', () => {
    const {trace, tooLong} = askedAtOnce(workload({...turns, turns: constant(3)} as never, sessions(1)), {blockSize: 16, maxModelLen: 90});
    // Turns of 32, 81 and 130 tokens; the second answer has room for nine.
    expect([[...trace.inputs], [...trace.outputs], tooLong]).toEqual([[32, 81], [17, 9], 1]);
  });

  it('hits as often without end as a run whose caches never forget', async () => {
    const scenario = await load({'a.yaml': `${chat}run: {sessions: 30, warmup: 0}\n`});
    const plan = planMemory(scenario);
    const {workload: source, config} = build(scenario, plan, {replication: 0});
    const {trace, lookups} = askedAtOnce(source, {blockSize: config.kv.blockSize, maxModelLen: config.maxModelLen});
    const {requests} = simulate(scenario, plan, {replication: 0});
    const {ceiling} = studyHits(trace, new Map(), [1000], 10, lookups);
    expect(trace.rows).toBe(requests.rows);
    expect(ceiling.hits).toBeGreaterThan(1000);
    expect(ceiling.hits * 16).toBe(requests.hitInfinite.reduce((sum, tokens) => sum + tokens, 0));
  });

  it('refuses what shares nothing, what never comes, and what never lets time go on', () => {
    const lengths = {kind: 'lengths', inputTokens: constant(40), outputTokens: constant(1)} as const;
    const alone = {...lengths, arrivals: {process: 'constant', rate: 1, of: 'request'}, sharedPrefixes: null} as const;
    expect(() => askedAtOnce(workload(alone), engine)).toThrow(/no block of it can be shared/);
    expect(() => askedAtOnce(workload(turns, sessions(1)), {blockSize: 16, maxModelLen: 20})).toThrow(/no request arrives .* fits/);
    const shared = {count: 1, tokens: constant(32), popularity: {dist: 'uniform'}} as const;
    const closed = {...lengths, arrivals: {process: 'closed-loop', sessions: 1}, sharedPrefixes: shared} as const;
    expect(() => askedAtOnce(workload(closed, {limit: {duration: 1}}), engine)).toThrow(/1000000 requests follow each other at 0 s/);
  });
});

describe('the memories of a scenario as sizes', () => {
  const plan = {
    kvBlocks: 10,
    tiers: [
      {memory: 'dram', sizeBytes: 0, kvBytes: 0, kvBlocks: 80, kvTokens: 0},
      {memory: 'page-cache', sizeBytes: 0, kvBytes: 0, kvBlocks: 0, kvTokens: 0},
      {memory: 'ssd', scope: 'host', sizeBytes: 0, kvBytes: 0, kvBlocks: 640, kvTokens: 0},
    ],
  } as const;

  it('are those of all replicas together, what they share once, and nothing that has no room', () => {
    expect(cacheMemories({cluster: {replicas: 3, router: 'round-robin'}}, plan)).toEqual([
      {memory: 'hbm', blocks: 30},
      {memory: 'dram', blocks: 240},
      {memory: 'ssd', blocks: 640},
    ]);
  });
});
