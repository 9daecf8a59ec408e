import {spawnSync} from 'node:child_process';
import {describe, expect, it} from 'vitest';
import {deploymentOf} from '../../calibrate/engine-fit/deployment.js';
import type {ValidationData} from '../../calibrate/validate/check.js';
import {csvRows} from '../../calibrate/validate/csv.js';
import {accuracyPage, validationDocument} from '../../calibrate/validate/document.js';
import {checks, validate} from '../../calibrate/validate/index.js';
import {validationData} from '../../calibrate/validate/load.js';
import {meets, rowOf, type ValidationRow} from '../../calibrate/validate/row.js';
import {distortedTerms, sensitivity} from '../../calibrate/validate/sensitivity.js';
import {predictWithInterval} from '../../calibrate/validate/serve.js';
import {tableLines} from '../../calibrate/validate/text.js';
import {stepTerms} from '../../src/models/cost/terms.js';
import {readMeasured} from '../../src/sim/measured/index.js';
import {experiment, requestFiles} from '../support/measured-files.js';
import {noSharedData} from '../support/shared-data.js';

const label = {section: 'serving', subject: 'toy', metric: 'TTFT', fitted: 'nothing'} as const;

describe('a row', () => {
  it('has mean, median, bias, 90th percentile and worst of predicted/measured − 1', () => {
    const row = rowOf(label, [
      {measured: 1, predicted: 1.1},
      {measured: 2, predicted: 1.4},
      {measured: 4, predicted: 4},
    ]);
    expect(row).toMatchObject({n: 3, mean: expect.closeTo(0.4 / 3), median: expect.closeTo(0.1), bias: expect.closeTo(-0.2 / 3)});
    expect(row).toMatchObject({worst: expect.closeTo(0.3), coverage: null});
  });

  it('counts the measured values inside the predicted intervals', () => {
    const pair = (low: number, high: number) => ({measured: 1, predicted: 1, interval: [low, high] as const});
    expect(rowOf(label, [pair(0.9, 1.1), pair(1.01, 1.2), pair(0.5, 1), pair(0.2, 0.9)]).coverage).toBe(0.5);
  });

  it.each([
    ['mean', 0.06, false],
    ['mean', 0.07, true],
    ['median', 0.04, false],
    ['worst', 0.11, true],
  ] as const)('meets a target on the %s of %d: %s', (statistic, most, met) => {
    const pairs = [1.05, 1.05, 1.1].map((predicted) => ({measured: 1, predicted}));
    expect(meets(rowOf({...label, target: {statistic, most}}, pairs))).toBe(met);
    expect(meets(rowOf(label, pairs))).toBeNull();
  });

  it('prints a miss as a miss, with its size', () => {
    const row = rowOf({...label, target: {statistic: 'mean', most: 0.02}}, [{measured: 1, predicted: 1.05}]);
    expect(tableLines([row]).join('\n')).toMatch(/toy: TTFT +1 +5\.0 +5\.0 +\+5\.0 +5\.0 +– +mean ≤ 2 +missed by 3\.0/);
  });
});

it('reads cells with quotes, commas and empty ones', () => {
  expect(csvRows('a,b,c\r\n1,"x, ""y""",\n2,,z\n')).toEqual([
    {a: '1', b: 'x, "y"', c: ''},
    {a: '2', b: '', c: 'z'},
  ]);
});

/** Recorded data of two toy requests on an RTX 4090 and nothing else. */
const toyData: ValidationData = {
  has: (path) => path === 'e2e/vllm_runs/RTX4090/Llama-3.1-8B/vllm',
  runs: () => readMeasured(requestFiles(), 'folder'),
  csv: () => [],
  kernels: () => {
    throw new Error('not there');
  },
};

it('runs the checks whose data are there, and says what is missing of the others', async () => {
  const {rows, skipped} = await validate(toyData);
  expect(new Set(rows.map(({subject}) => subject.split(',')[0]))).toEqual(new Set(['vLLM 0.19']));
  expect(skipped).toHaveLength(Object.keys(checks).length - 1);
  expect(skipped).toContainEqual(expect.stringContaining('e2e/vllm_h100/experiments.json not there'));
});

