import {beforeAll, describe, expect, it} from 'vitest';
import {type Compared, compared} from '../../../src/sim/sweep/comparison.js';
import {inProcess} from '../../../src/sim/sweep/executors/in-process.js';
import {most} from '../../../src/sim/sweep/most.js';
import type {Row} from '../../../src/sim/sweep/rows.js';
import {labelsOf} from '../../../src/sim/sweep/space.js';
import type {Study} from '../../../src/sim/sweep/study.js';
import {base, memoryStore, rowsIn, studyOf, withStudy} from '../../support/studies.js';

const axes = `  axes:
    scheduler.policy.policy: [fcfs, sjf, lpm]
    workload.arrivals.rate: [1 req/s, 2 req/s]
`;
const objectives = '  objectives: [{minimise: ttft_s.p95}, {maximise: throughput.requests_per_s}]\n';
const read = (more: string): Promise<Study> => studyOf(`${base}study:\n${axes}${objectives}${more}`);

/** Rows of points with so many TTFTs and rates each. */
const rowsWith = (study: Study, values: readonly {ttft: readonly (number | null)[]; rate: readonly number[]}[]): Row[] =>
  values.map(({ttft, rate}, point) => ({
    point,
    status: 'done',
    reason: null,
    axes: labelsOf(study.axes, point),
    set: [],
    devices: null,
    misses: [],
    key: null,
    events: String(point),
    figures: {},
    replications: {'ttft_s.p95': ttft, 'throughput.requests_per_s': rate},
  }));

describe('study.compare', () => {
  let study: Study;
  let found: Compared;
  beforeAll(async () => {
    study = await read('  compare: scheduler.policy.policy\n');
    const same = {ttft: [5, 5, 5], rate: [1, 1, 1]};
    found = compared(
      study,
      // fcfs at 1 and 2 req/s, then sjf, then lpm.
      rowsWith(study, [
        {ttft: [10, 12, 14], rate: [1, 1, 1]},
        same,
        {ttft: [5, 6, 8], rate: [2, 2, 2]},
        same,
        {ttft: [5, 7, 7.5], rate: [3, 3, 3]},
        same,
      ]),
    )!;
  });

  it('ranks the values of an axis by the mean at each setting of the others; those win from which no difference is shown', () => {
    const ranking = found.rankings.find(
      ({setting, objective}) => setting['workload.arrivals.rate'] === '1 req/s' && objective === 'ttft_s.p95',
    )!;
    expect(ranking.axis).toBe('scheduler.policy.policy');
    // Means 12, 19/3 and 6.5: pairs of lpm and sjf differ by 0, 1, −0.5, of fcfs and sjf by 5, 6, 6.
    expect(ranking.ranked.map(({value, mean, wins}) => [value, mean, wins])).toEqual([
      ['sjf', 6.33333333, true],
      ['lpm', 6.5, true],
      ['fcfs', 12, false],
    ]);
    const [best, , last] = ranking.ranked;
    expect([best.relative, best.ci95]).toEqual([null, null]);
    expect(last.relative).toBeCloseTo(5.6666667 / 6.3333333, 6);
    // 17/3 ± t(0.975, 2) · √(1/9): 4.3027 · 0.3333.
    expect(last.ci95![0]).toBeCloseTo((5.6666667 - 4.3027 / 3) / 6.3333333, 4);
  });

  it('takes the larger as the better where the objective says so', () => {
    const ranking = found.rankings.find(
      ({setting, objective}) => setting['workload.arrivals.rate'] === '1 req/s' && objective !== 'ttft_s.p95',
    )!;
    expect(ranking.ranked.map(({value}) => value)).toEqual(['lpm', 'sjf', 'fcfs']);
    expect(ranking.ranked.map(({wins}) => wins)).toEqual([true, false, false]);
  });

  it('lets all win where they are equal', () => {
    const equal = found.rankings.filter(({setting}) => setting['workload.arrivals.rate'] === '2 req/s');
    expect(equal).toHaveLength(2);
    for (const {ranked} of equal) expect(ranked.map(({wins}) => wins)).toEqual([true, true, true]);
  });

  it('tells what each value changes against the first', () => {
    const changes = found.changes.filter(
      ({setting, objective}) => setting['workload.arrivals.rate'] === '1 req/s' && objective === 'ttft_s.p95',
    );
    expect(changes.map(({from, to, before, after, verdict}) => [from, to, before, after, verdict])).toEqual([
      ['fcfs', 'sjf', 12, 6.33333333, 'better'],
      ['fcfs', 'lpm', 12, 6.5, 'better'],
    ]);
    expect(found.changes).toHaveLength(8);
  });

  it('leaves out who lacks the figure in a replication, and says nothing of certain differences with one', () => {
    const lacking = compared(
      study,
      rowsWith(
        study,
        Array.from({length: 6}, (_, i) => ({ttft: [i === 2 ? null : i], rate: [1]})),
      ),
    )!;
    expect(lacking.pairs).toBe(1);
    const [first] = lacking.rankings;
    expect(first.ranked.map(({value, wins, ci95}) => [value, wins, ci95])).toEqual([
      ['fcfs', true, null],
      ['lpm', true, null],
    ]);
  });

  it('is null when no axis is named, and an axis that is none is refused', async () => {
    expect(compared(await read(''), [])).toBeNull();
    await expect(read('  compare: [scheduler.policy]\n')).rejects.toThrow(
      /study\.compare: "scheduler.policy" is no axis.*axes: scheduler\.policy\.policy, workload/,
    );
  });

  it('keeps the objectives of each replication, on the same random streams: they are those of `run.replications`', async () => {
    const text = withStudy(`${axes}  compare: scheduler.policy.policy\n`).replace('requests: 30', 'requests: 30, replications: 3');
    const store = memoryStore();
    const rows = await rowsIn(await inProcess(1), store, text);
    for (const {replications, figures} of rows) {
      const values = replications!['ttft_s.p95'] as number[];
      expect(values).toHaveLength(3);
      expect(new Set(values).size).toBe(3);
      expect(figures!['ttft_s.p95']).toBeGreaterThanOrEqual(Math.min(...values));
      expect(figures!['ttft_s.p95']).toBeLessThanOrEqual(Math.max(...values));
    }
    // Without it nothing of single replications is kept, and the address is another one.
    const plain = await rowsIn(await inProcess(1), store, text.replace('  compare: scheduler.policy.policy\n', ''));
    expect(plain[0].replications).toEqual({});
    expect(plain[0].key).not.toBe(rows[0].key);
    expect(plain[0].figures).toEqual(rows[0].figures);
  });
});

