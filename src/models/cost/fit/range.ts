import {InputError} from '../../../sim/core/errors.js';
import type {Sample} from './fit.js';
import type {Kernel} from './kernels/kernel.js';

/** What was measured along each axis, from least to most. */
export interface Range {
  /** Whether a shape lies beyond it on any axis. */
  outside(shape: readonly number[]): boolean;
  /** By name of axis: [least, most]. */
  toJson(): Readonly<Record<string, readonly [number, number]>>;
}

/** The box around samples. */
export function rangeOf(kernel: Kernel, samples: readonly Sample[]): Range {
  const low = kernel.axes.map((_, d) => samples.reduce((least, {shape}) => Math.min(least, shape[d]), Number.POSITIVE_INFINITY));
  const high = kernel.axes.map((_, d) => samples.reduce((most, {shape}) => Math.max(most, shape[d]), Number.NEGATIVE_INFINITY));
  return box(kernel.axes, low, high);
}

/** The range that a profile states; an axis that it leaves out is unbounded. Throws InputError on anything but pairs of numbers. */
export function readRange(kernel: Kernel, json: unknown): Range {
  const stated = (json ?? {}) as Readonly<Record<string, unknown>>;
  const pairs = kernel.axes.map((name) => {
    const pair = stated[name] ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    if (Array.isArray(pair) && pair.length === 2 && pair.every((value) => typeof value === 'number')) return pair as [number, number];
    throw new InputError(`fits.${kernel.name}.range.${name}: ${JSON.stringify(pair)} is not [least, most]`);
  });
  return box(
    kernel.axes,
    pairs.map(([least]) => least),
    pairs.map(([, most]) => most),
  );
}

function box(axes: readonly string[], low: readonly number[], high: readonly number[]): Range {
  return {
    outside(shape): boolean {
      for (let d = 0; d < low.length; d++) if (shape[d] < low[d] || shape[d] > high[d]) return true;
      return false;
    },
    toJson: () => Object.fromEntries(axes.map((name, d) => [name, [low[d], high[d]] as const])),
  };
}
