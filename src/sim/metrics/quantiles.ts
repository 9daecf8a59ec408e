/** Returns a sorted copy. */
export function sorted(values: Float64Array): Float64Array {
  return values.slice().sort();
}

/**
 * The p-quantile of values in rising order, 0 ≤ p ≤ 1: linear between the two nearest ranks, as numpy's default (Hyndman and Fan 1996, type 7).
 *
 * NaN when there is no value.
 */
export function quantile(rising: Float64Array, p: number): number {
  const rank = (rising.length - 1) * p;
  const below = Math.floor(rank);
  if (below + 1 >= rising.length) return rising.length === 0 ? NaN : rising[rising.length - 1];
  return rising[below] + (rank - below) * (rising[below + 1] - rising[below]);
}

/** Arithmetic mean, NaN when there is no value. */
export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum / values.length;
}
