import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {stream} from '../../../src/sim/core/random.js';
import {readTrace} from '../../../src/sim/traces/index.js';
import {reuseDistances} from '../../../src/sim/traces/reuse-distances.js';
import {describeTrace} from '../../../src/sim/traces/statistics.js';
import {noSharedData, sharedData} from '../../support/shared-data.js';

const golden = (name: string) => readTrace(readFileSync(`test/golden/traces/${name}`), name);
const seconds = (times: Float64Array) => [...times].map((time) => time / 1e9);
const rowIds = ({offsets, ids}: {offsets: Int32Array; ids: Int32Array}, row: number) => [...ids.subarray(offsets[row], offsets[row + 1])];
const changed = (name: string, from: string, to: string) => () =>
  readTrace(new TextEncoder().encode(readFileSync(`test/golden/traces/${name}`, 'utf8').replace(from, to)), 't');

describe('kv-cache-tester: a session a line', () => {
  const trace = golden('kv-cache-tester.jsonl');

  it('gives rows in order of time, all sessions from 0, a subagent’s calls between those of its session', () => {
    // The subagent was done at 12 s and took 4 s: its calls came at 8 and 10 s.
    expect(seconds(trace.times)).toEqual([0, 0, 1.5, 5, 8, 10, 13]);
    expect([...trace.sessions!]).toEqual([0, 1, 1, 0, 0, 0, 0]);
    expect([...trace.inputs]).toEqual([200, 70, 150, 330, 130, 200, 340]);
    expect([...trace.outputs]).toEqual([20, 1, 7, 10, 5, 5, 1]); // an answer of 0 tokens counts as 1
  });

  it('takes the think time after the same agent’s answer, and the times after another’s', () => {
    // 5 s: think 3. 8 s: the call of 5 s took 1. 10 s: think 1. 13 s: the subagent's call of 10 s took 1. 1.5 s: no answer is timed.
    expect(seconds(trace.gaps!)).toEqual([0, 0, 1.5, 3, 2, 1, 2]);
  });

  it('keeps ids local to their session, in runs or in a list, one a whole block of 64 tokens', () => {
    expect(trace.blockSize).toBe(64);
    expect(rowIds(trace, 0)).toEqual([0, 1, 2]);
    expect(rowIds(trace, 3)).toEqual([0, 1, 2, 3, 4]);
    expect(rowIds(trace, 6)).toEqual([0, 1, 2, 3, 8]);
    expect(rowIds(trace, 2)).toEqual([9, 10]); // session b's own, though a has an id 1 too
    expect(trace.distinct).toBe(11);
  });

  it('measures sessions: turns, gaps, and what an earlier request of the session had', () => {
    // Session a: 3 + 5 + 2 + 3 + 5 ids, of which 3 + 2 + 4 were there; b: 1 + 2, of which 1.
    expect(describeTrace(trace).sessions).toMatchObject({
      count: 2,
      turns: {mean: 3.5, min: 2, max: 5},
      gaps: {min: 1, max: 3, p50: 2},
      gapsFrom: 'answer',
      accesses: 21,
      seenBefore: 10,
    });
  });

  it.each([
    ['"block_size":64', '"block_size":16', 't:1:12 block_size: 16 tokens an id; only 64 is read'],
    ['"in":330', '"in":400', 't:1:197 h: 5 ids cover 320 of 400 prompt tokens; floor(400 / 64) = 6 are needed'],
    ['{"t":5.0', '{"t":-5.0', 't:1:76 t: -5 is no number from 0 on'],
    ['{"t":13.0', '{"t":3.0', 't:1:76 t: 9 s before the request above; requests of a session are in order of time'],
    ['[[1,5]]', '[[1,0]]', 't:1:135 h: [1,0] is no [first id, count] of whole numbers, the count at least 1'],
  ])('refuses %s written as %s', (from, to, message) => {
    expect(changed('kv-cache-tester.jsonl', from, to)).toThrow(message.replace(/^t:1:\d+ /, ''));
    expect(changed('kv-cache-tester.jsonl', from, to)).toThrow(/^t:1:\d+ /);
  });
});

