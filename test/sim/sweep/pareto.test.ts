import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {shares} from '../../../src/sim/sweep/levers.js';
import {dominates, knee, pareto} from '../../../src/sim/sweep/pareto.js';

describe('the Pareto set', () => {
  it('of five points by hand: (1,5) (2,2) (4,1) stay, (3,3) loses to (2,2), (2,6) to (1,5)', () => {
    expect(
      pareto([
        [3, 3],
        [4, 1],
        [2, 6],
        [1, 5],
        [2, 2],
      ]),
    ).toEqual([3, 4, 1]);
  });

  it('keeps equal points, and what is worse in one and equal in the others goes', () => {
    expect(
      pareto([
        [1, 2],
        [1, 2],
        [1, 3],
      ]),
    ).toEqual([0, 1]);
  });

  it('is what brute force finds, for any number of objectives', () => {
    const point = (n: number) => fc.array(fc.integer({min: 0, max: 6}), {minLength: n, maxLength: n});
    const sets = fc.integer({min: 1, max: 4}).chain((n) => fc.array(point(n), {maxLength: 60}));
    fc.assert(
      fc.property(sets, (all) => {
        const brute = all.flatMap((a, i) => (all.some((b) => dominates(b, a)) ? [] : [i]));
        expect([...pareto(all)].sort((a, b) => a - b)).toEqual(brute);
      }),
    );
  });
});

describe('the knee', () => {
  it('is nearest to the best of everything: of (0,10) (2,2) (10,0) the middle one', () =>
    expect(
      knee([
        [0, 10],
        [2, 2],
        [10, 0],
      ]),
    ).toBe(1));
  it('does not depend on the units of an objective', () =>
    expect(
      knee([
        [0, 1e4],
        [2, 2e3],
        [10, 0],
      ]),
    ).toBe(1));
  it('needs three points and two objectives', () => {
    expect(
      knee([
        [0, 1],
        [1, 0],
      ]),
    ).toBeNull();
    expect(knee([[0], [1], [2]])).toBeNull();
  });
});

describe('the share of the spread', () => {
  const grid = (f: (a: number, b: number) => number) =>
    [0, 1].flatMap((a) => [0, 1, 2].map((b) => ({coordinates: [a, b], value: f(a, b)})));

  it('is all of it for the axis that alone decides', () => {
    const [a, b] = shares(
      grid((x) => 1 + x),
      2,
    )!;
    expect(a).toBeCloseTo(1, 12);
    expect(b).toBeCloseTo(0, 12);
  });

  it('is split as the variances are: −3 + 6a + b has 9 for a and 2/3 for b', () => {
    const [a, b] = shares(
      grid((x, y) => -3 + 6 * x + y),
      2,
    )!;
    expect(a).toBeCloseTo(9 / (9 + 2 / 3), 12);
    expect(b).toBeCloseTo(2 / 3 / (9 + 2 / 3), 12);
  });

  it('is of the logarithm where all are above 0: 10^a × 10^b weighs both alike on two values each', () => {
    const samples = [
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ].map(([a, b]) => ({coordinates: [a, b], value: 10 ** a * 10 ** b}));
    for (const share of shares(samples, 2)!) expect(share).toBeCloseTo(0.5, 12);
  });

  it('is none for an axis that only matters together with another', () => {
    const samples = [
      [0, 0, 1],
      [0, 1, -1],
      [1, 0, -1],
      [1, 1, 1],
    ].map(([a, b, value]) => ({coordinates: [a, b], value}));
    expect(shares(samples, 2)).toEqual([0, 0]);
  });

  it('is unknown when nothing varies', () =>
    expect(
      shares(
        grid(() => 0.1),
        2,
      ),
    ).toBeNull());
});
