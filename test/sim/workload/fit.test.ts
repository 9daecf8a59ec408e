import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {loadScenario} from '../../../src/sim/scenario/load.js';
import {chainedIds} from '../../../src/sim/traces/chained.js';
import {readTrace} from '../../../src/sim/traces/index.js';
import {scaleTrace} from '../../../src/sim/traces/scale.js';
import type {Trace} from '../../../src/sim/traces/trace.js';
import {fitLines, fitNotes} from '../../../src/sim/workload/fit/describe.js';
import {drawn} from '../../../src/sim/workload/fit/draw.js';
import {fitted} from '../../../src/sim/workload/fit/fit.js';
import {fitQuality} from '../../../src/sim/workload/fit/quality.js';
import {fitFiles} from '../../../src/sim/workload/fit/write.js';
import type {Traffic, WorkloadConfig} from '../../../src/sim/workload/workload.js';
import {type MadeRow, madeTrace} from '../../support/made-trace.js';
import {noSharedData, sharedData} from '../../support/shared-data.js';

const constant = (value: number) => ({dist: 'constant', value}) as const;
const agent = (workload: WorkloadConfig) => workload as Extract<Traffic, {kind: 'agent'}>;
const values = (distribution: unknown) => [...new Set((distribution as {values: Float64Array}).values)];

/** Two conversations of two turns: 8 tokens and an answer of 3, then 20 s later 16; 12 and 3, then 30 s later 24. */
const twoTalks: readonly MadeRow[] = [
  {at: 0, ids: [0, 1], output: 3},
  {at: 10, ids: [10, 11, 12], output: 3},
  {at: 20, ids: [0, 1, 2, 3], output: 5},
  {at: 40, ids: [10, 11, 12, 13, 14, 15], output: 5},
];

describe('a fit', () => {
  it('takes turns, first prompts, what is added, gaps and answers from the conversations', () => {
    const {workload, sessions} = fitted(madeTrace(twoTalks));
    expect(sessions).toBe(2);
    const traffic = agent(workload);
    expect(traffic).toMatchObject({kind: 'agent', steps: constant(2), sharedPrefixes: null});
    expect(values(traffic.userTokens)).toEqual([8, 12]);
    expect(values(traffic.toolResultTokens)).toEqual([16 - 8 - 3, 24 - 12 - 3]);
    expect(values(traffic.toolTime)).toEqual([20, 30]);
    expect(values(traffic.outputTokens)).toEqual([3, 5]);
    expect(traffic.arrivals).toEqual({process: 'gamma', rate: 2 / 10, cv: 1, of: 'session'});
  });

  it('is lengths where no prompt extends another', () => {
    const {workload} = fitted(madeTrace(twoTalks.slice(0, 2)));
    expect(workload).toMatchObject({kind: 'lengths', outputTokens: constant(3)});
  });

  it('takes the gap from the answer where gaps were recorded, and keeps as many open as on average', () => {
    // 0: 0 … 2 answer … 8, 1: 0 … 1 answer … 5. Answers take 2 and 1 s; the last ones their mean. Open: (8 + 1.5 + 5 + 1.5) / 9.5.
    const rows = [
      {at: 0, ids: [0, 1], session: 0, gap: 0},
      {at: 0, ids: [10], session: 1, gap: 0},
      {at: 5, ids: [10, 11], session: 1, gap: 4},
      {at: 8, ids: [0, 1, 2], session: 0, gap: 6},
    ];
    const fit = fitted(madeTrace(rows));
    expect(values(agent(fit.workload).toolTime)).toEqual([4, 6]);
    expect(fit.answer).toBe(1.5e9);
    expect(agent(fit.workload).arrivals).toEqual({process: 'closed-loop', sessions: 2});
    expect(fit.recorded.arrivals).toEqual({process: 'closed-loop', sessions: 2});
  });

  it('where next prompts drop answers, adds less elsewhere, so that prompts grow as much on average', () => {
    const rows = [
      {at: 0, ids: [0], output: 7}, // grows by 4: 3 less than the answer
      {at: 1, ids: [0, 1], output: 1}, // grows by 12: 11 more
      {at: 2, ids: [0, 1, 2, 3, 4], output: 1},
    ];
    // -3 and 11 are 8 together; 1 and 11 are 12, so a factor of 2/3: 0.67 → 1 and 7.33 → 7.
    expect(values(agent(fitted(madeTrace(rows)).workload).toolResultTokens)).toEqual([1, 7]);
  });

  it('gives conversations that begin with one text a stream of their own, if it is ten of them and one in twenty', () => {
    const alike = (count: number, first: number, start: number) =>
      Array.from({length: count}, (_, i) => ({at: start + i, ids: [first, first + 1, 1000 + 10 * (start + i)], output: 2}));
    const streams = (count: number) => fitted(madeTrace([...alike(12, 0, 0), ...alike(count, 50, 100)])).workload;
    expect(streams(10)).toMatchObject({
      kind: 'streams',
      streams: [
        {name: 'prefix-1', traffic: {kind: 'lengths', sharedPrefixes: {count: 1, tokens: constant(8)}, inputTokens: constant(4)}},
        {name: 'prefix-2', traffic: {kind: 'lengths', sharedPrefixes: {count: 1, tokens: constant(8)}, inputTokens: constant(4)}},
      ],
    });
    expect(streams(9)).toMatchObject({streams: [{name: 'prefix-1'}, {name: 'other', traffic: {sharedPrefixes: null}}]});
  });
});

