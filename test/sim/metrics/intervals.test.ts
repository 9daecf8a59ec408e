import {describe, expect, it} from 'vitest';
import {stream} from '../../../src/sim/core/random.js';
import {acrossReplications, batchMeans, sectioning} from '../../../src/sim/metrics/intervals.js';
import {quantile} from '../../../src/sim/metrics/quantiles.js';
import {studentQuantile} from '../../../src/sim/metrics/student.js';

describe('studentQuantile', () => {
  // Two-sided 95 % and 99 % columns of the usual table (NIST/SEMATECH e-Handbook 1.3.6.7.2).
  it.each([
    [0.975, 1, 12.706],
    [0.975, 2, 4.303],
    [0.975, 4, 2.776],
    [0.975, 9, 2.262],
    [0.975, 29, 2.045],
    [0.975, 1e6, 1.96],
    [0.995, 9, 3.25],
    [0.9, 5, 1.476],
  ])('%d with %d degrees of freedom is %d', (p, freedom, t) => {
    expect(studentQuantile(p, freedom)).toBeCloseTo(t, 3);
  });

  it('refuses a share outside (0.5, 1)', () => expect(() => studentQuantile(0.5, 3)).toThrow(RangeError));
});

describe('acrossReplications', () => {
  it('is mean ± t · s / √n: 1, 2, 3 gives 2 ± 4.303 / √3', () => {
    const [from, to] = acrossReplications([1, 2, 3])!;
    expect(from).toBeCloseTo(2 - 4.30265 / Math.sqrt(3), 4);
    expect(to).toBeCloseTo(2 + 4.30265 / Math.sqrt(3), 4);
  });

  it('says nothing about one replication', () => expect(acrossReplications([5])).toBeNull());
});

it('a series too short for ten batches has no interval', () => {
  expect(batchMeans(new Float64Array(19))).toBeNull();
  expect(batchMeans(new Float64Array(20))).not.toBeNull();
  expect(sectioning(new Float64Array(199), 0.95, 0)).toBeNull();
  expect(sectioning(new Float64Array(200), 0.95, 0)).not.toBeNull();
});

// Share of 400 series of 2,000 values whose 95 % interval holds the truth. x_t = φ x_{t-1} + noise has mean 0 and a known normal law.
describe.each([
  ['independent', 0],
  ['φ = 0.5', 0.5],
  ['φ = 0.9', 0.9],
])('of a series that is %s, 95 %% intervals hold the truth about 95 times of 100', (_, phi) => {
  const deviation = 1 / Math.sqrt(1 - phi * phi);
  const runs = Array.from({length: 400}, (_, run) => autoregressive(phi, 2000, run));

  it('by batch means', () => {
    const held = runs.filter((series) => holds(batchMeans(series)!, 0)).length / runs.length;
    expect(held).toBeGreaterThan(0.91);
    expect(held).toBeLessThan(0.98);
  });

  it('by sectioning of the p95', () => {
    const held = runs.filter((series) => holds(sectioning(series, 0.95, quantile(series, 0.95))!, 1.6448536 * deviation));
    expect(held.length / runs.length).toBeGreaterThan(0.89);
    expect(held.length / runs.length).toBeLessThan(0.99);
  });

  it('by ten replications', () => {
    const means = runs.map((series) => series.subarray(0, 200).reduce((sum, x) => sum + x, 0) / 200);
    const groups = Array.from({length: 40}, (_, g) => acrossReplications(means.slice(g * 10, g * 10 + 10))!);
    expect(groups.filter((interval) => holds(interval, 0)).length).toBeGreaterThanOrEqual(34);
  });
});

function holds([from, to]: [number, number], truth: number): boolean {
  return from <= truth && truth <= to;
}

function autoregressive(phi: number, n: number, seed: number): Float64Array {
  const random = stream(seed, 'test/autoregressive');
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  let x = normal() / Math.sqrt(1 - phi * phi);
  return Float64Array.from({length: n}, () => (x = phi * x + normal()));
}
