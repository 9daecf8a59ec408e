import {describe, expect, it} from 'vitest';
import {changedFigures, changedKeys} from '../../../src/sim/compare/changes.js';
import {compare} from '../../../src/sim/compare/compare.js';
import type {MetricComparison} from '../../../src/sim/compare/comparison.js';
import {comparedMetricNames} from '../../../src/sim/compare/metrics.js';
import {changeLines, comparisonTable} from '../../../src/sim/compare/tables.js';
import {changeText} from '../../../src/sim/compare/text.js';
import {canonicalJson} from '../../../src/sim/scenario/canonical.js';
import {exampleComparison, replicated, toySide} from '../../support/comparison.js';
import {toyPlan} from '../../support/scenarios.js';

/** Nobody waits: every request takes one step, of 1 s before and of 0.5 s after. */
function halved() {
  const sides = [toySide('slow', 1, 0.001), toySide('fast', 0.5, 0.001)];
  return compare(sides, replicated(sides)).document;
}

describe('a figure', () => {
  const {metrics} = halved().comparisons[0];

  it('has its mean over the replications before and after, the change in its unit, and the same as a share of before', () => {
    expect(metrics['ttft_s.p95']).toMatchObject({unit: 's', before: 1, after: 0.5, change: -0.5, difference: -0.5, verdict: 'better'});
    const [low, high] = metrics['ttft_s.p95']!.difference_ci95!;
    expect([low, high]).toEqual([expect.closeTo(-0.5, 9), expect.closeTo(-0.5, 9)]);
  });

  it('that one side does not have is null: no TPOT with one token, no goodput without goals, no cost without a price', () => {
    for (const name of ['tpot_s.p95', 'throughput.goodput_requests_per_s', 'slo.attainment', 'cost.per_million_output_tokens_usd'] as const)
      expect(metrics[name]).toBeNull();
  });

  it('of throughput says that arrivals bound it, where both serve all that comes', () => {
    expect(metrics['throughput.output_tokens_per_s']).toMatchObject({note: 'arrivals bound it'});
    const one = {scheduler: {...toySide('', 1, 1).scenario.scheduler, maxNumSeqs: 1}};
    const sides = [toySide('slow', 4, 0.5, one), toySide('fast', 2.5, 0.5, one)];
    const overloaded = compare(sides, replicated(sides, 2)).document;
    expect(overloaded.results.map(({load}) => load.overloaded)).toEqual([true, true]);
    expect(overloaded.comparisons[0].metrics['throughput.output_tokens_per_s']!.note).toBeNull();
  });

  it('of attainment says whether the goal is met now', () => {
    const goal = {slo: {ttft: 0.7, tpot: null, e2e: null, attainment: 0.95, session: null, makespan: null, classes: {}}};
    const sides = [toySide('slow', 1, 0.001, goal), toySide('fast', 0.5, 0.001, goal)];
    const found = compare(sides, replicated(sides, 2)).document.comparisons[0].metrics['slo.attainment'];
    expect(found).toMatchObject({before: 0, after: 1, difference: null, verdict: 'better', note: 'goal 95 % now met'});
  });
});

describe('the verdict', () => {
  it('names what is better and that nothing is worse, then one sentence a figure', () => {
    const [whole, ...each] = halved().comparisons[0].verdict;
    expect(whole).toEqual({
      code: 'better',
      text: expect.stringMatching(/^fast is better: TTFT p95 −50 %, E2E p95 −50 %.*; nothing is worse\.$/),
    });
    expect(each[0]).toEqual({code: 'ttft_s.mean', text: 'TTFT mean is better: 1 s → 500 ms, −50 % (−50 … −50).'});
    expect(each.map(({code}) => code)).toEqual(comparedMetricNames.filter((name) => halved().comparisons[0].metrics[name] !== null));
  });

  it('is worse the other way round, in every figure that was better', () => {
    const sides = [toySide('fast', 0.5, 0.001), toySide('slow', 1, 0.001)];
    const {metrics, verdict} = compare(sides, replicated(sides)).document.comparisons[0];
    expect(metrics['ttft_s.p95']).toMatchObject({difference: 1, verdict: 'worse'});
    expect(verdict[0].code).toBe('worse');
  });

  it('shows no difference between a scenario and itself', () => {
    const sides = [toySide('one', 0.5, 1), toySide('same', 0.5, 1)];
    const {metrics, verdict} = compare(sides, replicated(sides)).document.comparisons[0];
    for (const name of comparedMetricNames)
      if (metrics[name] !== null) expect(metrics[name]).toMatchObject({change: 0, verdict: 'no difference shown'});
    expect(verdict[0].text).toMatch(/^No difference shown between one and same in any of \d+ figures\.$/);
  });
});