describe('drawing', () => {
  const config: WorkloadConfig = {
    kind: 'agent',
    arrivals: {process: 'constant', rate: 0.1, of: 'session'},
    steps: constant(2),
    userTokens: constant(10),
    toolResultTokens: constant(4),
    outputTokens: constant(3),
    toolTime: constant(2),
    contextLimit: null,
    sharedPrefixes: null,
  };
  const options = {seed: 1, sessions: 2, blockSize: 4, partialIds: false, answer: 1e9};

  it('ends every answer after one time, and takes the ids of whole blocks', () => {
    const {times, inputs, offsets, ids, sessions} = drawn(config, options);
    expect([...times].map((time) => time / 1e9)).toEqual([10, 13, 20, 23]); // 1 s of answer, 2 s of tool
    expect([...inputs]).toEqual([10, 17, 10, 17]);
    expect([...offsets]).toEqual([0, 2, 6, 8, 12]);
    expect([...sessions]).toEqual([0, 0, 1, 1]);
    expect([...ids.subarray(0, 2)]).toEqual([...ids.subarray(2, 4)]);
  });

  it('gives the block in which a prompt ends an id that never comes again', () => {
    const {offsets, ids, distinct} = drawn(config, {...options, sessions: 1, partialIds: true});
    expect([...offsets]).toEqual([0, 3, 8]);
    expect(ids[2]).not.toBe(ids[5]);
    expect(new Set(ids).size).toBe(ids.length - 2);
    expect(Math.max(...ids)).toBeLessThan(distinct);
  });
});

describe('what is written', () => {
  it('is a scenario that loads as the workload that was fitted', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tiercast-fit-'));
    try {
      for (const name of ['synthetic-agents', 'synthetic-chat']) {
        const fit = fitted(bundled(name));
        const {yaml, csv} = fitFiles(fit, 1, `${name} {x}, 1.csv`, ['a head']);
        writeFileSync(join(folder, `${name}.yaml`), yaml);
        writeFileSync(join(folder, `${name} {x}, 1.csv`), csv!);
        const scenario = await loadScenario(join(folder, `${name}.yaml`));
        expect(scenario.workload).toEqual(fit.workload);
        expect(scenario.run).toMatchObject({sessions: fit.sessions, seed: 1});
      }
    } finally {
      rmSync(folder, {recursive: true});
    }
  });

  it('has a column for each quantity of each stream, and none for a constant', () => {
    const alike = Array.from({length: 20}, (_, i) => ({at: i, ids: [i % 2, 2 + i], output: 1 + i}));
    const {yaml, csv} = fitFiles(fitted(madeTrace(alike)), 1, 'q.csv', []);
    expect(yaml).toContain('    prefix-1:\n      kind: lengths\n');
    expect(yaml).toContain('      shared_prefixes: {count: 1, tokens: 4}\n      input_tokens: 4\n');
    expect(csv!.split('\n')[0]).toBe('prefix-1.output_tokens,prefix-2.output_tokens');
    expect(csv!.split('\n')).toHaveLength(1 + 1000 + 1);
  });
});

