import {existsSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, it} from 'vitest';
import {base, folderWith, gpuStudy, tiercast, tiercastUntil} from '../../support/studies.js';

const rowsOf = (folder: string, out: string) =>
  readFileSync(join(folder, out, 'rows.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('a sweep', () => {
  let folder: string;
  beforeAll(() => {
    folder = folderWith({'study.yaml': gpuStudy});
    const {exit, stderr} = tiercast(folder, 'sweep', 'study.yaml', '--jobs', '2', '--out', 'two');
    expect(exit, stderr).toBe(0);
  });

  it('writes rows, table, Pareto set, page and a scenario for every point of the set', () => {
    expect(readdirSync(join(folder, 'two')).sort()).toEqual([
      'pareto.json',
      'recommendations',
      'results.jsonl',
      'rows.jsonl',
      'sweep.html',
      'table.csv',
    ]);
    const rows = rowsOf(folder, 'two');
    expect(rows.map(({point, status}) => [point, status])).toEqual([0, 1, 2, 3, 4, 5].map((point) => [point, 'done']));
    // 400 requests a second of 500 tokens are more than one device computes within 100 ms.
    expect(rows.map(({misses}) => misses.length)).toEqual([0, 0, 1, 0, 0, 1]);
    const {pareto, counts} = JSON.parse(readFileSync(join(folder, 'two', 'pareto.json'), 'utf8'));
    expect(counts).toEqual({points: 6, skipped: 0, infeasible: 0, failed: 0, done: 6, good: 4});
    expect(readdirSync(join(folder, 'two', 'recommendations'))).toHaveLength(pareto.length);
    expect(readFileSync(join(folder, 'two', 'table.csv'), 'utf8').split('\n')[0]).toMatch(
      /^point,gpu,workload\.arrivals\.rate,status,reason,misses,pareto,devices,ttft_s\.n,/,
    );
  });

  it('gives equal rows with one worker, with two, and without any', () => {
    for (const [out, ...args] of [
      ['one', '--jobs', '1'],
      ['none', '--executor', 'in-process'],
    ]) {
      expect(tiercast(folder, 'sweep', 'study.yaml', '--out', out, '-q', ...args).exit).toBe(0);
      for (const name of ['rows.jsonl', 'table.csv', 'pareto.json', 'sweep.html']) {
        expect(readFileSync(join(folder, out, name), 'utf8') === readFileSync(join(folder, 'two', name), 'utf8'), `${out}/${name}`).toBe(
          true,
        );
      }
    }
  });

  it('recommends scenarios that `run` gives the very figures of their row for', () => {
    const {pareto} = JSON.parse(readFileSync(join(folder, 'two', 'pareto.json'), 'utf8'));
    for (const {point, scenario} of pareto) {
      const {exit, stdout, stderr} = tiercast(folder, 'run', join('two', scenario), '--json', '-q', '--no-report', '--out', `run-${point}`);
      expect(exit, stderr).toBe(0);
      const result = JSON.parse(stdout);
      const {figures} = rowsOf(folder, 'two')[point];
      for (const [path, value] of Object.entries(figures)) {
        const found = path.split('.').reduce((part, name) => part?.[name], {...result, ...result.metrics});
        expect(typeof found === 'boolean' ? Number(found) : found, path).toBe(value);
      }
    }
  });

  it('prints one JSON document with --json, and nothing on stdout with -q', () => {
    const {stdout} = tiercast(folder, 'sweep', 'study.yaml', '--out', 'two', '--json', '-q');
    expect(JSON.parse(stdout)).toEqual(JSON.parse(readFileSync(join(folder, 'two', 'pareto.json'), 'utf8')));
    expect(tiercast(folder, 'sweep', 'study.yaml', '--out', 'two', '-q').stdout).toBe('');
  });

  it('runs only what is new when the study grows', () => {
    writeFileSync(join(folder, 'grown.yaml'), gpuStudy.replace('[2 req/s, 8 req/s, 400 req/s]', '[2 req/s, 4 req/s, 8 req/s, 400 req/s]'));
    const lines = () => readFileSync(join(folder, 'grown', 'results.jsonl'), 'utf8').split('\n').length - 1;
    // The name of the scenario is part of what is addressed.
    const args = ['sweep', 'grown.yaml', '--out', 'grown', '-q', '--no-report', '--set', 'name=same'];
    const small = args.with(1, 'study.yaml');
    expect(tiercast(folder, ...small).exit).toBe(0);
    expect(lines()).toBe(6);
    expect(tiercast(folder, ...args).exit).toBe(0);
    expect(lines()).toBe(8);
  });

  it('refuses a folder that holds anything else, and leaves it alone', () => {
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    const {exit, stderr} = tiercast(folder, 'sweep', 'study.yaml', '--out', '.');
    expect([exit, stderr]).toEqual([2, expect.stringContaining('which is no result of a sweep')]);
    expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('mine');
  });
});

