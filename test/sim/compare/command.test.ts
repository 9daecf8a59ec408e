import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {afterEach, beforeEach, expect, it, vi} from 'vitest';

// Each test starts the program, which a busy machine may take seconds for.
vi.setConfig({testTimeout: 60_000});

const program = resolve('dist/main.js');
const base = `model: llama-3.1-8b
hardware: {device: h100-sxm}
engine: vllm
workload: {kind: lengths, arrivals: 5 req/s, input_tokens: 500, output_tokens: 50}
slo: {ttft: 500 ms, tpot: 50 ms}
run: {requests: 200, seed: 3}
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tiercast-compare-'));
  writeFileSync(join(folder, 'before.yaml'), base);
  writeFileSync(join(folder, 'after.yaml'), 'extends: ./before.yaml\nmodel: {quantization: fp8}\nscheduler: {max_num_seqs: 64}\n');
});
afterEach(() => {
  rmSync(folder, {recursive: true, force: true});
});

/** Runs the built command line as a user does. */
function tiercast(...args: string[]): {status: number | null; stdout: string; stderr: string} {
  return spawnSync(program, args, {cwd: folder, encoding: 'utf8', env: {...process.env, NO_COLOR: '1'}});
}

it('prints what changed before the verdict and the table, and writes three files', () => {
  const {status, stdout, stderr} = tiercast('compare', 'before.yaml', 'after.yaml');
  expect(status, stderr).toBe(0);
  expect(stdout).toMatch(
    /^before {6}before: llama-3\.1-8b bf16 .*\nafter {7}after: llama-3\.1-8b fp8 .*\nchanged {5}model\.quantization\.default {2}bf16 → fp8\n/,
  );
  expect(stdout).toContain('scheduler.max_num_seqs  1,024 → 64'.replace(',', ''));
  expect(stdout).toMatch(/KV tokens {2}[\d,]+ → [\d,]+ {2}× 1\.\d/);
  expect(stdout).toMatch(/^TPOT p95 .* −\d+ % \(−\d+ … −\d+\) +better$/m);
  expect(stdout.indexOf('changed')).toBeLessThan(stdout.indexOf('TTFT p95'));
  expect(readdirSync(join(folder, 'tiercast-out/before-vs-after')).sort()).toEqual(['compare.html', 'comparison.csv', 'comparison.json']);
});

it('prints the bytes of comparison.json with --json and nothing else, and the same bytes again from elsewhere', () => {
  const {stdout} = tiercast('compare', 'before.yaml', 'after.yaml', '--json', '--out', 'one');
  expect(stdout).toBe(readFileSync(join(folder, 'one/comparison.json'), 'utf8'));
  expect(JSON.parse(stdout)).toMatchObject({
    schema: 'tiercast.comparison/1',
    command: 'tiercast compare before.yaml after.yaml',
    labels: ['before', 'after'],
    seed: 3,
  });
  mkdirSync(join(folder, 'deep'));
  spawnSync(program, ['compare', '../before.yaml', '../after.yaml', '--out', 'two', '-q'], {cwd: join(folder, 'deep')});
  for (const name of readdirSync(join(folder, 'one')))
    expect(readFileSync(join(folder, 'deep/two', name), 'utf8'), name).toBe(readFileSync(join(folder, 'one', name), 'utf8'));
});

it('runs all on the seed of the first, and says so', () => {
  const {stdout, stderr} = tiercast('compare', 'before.yaml', 'after.yaml', '--set', 'run.requests=100', '--json', '--no-report');
  expect(JSON.parse(stdout).warnings.map(({code}: {code: string}) => code)).not.toContain('seed_of_base');
  writeFileSync(join(folder, 'other.yaml'), 'extends: ./before.yaml\nrun: {seed: 4}\n');
  const other = tiercast('compare', 'before.yaml', 'other.yaml', '--json', '--no-report');
  expect(other.stderr).toContain('seed 4 of other is not used');
  const {comparisons, results} = JSON.parse(other.stdout);
  expect(results[0].event_log_hash).toBe(results[1].event_log_hash);
  expect(comparisons[0].changed).toEqual([]);
  expect(stderr).not.toContain('run.seed');
});

it('compares several with the first', () => {
  writeFileSync(join(folder, 'third.yaml'), 'extends: ./before.yaml\nkv: {prefix_cache: false}\n');
  const {stdout} = tiercast('compare', 'before.yaml', 'after.yaml', 'third.yaml', '--json', '--replications', '2');
  const {comparisons, replications} = JSON.parse(stdout);
  expect(comparisons.map(({before, after}: {before: string; after: string}) => [before, after])).toEqual([
    ['before', 'after'],
    ['before', 'third'],
  ]);
  expect(replications).toBe(2);
  expect(readFileSync(join(folder, 'tiercast-out/before-vs-after-vs-third/compare.html'), 'utf8')).toContain(
    'after, third compared with before',
  );
});

it('exits with 4 when a gate is not passed, and with 0 when it is', () => {
  const passed = tiercast('compare', 'before.yaml', 'after.yaml', '-q', '--fail-on', 'ttft_s.p95.difference > 0.10');
  expect({status: passed.status, stderr: passed.stderr}).toEqual({status: 0, stderr: ''});
  const failed = tiercast(
    'compare',
    'after.yaml',
    'before.yaml',
    '-q',
    '--fail-on',
    'tpot_s.p95.difference > 0.10',
    '--fail-on',
    'tpot_s.p95.verdict == worse',
  );
  expect(failed.status).toBe(4);
  expect(failed.stderr).toMatch(
    /^--fail-on: before: tpot_s\.p95\.difference > 0\.10 \(it is 0\.\d+\)\n--fail-on: before: tpot_s\.p95\.verdict == worse \(it is worse\)\n$/,
  );
  expect(existsSync(join(folder, 'tiercast-out/after-vs-before/comparison.json'))).toBe(true);
});

it('exits with 3 and names the scenario that does not fit, and why, before anything is run', () => {
  writeFileSync(join(folder, 'large.yaml'), 'extends: ./before.yaml\nmodel: llama-3.1-405b\n');
  const {status, stdout, stderr} = tiercast('compare', 'before.yaml', 'large.yaml');
  expect({status, stdout}).toEqual({status: 3, stdout: ''});
  expect(stderr).toMatch(/^large does not fit: llama-3\.1-405b bf16 needs .* Nearest that fit: /);
  const json = tiercast('compare', 'before.yaml', 'large.yaml', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({schema: 'tiercast.comparison/1', status: 'infeasible', labels: ['before', 'large']});
  expect(existsSync(join(folder, 'tiercast-out'))).toBe(false);
});

it.each([
  ['one scenario', ['before.yaml'], 'two or more are wanted'],
  ['five scenarios', ['before.yaml', 'before.yaml', 'before.yaml', 'before.yaml', 'before.yaml'], 'at most 4'],
  ['one replication', ['before.yaml', 'after.yaml', '--replications', '1'], 'at least 2'],
  ['a condition that it cannot read', ['before.yaml', 'after.yaml', '--fail-on', 'ttft'], 'write PATH OP VALUE'],
  ['a folder with the result of a run', ['before.yaml', 'after.yaml', '--out', 'run'], 'which is no result of ours'],
])('exits with 2 and writes nothing for %s', (_what, args, message) => {
  mkdirSync(join(folder, 'run'));
  writeFileSync(join(folder, 'run/result.json'), '{"schema": "tiercast.result/1"}');
  const {status, stdout, stderr} = tiercast('compare', ...args);
  expect({status, stdout}).toEqual({status: 2, stdout: ''});
  expect(stderr).toContain(message);
  expect(readdirSync(join(folder, 'run'))).toEqual(['result.json']);
});

it('writes the same bytes with any number of threads', () => {
  for (const jobs of ['1', '3'])
    tiercast('compare', 'before.yaml', 'after.yaml', '--set', 'run.requests=8000', '--jobs', jobs, '--out', `out-${jobs}`, '-q');
  for (const name of readdirSync(join(folder, 'out-1')))
    expect(readFileSync(join(folder, 'out-3', name)).equals(readFileSync(join(folder, 'out-1', name))), name).toBe(true);
  expect(tiercast('compare', 'before.yaml', 'after.yaml', '--jobs', '0')).toMatchObject({
    status: 2,
    stderr: '--jobs: 0 is not a whole number from 1 to 1024\n',
  });
});
