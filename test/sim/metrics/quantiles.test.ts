import * as oracle from 'simple-statistics';
import {describe, expect, it} from 'vitest';
import {stream} from '../../../src/sim/core/random.js';
import {mean, quantile, sorted} from '../../../src/sim/metrics/quantiles.js';

describe('quantile', () => {
  // numpy.quantile([1, 2, 4, 8], p), default method: rank 3p, linear between neighbours.
  it.each([
    [0, 1],
    [0.25, 1.75],
    [0.5, 3],
    [0.9, 6.8],
    [1, 8],
  ])('of 1, 2, 4, 8 at %d is %d', (p, value) => {
    expect(quantile(Float64Array.of(1, 2, 4, 8), p)).toBeCloseTo(value, 12);
  });

  it('of one value is that value', () => expect(quantile(Float64Array.of(7), 0.95)).toBe(7));

  it('of nothing is NaN', () => expect(quantile(new Float64Array(0), 0.5)).toBeNaN());
});

it('sorted orders numbers, not their texts, and leaves the original alone', () => {
  const values = Float64Array.of(10, 9, 100);
  expect([...sorted(values)]).toEqual([9, 10, 100]);
  expect([...values]).toEqual([10, 9, 100]);
});

it('median and mean equal those of simple-statistics', () => {
  const random = stream(1, 'test');
  for (const n of [1, 2, 3, 10, 101]) {
    const values = Float64Array.from({length: n}, random);
    expect(quantile(sorted(values), 0.5)).toBeCloseTo(oracle.median([...values]), 12);
    expect(mean(values)).toBeCloseTo(oracle.mean([...values]), 12);
  }
});