describe('a point that is wrong', () => {
  it.each([
    ['an unknown device', 'hardware.device: [h100-sxm, h1000]', 'study.yaml:9:29 hardware.device: unknown device "h1000"'],
    ['a value without its unit', 'slo.ttft: [500 ms, 3]', 'study.yaml:9:22 slo.ttft: 3 has no unit'],
    ['a share as a path', 'slo.attainment: [0.9, 2]', 'study.yaml:9:24 slo.attainment: 2 is not a share'],
  ])('%s is one line with the place in the study', (_what, axis, line) => {
    const folder = folderWith({
      'study.yaml': `${base}study:\n  axes:\n    ${axis}\n  objectives: [{minimise: ttft_s.p95}]\n`.replace('\n    ', '\n   '),
    });
    const {exit, stderr, stdout} = tiercast(folder, 'sweep', 'study.yaml', '--jobs', '1');
    expect(exit).toBe(2);
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining(line.slice(line.indexOf(' ') + 1).slice(0, 30))]);
    expect(stderr).toMatch(/^study\.yaml:9:\d+ /);
    expect(stdout).toBe('');
    expect(readdirSync(folder)).toEqual(['study.yaml']);
  });

  it.each([
    [
      'an objective that no result has',
      'objectives: [{minimise: ttft_s.p96}]',
      'study.objectives[0]: unknown figure "ttft_s.p96" (did you mean "ttft_s.p',
    ],
    [
      'a price objective without a price',
      'objectives: [{minimise: cost.per_hour_usd}]',
      'study.objectives[0]: cost.per_hour_usd needs a price at every point',
    ],
    [
      'a constraint that no result has',
      'objectives: [{minimise: ttft_s.p95}]\n  constraints: [attainment >= 0.9]',
      'study.constraints[0]: unknown figure "attainment" (did you mean "slo.attainment"?)',
    ],
  ])('%s is refused before anything is run', (_what, lines, message) => {
    const folder = folderWith({'study.yaml': `${base}study:\n  axes: {scheduler.max_num_seqs: [4, 8]}\n  ${lines}\n`});
    const {exit, stderr} = tiercast(folder, 'sweep', 'study.yaml', '--executor', 'in-process');
    expect([exit, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).toMatch(/^study\.yaml:\d+:\d+ /);
  });

  it('that does not fit is left out with its reason; when none fits, the exit code is 3 and what fits is named', () => {
    const study = (models: string) => `${base}study:\n  axes: {model.name: [${models}]}\n  objectives: [{minimise: ttft_s.p95}]\n`;
    const folder = folderWith({'one.yaml': study('llama-3.1-8b, llama-3.1-405b'), 'none.yaml': study('llama-3.1-70b, llama-3.1-405b')});
    expect(tiercast(folder, 'sweep', 'one.yaml', '--jobs', '1', '--out', 'one').stdout).toContain(
      '2 points · 0 skipped · 1 do not fit · 1 to run',
    );
    expect(rowsOf(folder, 'one')[1]).toMatchObject({
      status: 'infeasible',
      figures: null,
      reason: expect.stringMatching(/^llama-3\.1-405b bf16 needs/),
    });
    const {exit, stderr} = tiercast(folder, 'sweep', 'none.yaml', '--jobs', '1');
    expect([exit, stderr]).toEqual([3, expect.stringMatching(/none of 2 points fits: llama-3\.1-70b.*Nearest that fit: /s)]);
  });

  it('and when none meets the constraints, the nearest are named', () => {
    const folder = folderWith({'study.yaml': `${gpuStudy}  constraints: [ttft_s.p95 <= 1 ms]\n`});
    const {exit, stderr} = tiercast(folder, 'sweep', 'study.yaml', '--jobs', '1', '--out', 'out');
    expect([exit, stderr]).toEqual([
      3,
      expect.stringMatching(/no point of 6 meets ttft_s\.p95 <= 1 ms\..*Nearest that fit: H\d00, 2 req\/s with ttft_s\.p95/s),
    ]);
    expect(rowsOf(folder, 'out')).toHaveLength(6);
  });
});

it('a study whose points are good but lack an objective says which, not that they miss the constraints', () => {
  // One token each: there is no time between tokens.
  const folder = folderWith({
    'study.yaml': `${base.replace('output_tokens: 40', 'output_tokens: 1')}study:
  axes: {workload.arrivals.rate: [1 req/s, 2 req/s]}
  objectives: [{minimise: tpot_s.p95}, {minimise: ttft_s.p95}]
`,
  });
  const {exit, stdout, stderr} = tiercast(folder, 'sweep', 'study.yaml', '--jobs', '1', '--out', 'out');
  expect([exit, stderr.split('\n').at(-2)]).toEqual([
    3,
    '2 of 2 points meet the goals of slo, but none has a figure for every objective: tpot_s.p95 is unknown in all of them; name objectives that are known there (rows.jsonl has all figures)',
  ]);
  expect(stdout).toContain('unranked: 2 of these 2 have no tpot_s.p95\n');
  expect(JSON.parse(readFileSync(join(folder, 'out', 'pareto.json'), 'utf8')).lacking).toEqual([{objective: 'tpot_s.p95', points: 2}]);
});