describe('how well it fits', () => {
  it('compares hits of LRU at the same sizes: a workload that cannot differ gives the trace again', () => {
    const talk = (at: number, id: number) => [
      {at, ids: [id, id + 1]},
      {at: at + 10, ids: [id, id + 1, id + 2, id + 3], output: 1},
    ];
    const trace = madeTrace([0, 100, 200, 300].flatMap((at) => talk(at, at / 10)));
    const fit = {...fitted(trace)};
    const {requests, hits, distances} = fitQuality(trace, fit, 1);
    expect(requests).toEqual({recorded: 8, fitted: 8});
    expect(hits!.at(-1)).toEqual({blocks: null, recorded: 8 / 24, fitted: 8 / 24});
    expect(hits!.map(({blocks}) => blocks)).toEqual([1, 3, 10, 30, null]);
    expect(hits![0]).toMatchObject({blocks: 1, recorded: 0});
    expect(hits![1]).toMatchObject({blocks: 3, recorded: 8 / 24}); // the two blocks come again with nothing between
    for (const {of, distance} of distances.slice(0, 3)) expect([of, distance]).toEqual([of, 0]);
  });

  it('counts what it cannot carry: beginnings of other conversations, and answers that were dropped', () => {
    const rows = [
      {at: 0, ids: [0, 1], output: 9}, // its next prompt grows by 4
      {at: 1, ids: [0, 1, 2]},
      {at: 2, ids: [0, 5]}, // begins with one block of the first
    ];
    const trace = madeTrace(rows);
    const quality = fitQuality(trace, fitted(trace), 1);
    expect(quality.missing).toEqual({branches: 1 / 7, dropped: 1});
    expect(fitNotes(trace, quality)).toEqual([
      expect.stringContaining('14.3 % of accesses hit because a conversation begins with a part of another one: not carried'),
      expect.stringContaining('100.0 % of next prompts do not hold the whole answer before'),
      expect.stringContaining('tool_time is from request to request'),
    ]);
  });

  it('says where it does not fit', () => {
    const trace = madeTrace(twoTalks);
    const quality = {
      requests: {recorded: 4, fitted: 4},
      distances: [{of: 'input tokens', distance: 0.11, recorded: 1, fitted: 2}],
      hits: [
        {blocks: 3, recorded: 0.5, fitted: 0.519},
        {blocks: 10, recorded: 0.5, fitted: 0.479},
      ],
      missing: {branches: 0, dropped: 0},
    };
    expect(fitLines(fitted(trace), quality)).toEqual([
      'agent · 2 conversations · 4 requests for 4',
      'input tokens               KS 0.110 · mean 1 recorded, 2 fitted  !! does not fit',
      'LRU hits, %, by blocks             3       10',
      '  recorded                     50.00    50.00',
      '  fitted                       51.90    47.90',
      '!! hits do not fit at 10 blocks',
    ]);
  });
});

describe.skipIf(noSharedData !== null)(`recorded traces${noSharedData === null ? '' : ` (skipped: ${noSharedData})`}`, () => {
  const judged = (name: string, limit: number | null = null) => {
    const trace = prepared(readTrace(sharedData(`traces/${name}`), name), limit);
    const fit = fitted(trace);
    return {fit, quality: fitQuality(trace, fit, 1)};
  };
  const apart = ({recorded, fitted: ours}: {recorded: number; fitted: number}) => Math.abs(ours - recorded);

  it('Mooncake’s conversations, found in the ids: lengths within 0.05, hits within 4 points at every size, 0.5 without end', () => {
    const {fit, quality} = judged('mooncake_conversation.jsonl.gz');
    expect(fit.workload).toMatchObject({kind: 'agent', sharedPrefixes: {tokens: constant(512)}});
    expect(quality.distances[0].distance).toBeLessThan(0.05);
    expect(quality.distances[1].distance).toBeLessThan(0.05);
    for (const pair of quality.hits!) expect(apart(pair)).toBeLessThan(0.04);
    expect(quality.hits!.at(-1)!.recorded).toBeCloseTo(0.3664, 4);
    expect(apart(quality.hits!.at(-1)!)).toBeLessThan(0.005);
  });

  it('coding agents: what is missing of the hits without end is what branches are', () => {
    const {quality} = judged('agentic_claude_code.jsonl.gz', 8000);
    const {recorded, fitted: ours} = quality.hits!.at(-1)!;
    expect(recorded).toBeGreaterThan(0.9);
    expect(Math.abs(recorded - ours - quality.missing.branches)).toBeLessThan(0.03);
  });

  it('agents that drop their answers: it says that prompts do not fit', () => {
    const {quality} = judged('lmcache_agent_chains.jsonl.gz');
    expect(quality.missing.dropped).toBeGreaterThan(0.8);
    expect(quality.distances[0].distance).toBeGreaterThan(0.1);
  });

  it('Azure’s lengths: no ids, so requests alone', () => {
    const {fit, quality} = judged('azure_llm_2023_conv.csv.gz');
    expect(fit.workload.kind).toBe('lengths');
    expect(quality.hits).toBeNull();
    for (const {of, distance} of quality.distances) expect([of, distance < 0.05]).toEqual([of, true]);
  });
});

function bundled(name: string): Trace {
  return prepared(readTrace(readFileSync(`scenarios/examples/${name}.jsonl`), name), null);
}

function prepared(trace: Trace, limit: number | null): Trace {
  return scaleTrace(chainedIds(trace), {rateScale: 1, dequantise: 'uniform', limit});
}
