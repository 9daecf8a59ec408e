import {InputError} from '../../../../sim/core/errors.js';
import type {Fitted, Form, Sample} from '../fit.js';
import {readFields, readNumbers} from '../json.js';
import type {Kernel} from '../kernels/kernel.js';
import {rounded} from '../numbers.js';

/** Linear interpolation between the shapes measured, one axis after the other; the grid may be ragged and have holes. */
export const table: Form = {
  name: 'table',
  title: 'linear interpolation of the table',
  fit: (kernel: Kernel, samples: readonly Sample[]) => fitted(kernel, merged(samples)),
  load(kernel, json): Fitted {
    const {axes, rows} = readFields(kernel, json, ['axes', 'rows']);
    if (JSON.stringify(axes) !== JSON.stringify(kernel.axes)) {
      throw new InputError(`fits.${kernel.name}.axes: ${JSON.stringify(axes)} are not this kernel's: ${kernel.axes.join(', ')}`);
    }
    const numbers = readNumbers(kernel, 'rows', rows);
    const width = kernel.axes.length + 1;
    if (numbers.length === 0 || numbers.length % width !== 0)
      throw new InputError(`fits.${kernel.name}.rows: ${numbers.length} numbers are no rows of ${width}`);
    const samples = Array.from({length: numbers.length / width}, (_, row) => ({
      shape: numbers.slice(row * width, (row + 1) * width - 1),
      seconds: numbers[(row + 1) * width - 1],
    }));
    return fitted(kernel, samples);
  },
};

function fitted(kernel: Kernel, samples: readonly Sample[]): Fitted {
  const root = grow(samples, 0, kernel.axes.length);
  // A line that goes on below what was measured would reach 0.
  const shortest = samples.reduce((least, {seconds}) => Math.min(least, seconds), Number.POSITIVE_INFINITY);
  return {
    form: 'table',
    predict(shape): number {
      const inside = within(root, shape, 0);
      return Number.isNaN(inside) ? Math.max(shortest, beyond(root, shape, 0)) : inside;
    },
    extrapolated: (shape) => Number.isNaN(within(root, shape, 0)),
    parameters: {points: samples.length},
    toJson: () => ({form: 'table/1', axes: kernel.axes, rows: samples.flatMap(({shape, seconds}) => [...shape, seconds])}),
  };
}

/** One value of an axis and what was measured at it. */
interface Level {
  readonly values: readonly number[];
  /** Tables of the remaining axes, or seconds on the last axis. */
  readonly below: readonly (Level | number)[];
}

function grow(samples: readonly Sample[], axis: number, axes: number): Level {
  const groups = new Map<number, Sample[]>();
  for (const sample of samples) {
    const group = groups.get(sample.shape[axis]);
    if (group === undefined) groups.set(sample.shape[axis], [sample]);
    else group.push(sample);
  }
  const values = [...groups.keys()].sort((a, b) => a - b);
  const below = values.map((value) => {
    const group = groups.get(value)!;
    return axis === axes - 1 ? group[0].seconds : grow(group, axis + 1, axes);
  });
  return {values, below};
}

/** Shapes measured more than once count with the mean of their times. */
function merged(samples: readonly Sample[]): Sample[] {
  const groups = new Map<string, {shape: readonly number[]; sum: number; count: number}>();
  for (const {shape, seconds} of samples) {
    const key = shape.join();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, {shape, sum: seconds, count: 1});
    else {
      group.sum += seconds;
      group.count++;
    }
  }
  return [...groups.values()].map(({shape, sum, count}) => ({shape, seconds: rounded(sum / count)}));
}

/** The answer between the nearest values on both sides that have the rest of the shape inside them; NaN where there are none. */
function within({values, below}: Level, shape: readonly number[], axis: number): number {
  const x = shape[axis];
  let low = indexAtMost(values, x);
  let lower = Number.NaN;
  for (; low >= 0; low--) {
    lower = answer(below[low], shape, axis);
    if (!Number.isNaN(lower)) break;
  }
  if (low < 0 || values[low] === x) return lower;
  let high = indexAtMost(values, x) + 1;
  let upper = Number.NaN;
  for (; high < values.length; high++) {
    upper = answer(below[high], shape, axis);
    if (!Number.isNaN(upper)) break;
  }
  return lower + ((x - values[low]) / (values[high] - values[low])) * (upper - lower);
}

function answer(below: Level | number, shape: readonly number[], axis: number): number {
  return typeof below === 'number' ? below : within(below, shape, axis + 1);
}

/** Outside: on through the two nearest values that have the rest of the shape inside them, or through the two nearest of all. */
function beyond({values, below}: Level, shape: readonly number[], axis: number): number {
  const x = shape[axis];
  const start = indexAtMost(values, x);
  const near = nearestAnswers(below, shape, axis, start, -1);
  if (near.length === 0) near.push(...nearestAnswers(below, shape, axis, start + 1, 1));
  if (near.length > 0) return throughTwo(values, near, x);
  const at = (index: number): number => {
    const next = below[index];
    return typeof next === 'number' ? next : beyond(next, shape, axis + 1);
  };
  if (values.length === 1) return at(0);
  const low = Math.max(0, Math.min(start, values.length - 2));
  return throughTwo(
    values,
    [
      [low, at(low)],
      [low + 1, at(low + 1)],
    ],
    x,
  );
}

/** Up to two values from `from` on, in the direction of `step`, that answer the rest of the shape: [index, seconds]. */
function nearestAnswers(below: Level['below'], shape: readonly number[], axis: number, from: number, step: 1 | -1): [number, number][] {
  const found: [number, number][] = [];
  for (let i = from; i >= 0 && i < below.length && found.length < 2; i += step) {
    const seconds = answer(below[i], shape, axis);
    if (!Number.isNaN(seconds)) found.push([i, seconds]);
  }
  return found;
}

/** The line through one or two points, at x. */
function throughTwo(values: readonly number[], [[i, first], other]: readonly (readonly [number, number])[], x: number): number {
  if (other === undefined) return first;
  const [j, second] = other;
  return first + ((x - values[i]) / (values[j] - values[i])) * (second - first);
}

/** Index of the greatest value that is at most x, or −1. */
function indexAtMost(values: readonly number[], x: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