describe('the commands around', () => {
  const folder = folderWith({
    'study.yaml': `${gpuStudy}  skip: [{gpu: H200, workload.arrivals.rate: 400 req/s}]\n  baseline: {gpu: H100, workload.arrivals.rate: 2 req/s}\n`,
  });

  it('sweep plan lists the points and runs none', () => {
    const {stdout} = tiercast(folder, 'sweep', 'plan', 'study.yaml', '--jobs', '1');
    expect(stdout).toContain('6 points · 1 skipped · 0 do not fit · 5 to run (grid) on 1 worker');
    expect(stdout).toMatch(/\n {4}5 {2}H200 +400 req\/s +skipped: gpu: H200, workload\.arrivals\.rate: 400 req\/s\n$/);
    expect(JSON.parse(tiercast(folder, 'sweep', 'plan', 'study.yaml', '--jobs', '1', '--json').stdout).points[0]).toEqual({
      point: 0,
      axes: {gpu: 'H100', 'workload.arrivals.rate': '2 req/s'},
      status: 'to run',
      reason: null,
      devices: '1 × h100-sxm',
    });
    expect(existsSync(join(folder, 'tiercast-out'))).toBe(false);
  });

  it('with a baseline every point of the set says how much it differs', () => {
    tiercast(folder, 'sweep', 'study.yaml', '--jobs', '1', '--out', 'out', '-q');
    const rows = rowsOf(folder, 'out');
    for (const {point, against_baseline} of JSON.parse(readFileSync(join(folder, 'out', 'pareto.json'), 'utf8')).pareto) {
      const ratio = rows[point].figures['ttft_s.p95'] / rows[0].figures['ttft_s.p95'];
      expect(against_baseline['ttft_s.p95']).toBeCloseTo(ratio - 1, 8);
    }
  });

  it('run refuses a study and says how to sweep it, or to run it alone', () => {
    const {exit, stderr} = tiercast(folder, 'run', 'study.yaml');
    expect([exit, stderr]).toEqual([
      2,
      expect.stringContaining('study: this is a study: `tiercast sweep` runs it; --set study=null leaves the scenario alone'),
    ]);
    expect(tiercast(folder, 'run', 'study.yaml', '--set', 'study=null', '-q', '--no-report').exit).toBe(0);
  });
});

describe('an interrupted sweep', () => {
  // Enough points that it is still at work when it is killed.
  const text = gpuStudy
    .replace('[2 req/s, 8 req/s, 400 req/s]', '{range: {from: 1 req/s, to: 20 req/s, points: 25}}')
    .replace('requests: 30', 'requests: 300');
  const size = (path: string) => (existsSync(path) ? statSync(path).size : 0);

  it('gives, after ten SIGKILLs, the bytes of one that ran through', async () => {
    const folder = folderWith({'study.yaml': text});
    expect(tiercast(folder, 'sweep', 'study.yaml', '--out', 'whole', '-q', '--no-report').exit).toBe(0);
    const store = join(folder, 'killed', 'results.jsonl');
    const args = ['sweep', 'study.yaml', '--out', 'killed', '-q', '--no-report', '--jobs', '2'];
    let kills = 0;
    for (let n = 0; n < 10; n++) {
      const before = size(store);
      if ((await tiercastUntil(folder, args, () => size(store) > before, 'SIGKILL')) === null) kills++;
    }
    expect(kills).toBe(10);
    // A line that a kill cut in half is written anew by the next run, and that may be all it comes to.
    const finished = readFileSync(store, 'utf8').trimEnd().split('\n').length;
    expect(finished).toBeGreaterThanOrEqual(5);
    expect(finished).toBeLessThan(50);
    expect(tiercast(folder, ...args).exit).toBe(0);
    for (const name of ['rows.jsonl', 'table.csv', 'pareto.json']) {
      expect(readFileSync(join(folder, 'killed', name), 'utf8') === readFileSync(join(folder, 'whole', name), 'utf8'), name).toBe(true);
    }
    expect(readFileSync(store, 'utf8').split('\n')).toHaveLength(51); // each point was run once, and none twice
  }, 300_000);

  it('stops on SIGINT with exit code 130, keeps what was finished, and leaves nothing half-written', async () => {
    const folder = folderWith({'study.yaml': text});
    const store = join(folder, 'out', 'results.jsonl');
    const code = await tiercastUntil(folder, ['sweep', 'study.yaml', '--out', 'out', '-q', '--jobs', '1'], () => size(store) > 0, 'SIGINT');
    expect(code).toBe(130);
    expect(readdirSync(join(folder, 'out'))).toEqual(['results.jsonl']);
    for (const line of readFileSync(store, 'utf8').trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('figures');
  }, 120_000);
});
