import {mean, quantile} from './quantiles.js';
import {studentQuantile} from './student.js';

export type Interval = [number, number];

/** Batches that one run is cut into: 10 to 30 are enough, and fewer stand more correlation (Schmeiser 1982). */
const BATCHES = 10;
/** How long a series must be: below two values a batch the mean says nothing; below twenty its p95 is only its largest value. */
export const sections = {leastForMean: 2 * BATCHES, leastForQuantile: 20 * BATCHES} as const;

/**
 * 95 % interval of a mean from values of independent replications, by Student's t. Null with fewer than two.
 */
export function acrossReplications(values: readonly number[]): Interval | null {
  if (values.length < 2 || values.some(Number.isNaN)) return null;
  return around(mean(values), values);
}

/**
 * 95 % interval of the mean of one run, by batch means: the series, in order of arrival, is cut into ten equal batches whose means are
 * nearly independent (Law, Simulation Modeling and Analysis, 9.5.3). Values that do not fill a batch are left at the front. Null below 20 values.
 */
export function batchMeans(series: Float64Array): Interval | null {
  if (series.length < sections.leastForMean) return null;
  return around(mean(series), batches(series).map(mean));
}

/**
 * 95 % interval of the p-quantile of one run, by sectioning: quantiles of ten equal batches, their spread taken about the quantile of the
 * whole series, which is less biased than their mean (Asmussen and Glynn, Stochastic Simulation, 2007, III.5). Null below 200 values.
 */
export function sectioning(series: Float64Array, p: number, whole: number): Interval | null {
  if (series.length < sections.leastForQuantile) return null;
  return around(
    whole,
    batches(series).map((batch) => quantile(batch, p)),
  );
}

/**
 * 95 % interval of the difference of the p-quantile between two runs of the same requests, by sectioning: the differences of ten equal
 * batches, about that of the whole series. Null below 200 values.
 */
export function pairedSectioning(before: Float64Array, after: Float64Array, p: number, whole: number): Interval | null {
  if (Math.min(before.length, after.length) < sections.leastForQuantile) return null;
  const [from, to] = [before, after].map(batches);
  return around(
    whole,
    to.map((batch, i) => quantile(batch, p) - quantile(from[i], p)),
  );
}

/**
 * 95 % intervals of figures of one run's requests, by ten equal batches of them, their spread taken about the figure of all. `part` is what
 * all the figures of a batch are worked out from. Null below `least` rows, or where a batch has no such figure.
 */
export function overBatches<Part>(rows: Int32Array, part: (batch: Int32Array) => Part) {
  let parts: Part[] | null = null;
  return (least: number, whole: number, figure: (of: Part) => number): Interval | null => {
    if (rows.length < least) return null;
    parts ??= batches(rows).map(part);
    const values = parts.map(figure);
    return values.some(Number.isNaN) ? null : around(whole, values);
  };
}

function batches<T extends Float64Array | Int32Array>(series: T): T[] {
  const size = Math.floor(series.length / BATCHES);
  const front = series.length - size * BATCHES;
  return Array.from({length: BATCHES}, (_, i) => series.subarray(front + i * size, front + (i + 1) * size) as T);
}

function around(centre: number, values: readonly number[]): Interval {
  let squares = 0;
  for (const value of values) squares += (value - centre) ** 2;
  const half = studentQuantile(0.975, values.length - 1) * Math.sqrt(squares / (values.length - 1) / values.length);
  return [centre - half, centre + half];
}