describe('warnings', () => {
  const codes = (...sides: ReturnType<typeof toySide>[]) => compare(sides, replicated(sides, 2)).document.warnings.map(({code}) => code);

  it('say that the traffic or the goals differ', () => {
    const goal = {slo: {ttft: 1, tpot: null, e2e: null, attainment: 0.95, session: null, makespan: null, classes: {}}};
    expect(codes(toySide('a', 1, 0.001), toySide('b', 1, 0.002))).toEqual(['different_traffic']);
    expect(codes(toySide('a', 1, 0.001), toySide('b', 1, 0.001, goal))).toEqual(['different_goals']);
    expect(codes(toySide('a', 1, 0.001), toySide('b', 0.5, 0.001))).toEqual([]);
  });
});

describe('what changed', () => {
  const scenario = (yaml: string, resolved: object) => toySide('', 1, 1, {yaml, resolved}).scenario;

  it('is decided in SI and shown as written', () => {
    const before = scenario('slo:\n  ttft: 1 s\n  tpot: 50 ms\n', {slo: {ttft: 1, tpot: 0.05}});
    const after = scenario('slo:\n  ttft: 1000 ms\n  tpot: 60 ms\n  e2e: 2 s\n', {slo: {ttft: 1, tpot: 0.06, e2e: 2}});
    expect(changedKeys(before, after)).toEqual([
      {path: 'slo.tpot', before: '50 ms', after: '60 ms'},
      {path: 'slo.e2e', before: null, after: '2 s'},
    ]);
  });

  it('tells sessions from requests at the same rate', () => {
    const rate = (of: string) =>
      scenario(`workload:\n  arrivals:\n    rate: 2 ${of === 'request' ? 'req' : of}/s\n`, {workload: {arrivals: {rate: 2, of}}});
    expect(changedKeys(rate('request'), rate('session'))).toEqual([{path: 'workload.arrivals.of', before: 'request', after: 'session'}]);
  });

  it('does not list names, titles and seeds', () => {
    const named = (name: string, seed: number) => scenario(`name: ${name}\nrun:\n  seed: ${seed}\n`, {name, run: {seed}});
    expect(changedKeys(named('a', 1), named('b', 2))).toEqual([]);
  });

  it('has the figures that follow: twice the KV tokens, at one line each', () => {
    const [a, b] = [toySide('a', 1, 1), {...toySide('b', 1, 1), plan: {...toyPlan, kvTokens: 3200}}];
    const derived = changedFigures(a, b);
    expect(derived).toEqual([{path: 'plan.kv_tokens', label: 'KV tokens', unit: 'tokens', before: 1600, after: 3200}]);
    const lines = changeLines(
      {before: 'a', after: 'b', changed: [{path: 'kv.dtype', before: 'bf16', after: 'fp8'}], derived},
      {before: 'A', after: 'B'},
    );
    expect(lines).toEqual([
      'before      a: A',
      'after       b: B',
      'changed     kv.dtype  bf16 → fp8',
      '            KV tokens  1,600 → 3,200  × 2',
    ]);
  });
});

it('writes one CSV row a figure, with empty cells for what is not known', () => {
  const rows = [...comparisonTable(halved())];
  expect(rows[0].slice(0, 5)).toEqual(['before_name', 'after_name', 'metric', 'unit', 'before']);
  expect(rows[2].slice(0, 7)).toEqual(['slow', 'fast', 'ttft_s.p95', 's', 1, 0.5, -0.5]);
});

it('gives the same bytes again', () => {
  expect(canonicalJson(exampleComparison().document)).toBe(canonicalJson(exampleComparison().document));
});

it.each([
  [
    'a share in points',
    {unit: 'share', change: 0.102, change_ci95: [0.09, 0.111], difference: 2, difference_ci95: null},
    '+10 points (+9 … +11)',
  ],
  [
    'all else in per cent',
    {unit: 's', change: -0.5, change_ci95: [-0.6, -0.4], difference: -0.031, difference_ci95: [-0.04, -0.0004]},
    '−3.1 % (−4 … −0.04)',
  ],
  ['what was 0', {unit: 's', change: 2, change_ci95: null, difference: null, difference_ci95: null}, 'from 0'],
  ['no interval', {unit: 's', change: 1, change_ci95: null, difference: 2.5, difference_ci95: null}, '+250 %'],
])('shows a change: %s', (_what, metric, text) => {
  expect(changeText(metric as MetricComparison)).toBe(text);
});
