import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {afterAll, describe, expect, it} from 'vitest';
import {factoryOf} from '../../../src/policies/eviction/eviction.js';
import {evictionPolicies} from '../../../src/policies/eviction/index.js';
import {hitCandidates, hitTable} from '../../../src/sim/memory/candidates.js';
import {hitCsv, hitDocument} from '../../../src/sim/memory/hit-document.js';
import {hitStudyLines} from '../../../src/sim/memory/hit-lines.js';
import {studyHits} from '../../../src/sim/memory/hit-study.js';
import {liveBlocks} from '../../../src/sim/memory/live-blocks.js';
import {parseCandidates} from '../../../src/sim/memory/parse-candidates.js';
import {streamHits} from '../../../src/sim/memory/stream-hits.js';
import {tierHits} from '../../../src/sim/memory/tier-hits.js';
import {TraceFacts} from '../../../src/sim/memory/trace-facts.js';
import {readTrace} from '../../../src/sim/traces/index.js';
import {openRows} from '../../../src/sim/traces/load.js';
import {noSharedData, sharedData} from '../../support/shared-data.js';
import {mooncakeText, mooncakeTrace} from '../../support/traces.js';

const folder = mkdtempSync(join(tmpdir(), 'tiercast-hits-'));
afterAll(() => rmSync(folder, {recursive: true, force: true}));

// Three requests a second apart: a chain 0 1, a chain 0 2 3, and 0 1 again.
const rows = [
  [0, 1024, 1, [0, 1]],
  [1000, 1536, 1, [0, 2, 3]],
  [2000, 1024, 1, [0, 1]],
] as const;
const trace = mooncakeTrace(rows);
const subject = {
  file: 'made.jsonl',
  format: 'mooncake',
  requests: 3,
  accesses: 7,
  distinct_blocks: 4,
  block_tokens: 512,
  partial_blocks: true,
};

describe('live blocks', () => {
  it('are those that were read and are read again: their most is what a perfect predictor needs', () => {
    // After 0 1 both come again; after 0 2 3 still both; 2 and 3 never do.
    const {most, points} = liveBlocks(trace, 1.5);
    expect(most).toBe(2);
    expect(points.map(({seconds, recent, live}) => [seconds, recent, live])).toEqual([
      [0, 2, 2],
      [1, 4, 2],
      [2, 4, 0],
    ]);
    expect(liveBlocks(trace, 0.5).points.map(({recent}) => recent)).toEqual([2, 3, 2]);
  });

  it('with that room Belady, when it may bypass, hits all that an infinite cache hits, and with one block less it does not', () => {
    const bypass = new Map([['b', hitCandidates['belady-bypass']]]);
    expect(hitTable(trace, bypass, [1, 2])[0].hits).toEqual([2, 3]);
  });
});

describe('a study', () => {
  const study = studyHits(trace, new Map([['arc', hitCandidates['arc']]]), [1, 3], 1.5);

  it('adds lru, Belady and the infinite cache, and the size that a perfect predictor needs', () => {
    expect(study.sizes).toEqual([1, 2, 3]);
    expect(study.policies.map(({policy, bound}) => [policy, bound])).toEqual([
      ['arc', false],
      ['lru', false],
      ['belady', true],
      ['infinite', true],
    ]);
    // 0 1 0 2 3 0 1 in two blocks: lru hits the second 0; Belady, which must take 2 and 3 in, the second and third, and so does arc, where the 0 read twice is safe from 2 and 3.
    expect(study.policies.map(({policy, hits}) => [policy, hits[1]])).toEqual([
      ['arc', 2],
      ['lru', 1],
      ['belady', 2],
      ['infinite', 3],
    ]);
  });

  it('says what share of the way from lru to Belady a policy goes', () => {
    const closed = Object.fromEntries(study.policies.map(({policy, gapClosed}) => [policy, gapClosed[1]]));
    expect(closed).toEqual({arc: 1, lru: 0, belady: 1, infinite: 2});
    expect(study.policies[1].gapClosed[0]).toBeNull(); // one block: both hit nothing
  });

  it('counts reuse distances: 0 after 1, 0 after 2 3, 1 after 0 2 3', () => {
    expect(study.distances).toMatchObject({p50: 2, max: 3});
    expect(study.distanceBins).toEqual([
      {blocks: 1, accesses: 1},
      {blocks: 2, accesses: 1},
      {blocks: 4, accesses: 1},
    ]);
    expect(study.ceiling).toEqual({hits: 3, lruBlocks: 4, predictorBlocks: 2});
  });

  it('is printed as a table, and written as CSV', () => {
    const document = hitDocument('0.1.0', subject, study, null);
    expect(hitStudyLines(document)).toEqual([
      '3 requests · 7 block accesses of 512 tokens · 4 distinct · a partial last block counts as an access',
      'blocks            1        2        3',
      'arc            0.00    28.57    28.57',
      'lru            0.00    14.29    28.57',
      'belady         0.00    28.57    42.86',
      'infinite  42.86 %: a perfect predictor needs 2 blocks for it, lru 4',
      'gap       14.3 points from lru to Belady with 2 blocks; of it close: arc 100.0 %',
      'reuse     distance p50 2 · p90 3 · p99 3 · max 3 different blocks',
      'in use    at most 4 blocks read within 1.5 s · at most 2 that are read again',
    ]);
    expect(hitCsv(document).split('\n').slice(0, 3)).toEqual([
      'policy,bound,blocks,hits,share,gap_closed_share',
      'arc,false,1,0,0,',
      'arc,false,2,2,0.285714286,1',
    ]);
  });
});

