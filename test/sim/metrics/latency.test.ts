import {describe, expect, it} from 'vitest';
import {byArrival, latencySeries} from '../../../src/sim/metrics/latency.js';
import {meetsGoals} from '../../../src/sim/metrics/measured.js';
import {centre, distribution, predictionInterval} from '../../../src/sim/metrics/summary.js';
import {requestColumns} from '../../support/records.js';

// Arrives at 10 s, starts at 12, first token at 13, the last of five at 17; the others give no TPOT or nothing at all.
const columns = requestColumns([
  {arrival: 10, scheduled: 12, firstToken: 13, finished: 17, output: 5},
  {arrival: 11, scheduled: 12, firstToken: 14, finished: 14, output: 1},
  {arrival: 12, end: 'timed-out', reason: 'queue_timeout', finished: 99},
]);
const rows = byArrival(columns);

describe('latencies', () => {
  it.each([
    ['ttft_s', [3, 3]],
    ['ttft_server_s', [1, 2]],
    ['tpot_s', [1]],
    ['itl_max_s', [1]],
    ['e2e_s', [7, 3]],
    ['queue_s', [2, 1]],
    ['normalised_latency_s', [1.4, 3]],
  ] as const)('%s of the finished requests', (name, seconds) => {
    expect([...latencySeries(columns, rows, name)]).toEqual(seconds);
  });
});

describe('meetsGoals', () => {
  const none = {ttft: null, tpot: null, e2e: null};
  it.each([
    [0, {...none, ttft: 3}, true],
    [0, {...none, ttft: 2.999}, false],
    [0, {...none, ttft: 3, tpot: 0.5}, false],
    [0, {...none, e2e: 7}, true],
    [0, {...none, e2e: 6}, false],
    // One token has no gap that could be too long.
    [1, {...none, tpot: 0.001}, true],
    // An unfinished request meets nothing.
    [2, none, false],
  ])('row %d with %o: %s', (row, goals, meets) => {
    expect(meetsGoals(columns, row, [goals])).toBe(meets);
  });
});

it('byArrival sorts also when ids are no order of arrival', () => {
  const late = requestColumns([{arrival: 5}, {arrival: 1}, {arrival: 1}, {arrival: 3}]);
  expect([...byArrival(late)]).toEqual([1, 2, 3, 0]);
});

describe('distribution', () => {
  it('pools replications and takes the interval from their means', () => {
    const d = distribution([Float64Array.of(1, 3), Float64Array.of(4, 8)]);
    expect(d).toMatchObject({n: 4, mean: 4, p50: 3.5, max: 8});
    // Means 2 and 6: 4 ± 12.706 · 2.
    expect(d.ci95.mean![0]).toBeCloseTo(4 - 25.412, 2);
    expect(d.ci95.mean![1]).toBeCloseTo(4 + 25.412, 2);
  });

  it('has its mean and p95 alone, too, null of nothing', () => {
    // Of 1, 3, 4 and 8 the rank of p95 is 2.85.
    expect(centre([Float64Array.of(1, 3), Float64Array.of(4, 8)])).toEqual({mean: 4, p95: expect.closeTo(4 + 0.85 * 4, 12)});
    expect(centre([new Float64Array(0)])).toEqual({mean: null, p95: null});
  });

  it('of nothing is null, never 0', () => {
    const none = {mean: null, p95: null};
    expect(distribution([new Float64Array(0)])).toEqual({
      n: 0,
      mean: null,
      p50: null,
      p90: null,
      p95: null,
      p99: null,
      max: null,
      ci95: none,
      interval80: none,
    });
  });

  it('of replications that measured nothing has no interval', () => {
    expect(distribution([Float64Array.of(1), new Float64Array(0)]).ci95.mean).toBeNull();
  });
});

describe('predictionInterval', () => {
  it('is the cost interval when the run itself is certain', () => {
    expect(predictionInterval(10, 7, 14, null)).toEqual([7, 14]);
  });

  it('joins both by the root of squares: 3 and 4 give 5', () => {
    // A 95 % half-width of 4 · 1.96 / 1.2816 is 4 at 80 %.
    const half = (4 * 1.9599639845) / 1.2815515655;
    const [from, to] = predictionInterval(10, 7, 13, [10 - half, 10 + half]);
    expect(from).toBeCloseTo(5, 6);
    expect(to).toBeCloseTo(15, 6);
  });
});
