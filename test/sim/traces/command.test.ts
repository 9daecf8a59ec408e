import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, expect, it, vi} from 'vitest';
import {run} from '../../../src/cli.js';
import {parseSizes} from '../../../src/sim/traces/sizes.js';

afterEach(() => vi.restoreAllMocks());

/** What the command line writes and returns. */
async function tiercast(...args: string[]): Promise<{code: number; out: string; err: string}> {
  const written = {out: '', err: ''};
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.out += text;
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.err += text;
    return true;
  });
  const code = await run(args);
  vi.restoreAllMocks();
  return {code, ...written};
}

const mooncake = 'test/golden/traces/mooncake.jsonl';
const azure = 'test/golden/traces/azure-2023.csv';

it('trace says what is in a file', async () => {
  const {code, out} = await tiercast('trace', mooncake);
  expect(code).toBe(0);
  expect(out.split('\n')).toEqual([
    'format      mooncake (by content) · rows 5 · span 0:05 · chained ids: yes · block 512',
    'input       mean 1,105 · p50 1,200 · p95 1,600 · min 100 · max 1,600 tokens',
    'output      mean 46 · p50 40 · p95 108 · min 1 · max 120 tokens',
    'arrivals    0.89 req/s · CV of gaps 1.11 · 1.5 s resolution',
    '            !! 2 of 5 rows share the time of the row before (steps of about 3 s): replaying as it is invents bursts → dequantise: uniform',
    'reuse       infinite-cache hit 57.14 % of blocks (8 of 14 accesses; a partial last block counts as one) · 70.00 % of whole blocks · 64.88 % of tokens, in whole blocks',
    '            6 distinct blocks of 512 tokens',
    '            reuse distance p50 3 · p90 4 · p95 4 · p99 4 · max 4 different blocks; p50 is 1,536 tokens of KV',
    'note        timestamp is read as milliseconds from the start',
    '',
  ]);
});

it('trace --hits prints the hits of policies and bounds by size', async () => {
  const {out} = await tiercast('trace', mooncake, '--hits', 'lru,belady,none,infinite', '--sizes', '2,4');
  // 0 1 2 0 1 0 1 3 4 5 0 1 3 4 in two blocks: LRU answers the 0 1 that follows 0 1 (2 of 14); in four, also the first 0 1 (4 of 14).
  expect(out).toContain(
    [
      'blocks             2         4',
      'lru          14.29 %   28.57 %',
      'belady       28.57 %   50.00 %',
      'none          0.00 %    0.00 %',
      'infinite     57.14 %   57.14 %',
      'hits of 14 block accesses',
    ].join('\n'),
  );
});

it('trace --json prints one document and nothing else', async () => {
  const {out, err} = await tiercast('trace', mooncake, '--json', '--hits', 'lru', '--sizes', '4', '--head', '1');
  expect(err).toBe('');
  expect(JSON.parse(out)).toMatchObject({
    schema: 'tiercast.trace/1',
    file: mooncake,
    format: 'mooncake',
    rows: 5,
    span_s: 4.5,
    block_tokens: 512,
    arrivals: {tied_rows: 2, tie_step_s: 3, resolution_s: 1.5},
    reuse: {accesses: 14, hits: 8, share: 0.571428571, whole_blocks: 10, whole_block_hits: 7},
    hits: [{policy: 'lru', blocks: 4, hits: 4, share: 0.285714286}],
    head: [{time_s: 0, input_tokens: 1200, output_tokens: 40, ids: 3}],
  });
});

it('a trace without ids says so, and --hits is refused', async () => {
  expect((await tiercast('trace', azure)).out).toContain('reuse       unknown: the trace has no block ids');
  expect(JSON.parse((await tiercast('trace', azure, '--json')).out)).toMatchObject({
    block_tokens: null,
    reuse: null,
    hits: null,
    head: null,
  });
  expect(await tiercast('trace', azure, '--hits', 'lru')).toEqual({
    code: 2,
    out: '',
    err: `--hits: ${azure} has no block ids (format azure), so nothing in it can hit; a Mooncake trace has them\n`,
  });
});

it('trace --head shows the first rows', async () => {
  const {out} = await tiercast('trace', azure, '--head', '2');
  expect(out).toContain(
    [
      '         row      time_s       input      output',
      '           1           0         374          44',
      '           2   0.7500001         396         109',
    ].join('\n'),
  );
});

