import type {FitError} from './fit.js';
import {quantileOf} from './numbers.js';

/** Errors of predictions against what was measured, both in seconds. */
export function errorOf(measured: ArrayLike<number>, predicted: ArrayLike<number>): FitError {
  const n = measured.length;
  const absolute = new Float64Array(n);
  const ratios = new Float64Array(n);
  let sum = 0;
  let signed = 0;
  for (let i = 0; i < n; i++) {
    const error = predicted[i] / measured[i] - 1;
    absolute[i] = Math.abs(error);
    ratios[i] = measured[i] / predicted[i];
    sum += absolute[i];
    signed += error;
  }
  absolute.sort();
  ratios.sort();
  return {
    mape: sum / n,
    p50: quantileOf(absolute, 0.5),
    p90: quantileOf(absolute, 0.9),
    bias: signed / n,
    interval: [quantileOf(ratios, 0.1), quantileOf(ratios, 0.9)],
    n,
  };
}

/** Share of points whose measured/predicted lies within `interval`: 0.8 when the interval is right. */
export function coverageOf(measured: ArrayLike<number>, predicted: ArrayLike<number>, [low, high]: readonly [number, number]): number {
  let inside = 0;
  for (let i = 0; i < measured.length; i++) {
    const ratio = measured[i] / predicted[i];
    if (ratio >= low && ratio <= high) inside++;
  }
  return inside / measured.length;
}
