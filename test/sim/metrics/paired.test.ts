import {expect, it} from 'vitest';
import {pairedQuantile} from '../../../src/sim/metrics/paired.js';

const series = (n: number, value: (i: number) => number) => Float64Array.from({length: n}, (_, i) => value(i));

it('a shift of every value is the difference, with an interval of no width', () => {
  const before = series(1000, (i) => ((i * 7919) % 997) / 100);
  const found = pairedQuantile([before], [before.map((v) => v - 2)], 0.95)!;
  expect(found.difference).toBeCloseTo(-2, 9);
  expect(found.ci95![0]).toBeCloseTo(-2, 9);
  expect(found.ci95![1]).toBeCloseTo(-2, 9);
});

it('replications are the pairs when there are two or more: differences 1 and 3 give 2 ± 12.7', () => {
  const constant = (value: number) => series(10, () => value);
  const found = pairedQuantile([constant(5), constant(5)], [constant(6), constant(8)], 0.95)!;
  expect(found).toMatchObject({before: 5, after: 7, difference: 2});
  expect(found.ci95![1] - 2).toBeCloseTo(12.706, 2);
});

it('has no interval below 200 values, and nothing to say of an empty run', () => {
  const short = series(199, (i) => i);
  expect(pairedQuantile([short], [short], 0.95)).toMatchObject({difference: 0, ci95: null});
  expect(pairedQuantile([short], [new Float64Array(0)], 0.95)).toBeNull();
});
