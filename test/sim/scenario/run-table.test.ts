import {describe, expect, it} from 'vitest';
import {planDocument} from '../../../src/sim/scenario/plan-document.js';
import {feasibilityLines, plain, resultLines} from '../../../src/sim/scenario/run-table.js';
import {summarise} from '../../../src/sim/scenario/summarise.js';
import {durationText, gibText, percentText, rateText} from '../../../src/sim/scenario/text.js';
import {noPrices} from '../../support/plain-scenario.js';
import {runRecord} from '../../support/records.js';
import {toyPlan, toyScenario} from '../../support/scenarios.js';

const scenario = toyScenario({
  assumptions: [
    {path: 'workload.turns', value: '5', grade: 'assumed', source: 'default'},
    {path: 'hardware.device', value: 'toy', grade: 'datasheet', source: 'vendor'},
  ],
  slo: {ttft: 2, tpot: null, e2e: null, attainment: 0.5, session: null, makespan: null, classes: {}},
  cost: {...noPrices, device: 3.6, sources: {...noPrices.sources, device: {grade: 'datasheet', source: 'our contract'}}},
});
const record = runRecord([
  {arrival: 0, scheduled: 0.5, firstToken: 1, finished: 3, output: 5},
  {arrival: 1, scheduled: 3, firstToken: 4, finished: 8, output: 5, hit: 48, hitInfinite: 64},
]);
const document = summarise(scenario, toyPlan, [record]);

it('says first what is simulated and what fits', () => {
  const lines = feasibilityLines({name: 'toy', headline: document.headline, plan: planDocument(scenario, toyPlan)}, 80);
  expect(lines).toEqual([
    'toy         Tiny-1M bf16 · 1 × Toy GPU · vLLM 0.24.0 · lengths 1 req/s · seed 1',
    'fits        HBM 0.9 GiB × 0.9 = 0.8: weights 0.7, KV 0.1',
    '            1,600 tokens of KV in 100 blocks of 16 · largest context 1,600, 16',
    '            of these at once',
  ]);
});

it('then the verdict, the latencies, the rates and where time went', () => {
  expect(resultLines(document, 80, plain)).toEqual([
    'MEETS THE GOAL: 50 % of requests within TTFT 2 s (goal 50 %).',
    'Bound: HBM bandwidth, 100 % of busy time.',
    'The prefix cache saves computing 24 % of prompt tokens, of 32 % that repeat:',
    'room for more would save up to 8 %.',
    '',
    '                 mean      p50      p95      p99     goal  p95 (95 % interval)',
    'TTFT              2 s      2 s    2.9 s      3 s      2 s  –',
    '  server       750 ms   750 ms   975 ms   995 ms        –  –',
    'TPOT           750 ms   750 ms   975 ms   995 ms        –  –',
    'E2E               5 s      5 s    6.8 s      7 s        –  –',
    'queue           1.3 s    1.3 s    1.9 s      2 s        –  –',
    '',
    'throughput  0.25 req/s · 1.3 output tok/s · goodput 0.125 req/s · MFU 25 % ·',
    '            MBU 50 % ·',
    '            $800.00 per M output tokens (at $3.6/h a device: our contract)',
    'load        busy 93.8 % · running 0.9 · waiting 0.3 (in 31.3 % of the time) ·',
    '            finished 2 of 2',
    '',
    'tokens hit  HBM 24 %   computed 76 %   (bounds: none 0 · infinite 32 %; prompt',
    '            tokens in whole blocks)',
    'time goes   HBM bandwidth 100 %',
    '',
    'trust D     of busy time, 100 % assumed (most of it constant:',
    '            hardware.cost_model.constant)',
    'assumed     workload.turns 5',
  ]);
});

it('shows control characters of a name as marks, so that they change nothing else on the terminal', () => {
  const [line] = feasibilityLines({name: 'a\u001b[2J', headline: 'x\ry', plan: planDocument(scenario, toyPlan)}, 80);
  expect(line).toBe('a\ufffd[2J       x\ufffdy');
});

describe('quantities for people', () => {
  it.each([
    [0, '0 ms'],
    [4.2e-6, '4.2 µs'],
    [0.0123, '12 ms'],
    [0.0042, '4.2 ms'],
    [0.9996, '1 s'],
    [3.14, '3.1 s'],
    [3537, '59 min'],
    [86400, '24 h'],
  ])('%d s is %s', (seconds, text) => expect(durationText(seconds)).toBe(text));

  it.each([
    [0.123, '0.123'],
    [9.64, '9.6'],
    [2310.4, '2,310'],
  ])('%d per second is %s', (rate, text) => expect(rateText(rate)).toBe(text));

  it('GiB and per cent', () => {
    expect(gibText(57.1 * 2 ** 30)).toBe('57.1 GiB');
    expect(gibText(3 * 2 ** 40)).toBe('3 TiB');
    expect([0.9784, 1, 0.9999, 0.0001, 0].map(percentText)).toEqual(['97.8 %', '100 %', '> 99.9 %', '< 0.1 %', '0 %']);
  });
});
