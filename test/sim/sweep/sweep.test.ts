import {beforeAll, describe, expect, it} from 'vitest';
import {quantities} from '../../../src/sim/core/quantity.js';
import {meets, readCondition} from '../../../src/sim/sweep/conditions.js';
import {sweepDocument} from '../../../src/sim/sweep/document.js';
import type {Executor} from '../../../src/sim/sweep/executors/executor.js';
import {inProcess} from '../../../src/sim/sweep/executors/in-process.js';
import {figureText} from '../../../src/sim/sweep/figure-text.js';
import {figuresOf} from '../../../src/sim/sweep/figures.js';
import type {Row} from '../../../src/sim/sweep/rows.js';
import {exampleReport} from '../../support/example-report.js';
import {gpuStudy, memoryStore, rowsIn, studyOf} from '../../support/studies.js';

/** Runs tasks in another order, and tells them by their index all the same. */
async function reordered(order: (n: number) => number[]): Promise<Executor> {
  const inner = await inProcess(1);
  return {
    run: (tasks, told, signal) => {
      const places = order(tasks.length);
      return inner.run(
        places.map((place) => tasks[place]),
        (index, outcome) => told(places[index], outcome),
        signal,
      );
    },
    close: () => inner.close(),
  };
}

describe('the rows of a sweep', () => {
  let straight: Row[];
  beforeAll(async () => {
    straight = await rowsIn(await inProcess(1), memoryStore());
  });

  it.each([
    ['backwards', (n: number) => Array.from({length: n}, (_, i) => n - 1 - i)],
    ['shuffled', (n: number) => Array.from({length: n}, (_, i) => (i * 5 + 2) % n)],
  ])('are the same when points are run %s', async (_what, order) => {
    expect(JSON.stringify(await rowsIn(await reordered(order), memoryStore()))).toBe(JSON.stringify(straight));
  });

  it('come from the store without a run where it has them', async () => {
    const store = memoryStore();
    await rowsIn(await inProcess(1), store);
    expect(store.puts).toHaveLength(6);
    expect(JSON.stringify(await rowsIn(await inProcess(1), store))).toBe(JSON.stringify(straight));
    expect(store.puts).toHaveLength(6);
  });

  it('of two points that are one scenario, one is run', async () => {
    const store = memoryStore();
    const rows = await rowsIn(await inProcess(1), store, gpuStudy.replace('[2 req/s, 8 req/s, 400 req/s]', '[2 req/s, 2.0 req/s]'));
    expect(store.puts).toHaveLength(2);
    expect(rows[0].figures).toEqual(rows[1].figures);
  });

  it('meet random traffic that the axes do not disturb: the same requests at every point of one rate', () => {
    const [h100, h200] = [straight[0].figures!, straight[3].figures!];
    expect(h100['load.span_s']).toBeGreaterThan(0);
    expect(h100['tokens.prefill_computed']).toBe(h200['tokens.prefill_computed']);
    expect(h100['ttft_s.p95']).not.toBe(h200['ttft_s.p95']);
  });

  it('are condensed: of points with equal objectives the first stands for all', async () => {
    const study = await studyOf(gpuStudy);
    const figures = (cost: number, ttft: number) => ({'cost.per_million_output_tokens_usd': cost, 'ttft_s.p95': ttft});
    const rows = [figures(2, 2), figures(1, 3), figures(2, 2), figures(3, 3), figures(2, 2), figures(4, 1)].map((one, point) => ({
      ...straight[point],
      figures: one,
      misses: [],
    }));
    const {pareto} = sweepDocument('s', study, rows);
    expect(pareto.map(({rank, point, equals}) => [rank, point, equals])).toEqual([
      [1, 1, []],
      [2, 0, [2, 4]],
      [3, 5, []],
    ]);
  });
});

describe('a condition', () => {
  it.each([
    ['ttft_s.p95 <= 500 ms', {'ttft_s.p95': 0.5}, true],
    ['ttft_s.p95 < 500 ms', {'ttft_s.p95': 0.5}, false],
    ['slo.attainment >= 0.95', {'slo.attainment': 0.949}, false],
    ['cost.per_hour_usd <= 10 USD', {'cost.per_hour_usd': 9.99}, true],
    ['cost.per_hour_usd <= $10', {'cost.per_hour_usd': 10.01}, false],
    ['plan.memories.hbm.kv_bytes > 1 GiB', {'plan.memories.hbm.kv_bytes': 2 ** 30}, false],
    ['throughput.requests_per_s >= 60 req/min', {'throughput.requests_per_s': 1}, true],
    ['load.overloaded == 0', {'load.overloaded': 0}, true],
    ['load.overloaded != 0', {'load.overloaded': 0}, false],
    ['load.rho < 1', {'load.rho': null}, false], // unknown meets nothing
  ])('%s', async (text, figures, met) => expect(meets(figures, readCondition(text, await quantities()))).toBe(met));
});

it.each([
  ['ttft_s.p95', 0.0213, '21 ms'],
  ['cost.per_million_output_tokens_usd', 0.0123, '$0.0123'],
  ['cost.per_hour_usd', 2.5, '$2.50'],
  ['slo.attainment', 0.978, '97.8 %'],
  ['throughput.requests_per_s', 12.34, '12.3'],
  ['plan.memories.hbm.kv_bytes', 2 ** 31, '2 GiB'],
  ['requests.preemptions', 1234, '1,234'],
  ['load.rho', null, '–'],
])('shows %s %s as %s', (path, value, text) => expect(figureText(path, value)).toBe(text));

it('adds up what all memories below HBM moved, in all and by cause', () => {
  const document = exampleReport().document;
  const {hbm} = document.tiers;
  const moved = (bytes: object) => ({...hbm!, moved_bytes: bytes}) as (typeof document.tiers)[string];
  const tiers = {hbm: hbm!, dram: moved({load: 1, write: 20, prefetch_late: 300}), ssd: moved({load: 4000, write: 50_000})};
  const figures = figuresOf({...document, tiers});
  expect(figures['tiers.moved_bytes']).toBe(54_321);
  expect(figures['tiers.moved_bytes.load']).toBe(4001);
  expect(figures['tiers.moved_bytes.write']).toBe(50_020);
  expect(figures['tiers.moved_bytes.prefetch_late']).toBe(300);
  expect(figuresOf({...document, tiers: {hbm: hbm!}})).not.toHaveProperty('tiers.moved_bytes');
});
