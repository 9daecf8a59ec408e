import type {Sample} from './fit.js';
import type {Coordinate} from './kernels/kernel.js';

/** Cells of a residual table at most, whatever the number of samples. */
const MOST_CELLS = 2048;
/** Share of a grid's cells that are measured when the samples are that grid. */
const MEASURED = 0.9;
/** Knots lie this far apart at least, in log2: closer ones would follow the noise. */
const CLOSEST = 1 / 3;

/**
 * Chooses the knots of a residual table from the samples: among the values measured, as evenly in log2 as they allow.
 *
 * Samples that are a grid, all but a tenth of it, keep all their knots; otherwise there are at most two cells for three samples, three an octave.
 */
export function chooseKnots(coordinates: readonly Coordinate[], samples: readonly Sample[]): {name: string; knots: number[]}[] {
  const distinct = coordinates.map(({of}) => [...new Set(samples.map(({shape}) => of(shape)))].sort((a, b) => a - b));
  const whole = distinct.reduce((product, values) => product * values.length, 1);
  const points = new Set(samples.map(({shape}) => coordinates.map(({of}) => of(shape)).join())).size;
  if (whole <= MOST_CELLS && points >= MEASURED * whole) return coordinates.map(({name}, d) => ({name, knots: distinct[d]}));
  const budget = Math.min(MOST_CELLS, Math.max(1, Math.floor((samples.length * 2) / 3)));
  const counts = distinct.map(() => 1);
  for (;;) {
    const next = widest(distinct, counts, budget);
    if (next === -1) break;
    counts[next]++;
  }
  return coordinates.map(({name}, d) => ({name, knots: spread(distinct[d], counts[d])}));
}

/** The axis whose cells are widest in log2 among those that can have one more knot within the budget, or −1. */
function widest(distinct: readonly (readonly number[])[], counts: readonly number[], budget: number): number {
  const cells = counts.reduce((product, count) => product * count, 1);
  let found = -1;
  let most = 0;
  distinct.forEach((values, d) => {
    const span = Math.log2(values[values.length - 1] / values[0]) / counts[d];
    if (counts[d] < values.length && span > CLOSEST && (cells / counts[d]) * (counts[d] + 1) <= budget && span > most) {
      most = span;
      found = d;
    }
  });
  return found;
}

/** `count` of the values, ends included, nearest to even steps in log2. */
function spread(values: readonly number[], count: number): number[] {
  if (count === 1) return [values[Math.floor(values.length / 2)]];
  const [low, high] = [Math.log2(values[0]), Math.log2(values[values.length - 1])];
  const chosen = new Set<number>();
  for (let i = 0; i < count; i++) {
    const target = low + ((high - low) * i) / (count - 1);
    let best = values[0];
    for (const value of values)
      if (!chosen.has(value) && Math.abs(Math.log2(value) - target) < Math.abs(Math.log2(best) - target)) best = value;
    chosen.add(best);
  }
  return [...chosen].sort((a, b) => a - b);
}
