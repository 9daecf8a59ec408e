import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {searches} from '../../../src/sim/sweep/search/index.js';

describe.each(Object.entries(searches))('%s', (name, search) => {
  const points = name === 'grid' ? null : 7;
  it('chooses distinct points of the grid in ascending order, the same for the same seed', () => {
    fc.assert(
      fc.property(fc.integer({min: 1, max: 5000}), fc.nat(), (size, seed) => {
        const chosen = search.choose({size, points, seed});
        expect(chosen).toEqual(search.choose({size, points, seed}));
        for (const [i, point] of chosen.entries()) {
          expect(Number.isInteger(point) && point >= 0 && point < size).toBe(true);
          if (i > 0) expect(point).toBeGreaterThan(chosen[i - 1]);
        }
        expect(chosen).toHaveLength(points === null ? size : Math.min(size, points));
      }),
    );
  });
});

it('random draws every point about as often, and other points with another seed', () => {
  const counts = new Array(10).fill(0);
  for (let seed = 0; seed < 2000; seed++) for (const point of searches.random.choose({size: 10, points: 3, seed})) counts[point]++;
  // 600 each are expected; the standard deviation is √(2000 × 0.3 × 0.7) = 20.5.
  for (const count of counts) expect(Math.abs(count - 600)).toBeLessThan(5 * 20.5);
});

it('random draws from a grid too large to list', () => {
  expect(searches.random.choose({size: 1e15, points: 50, seed: 1})).toHaveLength(50);
});

it('a grid that cannot be run is refused, and one that was asked for fewer points', () => {
  expect(() => searches.grid.choose({size: 100_001, points: null, seed: 1})).toThrow('at most 100000 are run');
  expect(() => searches.grid.choose({size: 10, points: 5, seed: 1})).toThrow('{method: random, points: N}');
});
