import {describe, expect, it} from 'vitest';
import {paretoLines} from '../../../src/sim/sweep/commands/table.js';
import type {Ranking} from '../../../src/sim/sweep/comparison.js';
import type {SweepDocument} from '../../../src/sim/sweep/document.js';

/** A sweep of two axes that found nothing yet. */
const nothing: SweepDocument = {
  schema: 'tiercast.sweep/1',
  tiercast: {version: '0.1.0'},
  name: 's',
  search: 'grid',
  counts: {points: 4, skipped: 0, infeasible: 0, failed: 0, done: 4, good: 4},
  axes: [
    {name: 'gpu', values: ['H100', 'H200']},
    {name: 'rate', values: ['1 req/s', '2 req/s']},
  ],
  objectives: [{goal: 'minimise', path: 'ttft_s.p95'}],
  constraints: ['slo.attainment >= 0.95'],
  baseline: null,
  pareto: [],
  lacking: [],
  knee: null,
  levers: [],
  identical: [],
  compared: null,
  most: null,
  infeasible: [],
};
const linesOf = (change: Partial<SweepDocument>) => paretoLines({...nothing, ...change}, (text) => `*${text}*`);
const setting = (gpu: string) => ({gpu});

describe('the lines of study.most', () => {
  const most = (settings: NonNullable<SweepDocument['most']>['settings']) => linesOf({most: {axis: 'rate', settings}}).slice(2);

  it('have the largest value of each setting, ≥ where the axis ends first, none where not even the first is within', () => {
    expect(
      most([
        {setting: setting('H100'), value: '1 req/s', isLast: false},
        {setting: setting('H200'), value: '2 req/s', isLast: true},
        {setting: setting('L4'), value: null, isLast: false},
      ]),
    ).toEqual(['', '*MOST rate within the constraints*', 'gpu   rate', 'H100  1 req/s', 'H200  ≥ 2 req/s', 'L4    none']);
  });

  it('show twenty settings, and say how many more there are', () => {
    const lines = most(Array.from({length: 23}, (_, i) => ({setting: setting(`G${i}`), value: '1 req/s', isLast: false})));
    expect(lines).toHaveLength(2 + 1 + 20 + 1);
    expect(lines.at(-2)).toBe('G19  1 req/s');
    expect(lines.at(-1)).toBe('… 3 more in pareto.json');
  });

  it('are none without the key, and without a setting', () => {
    expect(linesOf({})).toEqual(['', '*PARETO (0 of 4 points that meet slo.attainment >= 0.95)*']);
    expect(most([])).toEqual([]);
  });
});

describe('the lines of study.compare', () => {
  const ranking = (wins: readonly string[], next: string | null): Ranking => ({
    setting: {rate: '1 req/s'},
    axis: 'gpu',
    objective: 'ttft_s.p95',
    ranked: [
      ...wins.map((value, i) => ({value, mean: 0.1 + i / 1000, relative: i === 0 ? null : 0.01, ci95: null, wins: true})),
      ...(next === null ? [] : [{value: next, mean: 0.3, relative: 2, ci95: [1.5, 2.5] as const, wins: false}]),
    ],
  });
  const best = (rankings: readonly Ranking[], pairs = 5) => linesOf({compared: {axes: ['gpu'], pairs, rankings, changes: []}}).slice(2);

  it('name who is best with those of whom no difference is shown, and how far behind the next is', () => {
    expect(best([ranking(['H200', 'H100'], 'L4')])).toEqual([
      '',
      '*BEST gpu (5 pairs of runs, 95 %)*',
      '   rate  figure      best           mean  next',
      '1 req/s  ttft_s.p95  H200 = H100  100 ms  L4 +200 % (+150 … +250)',
    ]);
  });

  it('say that no difference is shown where all win, and that one run each has no intervals', () => {
    expect(best([ranking(['H200', 'H100'], null)], 1)).toEqual([
      '',
      '*BEST gpu (one run each: run.replications gives intervals)*',
      '   rate  figure      best                   mean  next',
      '1 req/s  ttft_s.p95  no difference shown  100 ms',
    ]);
  });

  it('stand by axis, and leave out an axis of which nothing is known', () => {
    const other = {...ranking(['64'], '8'), axis: 'seqs', setting: {gpu: 'H100'}};
    const lines = linesOf({compared: {axes: ['gpu', 'seqs', 'rate'], pairs: 2, rankings: [other, ranking(['H200'], 'L4')], changes: []}});
    expect(lines.filter((line) => line.startsWith('*BEST'))).toEqual([
      '*BEST gpu (2 pairs of runs, 95 %)*',
      '*BEST seqs (2 pairs of runs, 95 %)*',
    ]);
    expect(lines.at(-1)).toBe('H100  ttft_s.p95    64  100 ms  8 +200 % (+150 … +250)');
  });
});

it('points that lack an objective are counted below the table', () => {
  expect(linesOf({lacking: [{objective: 'tpot_s.p95', points: 3}]}).slice(2)).toEqual(['unranked: 3 of these 4 have no tpot_s.p95']);
});
