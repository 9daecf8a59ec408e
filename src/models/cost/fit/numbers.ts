/** Keeps 9 significant digits, so that a constant as text and as a number are the same. */
export function rounded(value: number): number {
  return Number(value.toPrecision(9));
}

/** The q-quantile of sorted values, linear between ranks; NaN of none. */
export function quantileOf(sorted: ArrayLike<number>, q: number): number {
  if (sorted.length === 0) return Number.NaN;
  const at = q * (sorted.length - 1);
  const below = Math.floor(at);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}
