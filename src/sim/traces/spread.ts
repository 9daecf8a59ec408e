/** Mean, percentiles and extremes of a column. */
export interface Spread {
  readonly mean: number;
  readonly p50: number;
  readonly p95: number;
  readonly min: number;
  readonly max: number;
  readonly total: number;
}

/** Measures a column that is not empty. */
export function spreadOf(values: Int32Array | Float64Array): Spread {
  const sorted = values.slice().sort();
  let total = 0;
  for (const value of sorted) total += value;
  return {
    mean: total / sorted.length,
    p50: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    min: sorted[0],
    max: sorted[sorted.length - 1],
    total,
  };
}

/** The value at `share` of a rising list, interpolated between neighbours as numpy does. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place),
    above = Math.ceil(place);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
}
