import * as oracle from 'simple-statistics';
import {describe, expect, it} from 'vitest';
import {stream} from '../../../src/sim/core/random.js';
import {mean, quantile, quantiles} from '../../../src/sim/metrics/quantiles.js';

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

describe('quantiles', () => {
  const shares = [0, 0.1, 0.5, 0.5, 0.9, 0.95, 0.99, 1];

  it('need no order, and leave the values as they were', () => {
    const values = Float64Array.of(8, 1, 4, 2);
    expect(quantiles(values, [0, 0.5, 1])).toEqual([1, 3, 8]);
    expect([...values]).toEqual([8, 1, 4, 2]);
  });

  it.each([
    ['random values', (i: number, random: () => number) => random() * (i + 1)],
    ['many equal values', (_: number, random: () => number) => Math.floor(random() * 3)],
    ['equal values', () => 7],
    ['rising values', (i: number) => i],
    ['falling values', (i: number) => -i],
    ['an organ pipe', (i: number) => Math.min(i, 500 - i)],
  ])('equal those of a sorted copy for %s', (_what, value) => {
    const random = stream(2, 'test');
    for (const n of [1, 2, 3, 7, 100, 501]) {
      const values = Float64Array.from({length: n}, (_, i) => value(i, random));
      const rising = values.slice().sort();
      const expected = shares.map((p) => {
        const rank = (n - 1) * p;
        const below = Math.floor(rank);
        return rank === below ? rising[below] : rising[below] + (rank - below) * (rising[below + 1] - rising[below]);
      });
      expect(quantiles(values, shares)).toEqual(expected);
    }
  });
});

it('median and mean equal those of simple-statistics', () => {
  const random = stream(1, 'test');
  for (const n of [1, 2, 3, 10, 101]) {
    const values = Float64Array.from({length: n}, random);
    expect(quantile(values, 0.5)).toBeCloseTo(oracle.median([...values]), 12);
    expect(mean(values)).toBeCloseTo(oracle.mean([...values]), 12);
  }
});