describe('lmcache-agent: characters', () => {
  const trace = golden('lmcache-agent.jsonl');

  it('takes 4 characters for a token, and 16 tokens a block', () => {
    expect([...trace.inputs]).toEqual([50, 32, 82, 65, 50]);
    expect([...trace.outputs]).toEqual([10, 1, 2, 2, 10]);
    expect(trace.blockSize).toBe(16);
    expect(seconds(trace.times)).toEqual([0, 0.5, 1, 1.25, 3]);
    expect(trace.gaps).toBeNull(); // when an answer ended was not recorded
  });

  it('shares ids between sessions, and tells the kinds apart', () => {
    expect([...trace.sessions!]).toEqual([0, 1, 0, 1, 2]);
    expect(trace.kinds).toEqual({names: ['coder', 'tools'], of: Uint8Array.of(0, 1, 0, 1, 0)});
    // coder: 3 + 5 + 3 ids, of which 0 + 3 + 2 were there; tools: 2 + 4, of which 1 + 2.
    expect(describeTrace(trace).kinds).toEqual([
      {name: 'coder', rows: 3, accesses: 11, hits: 5},
      {name: 'tools', rows: 2, accesses: 6, hits: 3},
    ]);
  });

  it('refuses a row without its session', () => {
    expect(changed('lmcache-agent.jsonl', ',"session":"x"', '')).toThrow(/^t:1 session: missing/);
  });
});

it('reuse distances are those of a list in which each use moves its block to the front', () => {
  const random = stream(5, 'test/distances');
  const whole = (below: number) => Math.floor(random() * below);
  for (let trial = 0; trial < 60; trial++) {
    const distinct = 2 + whole(40);
    const offsets = Int32Array.from([0, ...Array.from({length: 30}, () => 1 + whole(12))]).map(
      (
        (sum) => (count: number) =>
          (sum += count)
      )(0),
    );
    const ids = new Int32Array(offsets[30]);
    for (let row = 0; row < 30; row++) {
      const first = whole(distinct);
      // Runs, as chains have them, and now and then anything.
      for (let i = offsets[row]; i < offsets[row + 1]; i++)
        ids[i] = random() < 0.8 ? (first + i - offsets[row]) % distinct : whole(distinct);
    }
    const list: number[] = [];
    const expected: number[] = [];
    for (const id of ids) {
      const place = list.indexOf(id);
      if (place >= 0) {
        expected.push(place);
        list.splice(place, 1);
      }
      list.unshift(id);
    }
    const distances = reuseDistances({rows: 30, offsets, ids, distinct});
    expect(distances.total).toBe(expected.length);
    const sizes = [0, 1, 2, 5, 10, 20, 40];
    expect(distances.within(sizes)).toEqual(sizes.map((size) => expected.filter((distance) => distance <= size).length));
    expect(distances.quantile(1)).toBe(Math.max(...expected));
  }
});

describe.skipIf(noSharedData !== null)(`recorded agents (${noSharedData ?? 'from ../shared'})`, () => {
  it('of 415 coding sessions, 96.2 % of blocks were in an earlier request of their session', () => {
    const trace = readTrace(sharedData('traces/agentic_claude_code.jsonl.gz'), 'agentic');
    const {sessions, reuse} = describeTrace(trace);
    expect([trace.format, trace.rows, sessions!.count]).toEqual(['kv-cache-tester', 27_616, 415]);
    expect([sessions!.accesses, sessions!.seenBefore]).toEqual([50_055_358, 48_156_577]);
    expect(reuse!.hits).toBe(sessions!.seenBefore); // ids are local: nothing else can hit
    expect(sessions!.seenBefore / sessions!.accesses).toBeCloseTo(0.962, 3);
  });

  it('LMCache’s three kinds hit a cache without end with 93.7, 86.6 and 84.1 % of their blocks', () => {
    const {kinds} = describeTrace(readTrace(sharedData('traces/lmcache_agent_chains.jsonl.gz'), 'chains'));
    const share = Object.fromEntries(kinds.map(({name, hits, accesses}) => [name, Number(((100 * hits) / accesses).toFixed(1))]));
    expect(share).toEqual({miniswe: 93.7, taubench: 86.6, magagent: 84.1});
  });
});