describe('study.most', () => {
  const good = (study: Study, met: string): Row[] =>
    [...met].map((letter, point) => ({
      ...rowsWith(study, [{ttft: [], rate: []}])[0],
      point,
      axes: labelsOf(study.axes, point),
      status: letter === '-' ? ('skipped' as const) : ('done' as const),
      misses: letter === 'y' ? [] : ['x'],
    }));

  it.each([
    // Rates 1 and 2 of fcfs, of sjf, of lpm.
    ['is the largest value that meets the constraints', 'ynyynn', ['1 req/s', '2 req/s', null]],
    ['needs all before it to meet them', 'nyyyyn', [null, '2 req/s', '1 req/s']],
    ['passes over what was not tried', '-yyyyn', ['2 req/s', '2 req/s', '1 req/s']],
  ])('%s', async (_what, met, values) => {
    const study = await read('  most: workload.arrivals.rate\n');
    const found = most(study, good(study, met))!;
    expect(found.axis).toBe('workload.arrivals.rate');
    expect(found.settings.map(({value}) => value)).toEqual(values);
    expect(found.settings.map(({setting}) => setting['scheduler.policy.policy'])).toEqual(['fcfs', 'sjf', 'lpm']);
    expect(found.settings.map(({isLast}) => isLast)).toEqual(values.map((value) => value === '2 req/s'));
  });

  it('is one axis, or none', async () => {
    expect(most(await read(''), [])).toBeNull();
    await expect(read('  most: [workload.arrivals.rate, scheduler.policy.policy]\n')).rejects.toThrow('study.most: names several axes');
    await expect(read('  most: workload.arrivals\n')).rejects.toThrow(/study\.most: "workload.arrivals" is no axis/);
  });
});