it('trace --fit writes a scenario and its quantiles, says how well it fits, and overwrites nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tiercast-fit-'));
  const yaml = join(folder, 'like.yaml');
  try {
    const {code, out} = await tiercast('trace', 'scenarios/examples/synthetic-agents.jsonl', '--fit', yaml);
    expect(code).toBe(0);
    const lines = out.slice(out.indexOf('\nfit ') + 1).split('\n');
    expect(lines[0]).toBe(`fit         ${yaml}, ${join(folder, 'like.csv')}`);
    expect(lines[1]).toMatch(/^ {12}agent · 24 conversations · \d+ requests for 175$/);
    expect(out).toMatch(/\n {12}LRU hits, %, by blocks .* no end\n {12} {2}recorded .* 80\.29\n {12} {2}fitted /);
    const written = readFileSync(yaml, 'utf8');
    expect(written).toContain('# Fitted to synthetic-agents.jsonl by tiercast trace --fit.\n# agent · 24 conversations');
    expect((await tiercast('validate', yaml)).code).toBe(0);
    expect(await tiercast('trace', mooncake, '--fit', yaml)).toEqual({code: 2, out: '', err: `--fit: ${yaml} exists; name another file\n`});
    writeFileSync(join(folder, 'other.csv'), '');
    expect((await tiercast('trace', mooncake, '--fit', join(folder, 'other.yaml'))).code).toBe(2);
    expect(readFileSync(yaml, 'utf8')).toBe(written);
    expect(readdirSync(folder).sort()).toEqual(['like.csv', 'like.yaml', 'other.csv']);
  } finally {
    rmSync(folder, {recursive: true});
  }
});

it('trace --fit --json has the same figures', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tiercast-fit-'));
  try {
    const yaml = join(folder, 'like.yaml');
    const {fit} = JSON.parse((await tiercast('trace', 'scenarios/examples/synthetic-agents.jsonl', '--fit', yaml, '--json')).out);
    expect(fit).toMatchObject({files: [yaml, join(folder, 'like.csv')], sessions: 24, requests: {recorded: 175}});
    expect(fit.hits.at(-1)).toMatchObject({blocks: null, recorded: 0.802863543});
    expect(fit.distances.map(({of}: {of: string}) => of)).toContain('input tokens');
    expect(fit.missing.branches).toBeCloseTo(72 / 10_267, 6);
    expect(fit.notes).toHaveLength(2);
  } finally {
    rmSync(folder, {recursive: true});
  }
});

it.each([
  [[mooncake, '--fit', 'like.yml'], '--fit: like.yml does not end in .yaml; a scenario is written there\n'],
  [[mooncake, '--fit', 'no-such-folder/like.yaml'], '--fit: no-such-folder/like.csv cannot be written: '],
  [['no-such-file'], 'no-such-file cannot be read: there is no such file\n'],
  [[mooncake, '--hits', 'lrv'], '--hits: unknown eviction policy or bound "lrv" (did you mean "lru"?); known: '],
  [[mooncake, '--hits', 'lru', '--sizes', '1 GiB'], '--sizes: "1 GiB" is no list of block counts like 500,1000,50k or 500..50k\n'],
  [[mooncake, '--head', '0'], '--head: 0 is no whole number ≥ 1\n'],
])('trace %j is refused in one line', async (args, message) => {
  const {code, out, err} = await tiercast('trace', ...args);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(message);
  expect(err.trim().split('\n')).toHaveLength(1);
});

it('sizes are a list, or a range in steps of 1, 2, 5', () => {
  expect(parseSizes('1000, 500,1k')).toEqual([500, 1000]);
  expect(parseSizes('500..50k')).toEqual([500, 1000, 2000, 5000, 10_000, 20_000, 50_000]);
  expect(parseSizes('30..300,1M')).toEqual([30, 50, 100, 200, 300, 1_000_000]);
  expect(parseSizes('7..7')).toEqual([7]);
});

it.each(['', '0', '1.5', '5..', '1..2..3', '-3', '10..5', '3e9'])('sizes cannot be "%s"', (text) => {
  expect(() => parseSizes(text)).toThrow(/^--sizes: /);
});
