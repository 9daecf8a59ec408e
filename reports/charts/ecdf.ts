/** Points of an empirical distribution: `share[i]` of all values are at most `value[i]`. */
export interface Ecdf {
  readonly value: Float64Array;
  readonly share: Float64Array;
  /** Values that it stands on. */
  readonly n: number;
}

/** All the points of a small sample; of a larger one this many, evenly by share, and every one of the last hundred. */
const evenPoints = 400;
const tailPoints = 100;

/** The empirical distribution of the known values of a sample. Every point is a value of the sample with its exact share. */
export function ecdf(sample: Float64Array): Ecdf {
  const sorted = sample.filter((v) => !Number.isNaN(v)).sort();
  const ranks = pickRanks(sorted.length);
  return {
    value: Float64Array.from(ranks, (rank) => sorted[rank - 1]!),
    share: Float64Array.from(ranks, (rank) => rank / sorted.length),
    n: sorted.length,
  };
}

function pickRanks(n: number): number[] {
  const all = evenPoints + tailPoints;
  if (n <= all) return Array.from({length: n}, (_, i) => i + 1);
  const body = n - tailPoints;
  const ranks = Array.from({length: evenPoints}, (_, i) => Math.max(1, Math.round(((i + 1) / evenPoints) * body)));
  for (let rank = body + 1; rank <= n; rank++) ranks.push(rank);
  return ranks;
}

/** Share of values that are at most `at`. */
export function shareAt({value, share}: Ecdf, at: number): number {
  let found = 0;
  for (let i = 0; i < value.length && value[i]! <= at; i++) found = share[i]!;
  return found;
}

/** The smallest value that at least `share` of the sample do not exceed, or null when there is none. */
export function valueAt(curve: Ecdf, share: number): number | null {
  for (let i = 0; i < curve.share.length; i++) if (curve.share[i]! >= share - 1e-12) return curve.value[i]!;
  return null;
}
