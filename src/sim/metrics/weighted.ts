/** Values that count as often as their weights say, in no order. */
export interface Weighted {
  readonly values: Float64Array;
  /** Whole numbers above 0. */
  readonly weights: Float64Array;
}

/** How many values there are, each as often as it counts. */
export function countOf({weights}: Weighted): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += weights[i];
  return sum;
}

/** Arithmetic mean, NaN when there is no value. */
export function weightedMean(series: Weighted): number {
  const {values, weights} = series;
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] * weights[i];
  return sum / countOf(series);
}

/** The series as one. */
export function joined(parts: readonly Weighted[]): Weighted {
  if (parts.length === 1) return parts[0];
  const length = parts.reduce((sum, {values}) => sum + values.length, 0);
  const all = {values: new Float64Array(length), weights: new Float64Array(length)};
  let at = 0;
  for (const {values, weights} of parts) {
    all.values.set(values, at);
    all.weights.set(weights, at);
    at += values.length;
  }
  return all;
}

/**
 * Quantiles for shares 0 ≤ p ≤ 1 in rising order, as `quantiles` gives them of the series with every value written as often as it counts.
 *
 * Selects by weight instead of sorting (Hoare 1961, with three parts).
 */
export function weightedQuantiles(series: Weighted, shares: readonly number[]): number[] {
  const n = countOf(series);
  if (n === 0) return shares.map(() => Number.NaN);
  const values = series.values.slice();
  const weights = series.weights.slice();
  // All before `from` are smaller than what is still looked for, and count `below`.
  let from = 0;
  let below = 0;
  return shares.map((p) => {
    const rank = (n - 1) * p;
    const whole = Math.floor(rank);
    const found = selectRank(values, weights, whole, from, below);
    from = found.from;
    below = found.below;
    const value = values[from];
    if (rank === whole || whole + 1 < found.upTo) return value;
    let above = Number.POSITIVE_INFINITY;
    for (let i = found.end; i < values.length; i++) if (values[i] < above) above = values[i];
    return value + (rank - whole) * (above - value);
  });
}

/** Where the value of a rank lies after sorting it there: entries `from` … `end` are equal to it and count the ranks `below` … `upTo`. */
function selectRank(values: Float64Array, weights: Float64Array, rank: number, from: number, below: number) {
  let low = from;
  let high = values.length;
  for (;;) {
    const pivot = median(values[low], values[(low + high) >> 1], values[high - 1]);
    let less = low; // [low, less) < pivot, [less, at) = pivot, [more, high) > pivot
    let more = high;
    let lighter = 0;
    let equal = 0;
    for (let at = low; at < more; ) {
      const value = values[at];
      if (value < pivot) {
        lighter += weights[at];
        swap(values, weights, at++, less++);
      } else if (value > pivot) swap(values, weights, at, --more);
      else equal += weights[at++];
    }
    if (rank < below + lighter) high = less;
    else if (rank < below + lighter + equal) return {from: less, end: more, below: below + lighter, upTo: below + lighter + equal};
    else {
      below += lighter + equal;
      low = more;
    }
  }
}

function swap(values: Float64Array, weights: Float64Array, i: number, j: number): void {
  const value = values[i];
  const weight = weights[i];
  values[i] = values[j];
  weights[i] = weights[j];
  values[j] = value;
  weights[j] = weight;
}

function median(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
