/** The greatest difference between the shares of two samples that lie at or below any value (Kolmogorov and Smirnov): 0 for equal distributions, 1 for samples apart. Neither may be empty. */
export function kolmogorovDistance(one: ArrayLike<number>, other: ArrayLike<number>): number {
  const a = Float64Array.from(one).sort(),
    b = Float64Array.from(other).sort();
  let greatest = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const value = Math.min(a[i], b[j]);
    while (i < a.length && a[i] === value) i++;
    while (j < b.length && b[j] === value) j++;
    greatest = Math.max(greatest, Math.abs(i / a.length - j / b.length));
  }
  return greatest;
}