it('puts the prediction inside its own 80 % interval', async () => {
  const [run] = readMeasured(new Map([['e.json', JSON.stringify([experiment()])]]), 'e.json');
  const {comparisons} = predictWithInterval(await deploymentOf(run), run, null);
  for (const {predicted, interval} of comparisons) {
    expect(interval[0]).toBeLessThan(predicted);
    expect(interval[1]).toBeGreaterThan(predicted);
  }
});

it('shows what a wrong constant does, term by term', async () => {
  const found = Object.fromEntries((await sensitivity(toyData, 1.5)).map((one) => [one.term, one]));
  expect(found['attention.prefill'].by).toBeGreaterThan(0.001); // a longer step: later tokens
  expect(found.linear.by).toBeGreaterThan(found.head.by);
  expect(found.collective).toMatchObject({moved: 0, most: 'none'}); // one device exchanges nothing
});

it('distorts every term of a step that takes time of its own', () => {
  expect(distortedTerms).toEqual(expect.arrayContaining(stepTerms.filter((term) => term !== 'host')));
});

it('writes a document without noise, and a page with every row and what was fitted', async () => {
  const row: ValidationRow = rowOf({...label, note: 'a | b', target: {statistic: 'mean', most: 0.1}}, [{measured: 3, predicted: 3.1}]);
  const changes = [{term: 'linear', factor: 1.5, moved: 1, rows: 1, most: 'toy: TTFT', by: 0.4, broken: 1}];
  const document = validationDocument({rows: [row], skipped: ['x: y not there']}, changes);
  expect(document).toMatchObject({schema: 'tiercast.validation/1', rows: [{mean: 0.0333333, meets: true}], skipped: ['x: y not there']});
  const page = accuracyPage({rows: [row], skipped: ['x: y not there']}, changes);
  expect(page).toContain('| toy: TTFT | 1 | 3.3 | 3.3 | +3.3 | 3.3 | – | mean ≤ 10 | met | nothing | a \\| b |');
  expect(page).toContain('1 of 1 targets are met.');
  expect(page).toContain('| linear | 1 of 1 | 1 | +40.0 | toy: TTFT |');
  expect(page).toContain('- x: y not there');
});

describe('npm run validate', () => {
  const run = (...args: string[]) => spawnSync(process.execPath, ['calibrate/validate/run.mjs', ...args], {encoding: 'utf8'});

  it('skips with a reason where the recorded data are not there', () => {
    const {status, stdout, stderr} = run('--data', './not-there', '--json');
    expect(status).toBe(0);
    expect(stderr).toContain('skipped: ./not-there is not there');
    expect(JSON.parse(stdout)).toMatchObject({rows: [], skipped: ['./not-there is not there']});
  });

  it('refuses what it does not know in one line', () => {
    const {status, stderr} = run('--onyl', 'kernels');
    expect(status).toBe(2);
    expect(stderr).toBe('unknown argument --onyl → npm run validate -- --help\n');
    expect(run('--only', 'vllm-h10').stderr).toMatch(/unknown check "vllm-h10" \(did you mean "vllm-h100"\?\)/);
  });
});

describe.skipIf(noSharedData !== null)(`recorded runs${noSharedData === null ? '' : ` (skipped: ${noSharedData})`}`, () => {
  const data = validationData('../shared/data');

  // Known misses, each with its size and reason in docs/accuracy.md: when one is mended, this says so.
  it.each([
    ['vllm-rtx4090', []],
    ['vllm-h100', []],
    ['kv-offload', []],
    ['kv-offload-loads', []],
    ['hicache', ['SGLang HiCache, Qwen3-235B, 8 × H800, 760 GiB pool: mean TTFT by round']],
    ['single-stream', ['llama.cpp, 5 Apple devices: decode tokens/s']],
  ])(
    '%s reaches its targets, but for the misses that are known',
    async (name, missed) => {
      const {rows} = await validate(data, {only: [name]});
      const judged = rows.filter(({target}) => target !== null);
      expect(judged.length).toBeGreaterThan(0);
      expect(judged.filter((row) => !meets(row)).map(({subject, metric}) => `${subject}: ${metric}`)).toEqual(missed);
    },
    120_000,
  );
});