it('of memories one below the other the first that has a block answers', () => {
  // One block: the second access to 0 misses; two: hits it. Three in all: also the third 0.
  const hits = tierHits(trace, factoryOf('lru', evictionPolicies.lru), [1, 2, 3, 4]);
  expect(hits).toEqual([
    {capacity: 1, hits: 0},
    {capacity: 2, hits: 1},
    {capacity: 3, hits: 1},
    {capacity: 4, hits: 1},
  ]);
});

describe('what a trace tells of its blocks', () => {
  // 0 1 2 goes on as 0 1 2 3; 0 1 4 is another session that shares 0 1.
  const facts = new TraceFacts(
    mooncakeTrace([
      [0, 1536, 1, [0, 1, 2]],
      [1000, 1536, 1, [0, 1, 4]],
      [2000, 2048, 1, [0, 1, 2, 3]],
    ]),
  );

  it('knows which block a block follows, and how deep it is', () => {
    expect([0, 1, 2, 3, 4].map(facts.parent)).toEqual([-1, 0, 1, 1, 2]);
    expect([0, 1, 2, 3, 4].map(facts.depth)).toEqual([0, 1, 2, 2, 3]);
  });

  it('takes a prompt that holds all whole blocks of an earlier one for its next turn, and blocks of two sessions for shared', () => {
    // Dense ids: 0 1 2 as written, 4 became 3, 3 became 4.
    expect([0, 1, 2, 3, 4].map(facts.session)).toEqual([-1, -1, 0, 1, 0]);
  });
});

describe('a streamed trace', () => {
  const names = 'lru,arc,leaf-lru,ewma,w-tinylfu,random';
  const many = Array.from(
    {length: 400},
    (_, i) => [i * 100, 1024 + 512 * (i % 4), 1, [0, ...Array.from({length: 1 + (i % 4)}, (_, k) => 1 + ((i * 7 + k * k) % 90))]] as const,
  );

  it.each(['text', 'gzip'])('gives the same hits as one that is read whole, as %s', async (kind) => {
    const path = join(folder, kind);
    const text = mooncakeText(many);
    writeFileSync(path, kind === 'gzip' ? gzipSync(text) : text);
    const source = await openRows(path, 'made');
    const candidates = parseCandidates(`${names},belady`, '--policies');
    const streamed = streamHits(source, candidates, [3, 20, 60]);
    source.close();
    const whole = mooncakeTrace(many);
    expect(streamed).toMatchObject({requests: 400, accesses: whole.ids.length, distinct: whole.distinct});
    expect(streamed.policies).toEqual(hitTable(whole, parseCandidates(names, ''), [3, 20, 60]));
  });

  it('names the place of what is wrong, also beyond the first piece of a large file', async () => {
    const path = join(folder, 'wrong');
    const text = mooncakeText([...many, ...many, ...many, ...many, ...many, ...many, ...many, ...many]);
    const lines = `${text}\n`.repeat(8).split('\n');
    lines[25_000] = '{"timestamp": 1, "input_length": 600, "output_length": 1, "hash_ids": [1]}';
    writeFileSync(path, lines.join('\n'));
    const source = await openRows(path, 'made');
    expect(() => streamHits(source, parseCandidates('lru', ''), [3])).toThrow(
      /^made:25001:59 hash_ids: 1 ids cover 512 of 600 prompt tokens/,
    );
  });
});

describe('policies on the command line', () => {
  it('take parameters, and an unknown name or value is refused with the nearest', () => {
    expect(parseCandidates('ewma:alpha=0.5:overdue=leave', '--policies').get('ewma:alpha=0.5:overdue=leave')?.params).toEqual({
      alpha: 0.5,
      overdue: 'leave',
    });
    const refused = (text: string) => () => parseCandidates(text, '--policies');
    expect(refused('siev')).toThrow('--policies: unknown eviction policy or bound "siev" (did you mean "sieve"?)');
    expect(refused('ewma:alpa=0.5')).toThrow('--policies: unknown parameter of ewma "alpa" (did you mean "alpha"?); known: alpha, overdue');
    expect(refused('ewma:alpha=2')).toThrow('--policies: alpha of ewma: 2 is not a share from 0 to 1');
    expect(refused('ewma:overdue=go')).toThrow('--policies: unknown overdue of ewma "go"; known: leave, stay');
    expect(refused('lru:k=2')).toThrow('--policies: lru has no parameter "k": it takes none');
    expect(refused('clock:bits=')).toThrow('--policies: "bits=" is no parameter like alpha=0.5');
  });
});

describe.skipIf(noSharedData !== null)(`the Mooncake trace${noSharedData === null ? '' : ` (skipped: ${noSharedData})`}`, () => {
  it('has its ceiling of 36.64 % with 8,138 blocks for a perfect predictor, where lru has 17.96 %', () => {
    const found = readTrace(sharedData('traces/mooncake_conversation.jsonl.gz'), 'm');
    const study = studyHits(found, parseCandidates('ewma,predicted,s3-fifo,arc', ''), [1000], 100);
    expect(study.ceiling).toEqual({hits: 105_710, lruBlocks: 158_282, predictorBlocks: 8138});
    const at = Object.fromEntries(study.policies.map(({policy, hits, gapClosed}) => [policy, [hits[1], gapClosed[1]]]));
    expect(at).toMatchObject({
      lru: [51_821, 0],
      belady: [105_709, 1],
      predicted: [51_821, 0],
      arc: [56_085, (56_085 - 51_821) / (105_709 - 51_821)],
      's3-fifo': [51_613, (51_613 - 51_821) / (105_709 - 51_821)],
    });
    expect(at.ewma[1]).toBeLessThan(0);
  });
});
