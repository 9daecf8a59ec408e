import {describe, expect, it} from 'vitest';
import {stream} from '../../../src/sim/core/random.js';
import {counts, distributionFault, draws, exponential, gamma, normal, zipf} from '../../../src/sim/workload/distributions.js';
import type {Distribution} from '../../../src/sim/workload/workload.js';

const N = 200_000;
const samples = (draw: (random: () => number) => number): number[] => {
  const random = stream(1, 'distributions');
  return Array.from({length: N}, () => draw(random));
};
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const variance = (values: readonly number[]) => {
  const middle = mean(values);
  return mean(values.map((value) => (value - middle) ** 2));
};

it.each([
  ['exponential', exponential, 1, 1],
  ['normal', normal, 0, 1],
  ['gamma of shape 0.5', gamma(0.5), 0.5, 0.5],
  ['gamma of shape 1', gamma(1), 1, 1],
  ['gamma of shape 7', gamma(7), 7, 7],
])('%s has the mean and variance of its law', (_name, draw, expectedMean, expectedVariance) => {
  const values = samples(draw);
  // Five standard errors: a right generator fails once in a million.
  expect(Math.abs(mean(values) - expectedMean)).toBeLessThan(5 * Math.sqrt(expectedVariance / N));
  expect(variance(values) / expectedVariance).toBeCloseTo(1, 1);
});

it.each<[Distribution, number, number]>([
  [{dist: 'lognormal', mean: 3100, cv: 0.9}, 3100, 0.9],
  [{dist: 'gamma', mean: 50, cv: 2}, 50, 2],
  [{dist: 'gamma', mean: 50, cv: 0}, 50, 0],
  [{dist: 'exponential', mean: 30}, 30, 1],
  [{dist: 'uniform', min: 100, max: 300}, 200, 200 / Math.sqrt(12) / 200],
  [{dist: 'geometric', mean: 5}, 5, Math.sqrt(0.8)],
  [{dist: 'geometric', mean: 1}, 1, 0],
  [{dist: 'constant', value: 7}, 7, 0],
])('%j has its mean and coefficient of variation', (distribution, expectedMean, cv) => {
  const values = samples(draws(distribution, 'x'));
  expect(Math.abs(mean(values) / expectedMean - 1)).toBeLessThan(0.02);
  expect(Math.abs(Math.sqrt(variance(values)) / expectedMean - cv)).toBeLessThan(0.03 * Math.max(cv, 0.01));
});

it.each([
  [1, 1, 12],
  [0, 1, 5],
  [0.5, 3, 9],
  [2.5, 1, 1000],
])('zipf of exponent %d over %d … %d draws k with a probability ∝ k^-s', (s, from, to) => {
  const seen = new Map<number, number>();
  for (const k of samples(zipf(s, from, to))) seen.set(k, (seen.get(k) ?? 0) + 1);
  let total = 0;
  for (let k = from; k <= to; k++) total += k ** -s;
  for (let k = from; k <= Math.min(to, from + 11); k++) {
    const share = k ** -s / total;
    expect(Math.abs((seen.get(k) ?? 0) / N - share), `k = ${k}`).toBeLessThan(5 * Math.sqrt(share / N) + 1e-9);
  }
  expect(Math.min(...seen.keys())).toBeGreaterThanOrEqual(from);
  expect(Math.max(...seen.keys())).toBeLessThanOrEqual(to);
});

it('empirical draws the values that were measured, about equally often', () => {
  const values = samples(draws({dist: 'empirical', values: Float64Array.of(5, 5, 8)}, 'x'));
  expect(new Set(values)).toEqual(new Set([5, 8]));
  expect(values.filter((value) => value === 8).length / N).toBeCloseTo(1 / 3, 2);
});

it('values are clipped to min and max', () => {
  const values = samples(draws({dist: 'lognormal', mean: 100, cv: 2, min: 50, max: 200}, 'x'));
  expect([Math.min(...values.slice(0, 1000)), Math.max(...values.slice(0, 1000))]).toEqual([50, 200]);
});

it('counts are whole, and 1 at least', () => {
  const values = samples(counts({dist: 'exponential', mean: 1}, 'x'));
  expect(values.every((value) => Number.isInteger(value) && value >= 1)).toBe(true);
  expect(values).toContain(1);
  expect(values).toContain(3);
});

describe('impossible distributions', () => {
  it.each<[Distribution, string]>([
    [{dist: 'lognormal', mean: 5}, 'lognormal needs a cv'],
    [{dist: 'lognormal', cv: 1}, 'lognormal needs a mean'],
    [{dist: 'lognormal', mean: 0, cv: 1}, 'lognormal needs a mean above 0'],
    [{dist: 'gamma', mean: -1, cv: 1}, 'mean is -1; it must be a finite number, 0 or more'],
    [{dist: 'exponential', mean: Number.NaN}, 'mean is NaN; it must be a finite number, 0 or more'],
    [{dist: 'uniform', min: 5}, 'uniform needs a max'],
    [{dist: 'uniform', min: 5, max: 4}, 'max 4 is below min 5'],
    [{dist: 'geometric', mean: 0.5}, 'geometric counts from 1, so its mean cannot be 0.5'],
    [{dist: 'zipf', s: 1}, 'zipf needs a max'],
    [{dist: 'zipf', s: 1, max: 0.5}, 'zipf counts from 1, so its max cannot be 0.5'],
    [{dist: 'constant', value: Infinity}, 'value is Infinity; it must be a finite number, 0 or more'],
    [{dist: 'empirical', values: new Float64Array()}, 'empirical has no value to draw from'],
    [{dist: 'exponential', mean: 5, min: -1}, 'min is -1; it must be 0 or more'],
  ])('%j', (distribution, fault) => {
    expect(distributionFault(distribution)).toBe(fault);
    expect(() => draws(distribution, 'workload.output_tokens')).toThrow(`workload.output_tokens: ${fault}`);
  });

  it('possible ones have no fault', () => {
    expect(distributionFault({dist: 'lognormal', mean: 5, cv: 0})).toBeNull();
    expect(distributionFault({dist: 'zipf', s: 0, max: 5})).toBeNull();
  });
});
