import {shuffled} from './cross-validate.js';
import type {Sample} from './fit.js';
import type {Kernel} from './kernels/kernel.js';

/** Samples to fit and samples to test, none in both. */
export interface Split {
  readonly train: readonly Sample[];
  readonly test: readonly Sample[];
}

/** Those samples that lie on a grid of the axes named, every knot of it; the rest tests. */
export function gridSplit(kernel: Kernel, samples: readonly Sample[], grid: Readonly<Record<string, readonly number[]>>): Split {
  const knots = kernel.axes.map((name) => grid[name]);
  return partition(samples, ({shape}) => shape.every((value, d) => knots[d] === undefined || knots[d].includes(value)));
}

/** `count` samples whose shapes lie as far apart as they can: each next one is farthest from those chosen (Gonzalez, 1985). Times are not looked at. */
export function spreadSplit(kernel: Kernel, samples: readonly Sample[], count: number): Split {
  const points = unitPoints(kernel, samples);
  const distances = new Float64Array(points.length).fill(Number.POSITIVE_INFINITY);
  const chosen = new Set<number>();
  let next = nearestTo(points, 0.5);
  while (chosen.size < Math.min(count, points.length)) {
    chosen.add(next);
    let farthest = next;
    for (let i = 0; i < points.length; i++) {
      distances[i] = Math.min(distances[i], squaredDistance(points[i], points[next]));
      if (!chosen.has(i) && (chosen.has(farthest) || distances[i] > distances[farthest])) farthest = i;
    }
    next = farthest;
  }
  return partition(samples, (_, i) => chosen.has(i));
}

/** `count` samples drawn at random, in an order that depends only on the kernel's name and `seed`. */
export function randomSplit(kernel: Kernel, samples: readonly Sample[], count: number, seed = 0): Split {
  const order = shuffled(samples, `fit/split/${kernel.name}/${seed}`);
  return {train: order.slice(0, count), test: order.slice(count)};
}

function partition(samples: readonly Sample[], chosen: (sample: Sample, index: number) => boolean): Split {
  const train: Sample[] = [];
  const test: Sample[] = [];
  for (const [i, sample] of samples.entries()) (chosen(sample, i) ? train : test).push(sample);
  return {train, test};
}

/** Coordinates in log2, each scaled to 0…1. */
function unitPoints({coordinates}: Kernel, samples: readonly Sample[]): Float64Array[] {
  const points = samples.map(({shape}) => Float64Array.from(coordinates, ({of}) => Math.log2(of(shape))));
  for (let d = 0; d < coordinates.length; d++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (const point of points) [low, high] = [Math.min(low, point[d]), Math.max(high, point[d])];
    for (const point of points) point[d] = high > low ? (point[d] - low) / (high - low) : 0;
  }
  return points;
}

function nearestTo(points: readonly Float64Array[], centre: number): number {
  const away = points.map((point) => point.reduce((sum, x) => sum + (x - centre) ** 2, 0));
  return away.indexOf(away.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY));
}

function squaredDistance(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let d = 0; d < a.length; d++) sum += (a[d] - b[d]) ** 2;
  return sum;
}
