import type {Interval} from './intervals.js';
import {acrossReplications, batchMeans, sectioning} from './intervals.js';
import {mean, quantile, quantiles} from './quantiles.js';

/** One metric over all measured requests, in the unit of its key (`_s`: seconds). Null where nothing was measured. */
export interface Distribution {
  n: number;
  mean: number | null;
  p50: number | null;
  p90: number | null;
  p95: number | null;
  p99: number | null;
  max: number | null;
  /** 95 % confidence intervals of the run's own randomness. */
  ci95: {mean: [number, number] | null; p95: [number, number] | null};
  /** 80 % prediction intervals: the profile's error joined with the run's randomness. */
  interval80: {mean: [number, number] | null; p95: [number, number] | null};
}

/**
 * Distribution of one metric from one series a replication, each in order of arrival.
 *
 * Point values pool all replications. Intervals come from the replications when there are two or more, else from batches of the one run.
 */
export function distribution(replications: readonly Float64Array[]): Distribution {
  const pooled = concat(replications);
  const n = pooled.length;
  const none = {mean: null, p95: null};
  if (n === 0) return {n, mean: null, p50: null, p90: null, p95: null, p99: null, max: null, ci95: none, interval80: {...none}};
  const [p50, p90, p95, p99, max] = quantiles(pooled, [0.5, 0.9, 0.95, 0.99, 1]);
  return {
    n,
    mean: mean(pooled),
    p50,
    p90,
    p95,
    p99,
    max,
    ci95:
      replications.length > 1
        ? {
            mean: acrossReplications(replications.map(mean)),
            p95: acrossReplications(replications.map((series) => quantile(series, 0.95))),
          }
        : {mean: batchMeans(replications[0]), p95: sectioning(replications[0], 0.95, p95)},
    interval80: {...none},
  };
}

/** Figures of a metric that have intervals. */
export type Centre = Pick<Distribution, 'mean' | 'p95'>;

/** Mean and p95 alone of what `distribution` takes; null where nothing was measured. */
export function centre(replications: readonly Float64Array[]): Centre {
  const pooled = concat(replications);
  return pooled.length === 0 ? {mean: null, p95: null} : {mean: mean(pooled), p95: quantile(pooled, 0.95)};
}

/** z of 80 % over z of 95 %: what turns a 95 % half-width into one of 80 %. */
const TO_80 = 1.2815515655 / 1.9599639845;

/**
 * 80 % prediction interval of a value, given its values with the cost at both ends of the profile's 80 % interval and its own 95 %
 * confidence interval: the two independent deviations are joined by the root of their squares, each side for itself.
 */
export function predictionInterval(value: number, low: number, high: number, ci95: Interval | null): Interval {
  const [from, to] = ci95 ?? [value, value];
  return [value - Math.hypot(value - low, TO_80 * (value - from)), value + Math.hypot(high - value, TO_80 * (to - value))];
}

function concat(parts: readonly Float64Array[]): Float64Array {
  if (parts.length === 1) return parts[0];
  const all = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
