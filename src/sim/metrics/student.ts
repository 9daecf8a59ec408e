/**
 * The p-quantile of Student's t with `freedom` degrees of freedom, 0.5 < p < 1: what a half-width is multiplied with.
 *
 * Found by bisection of the distribution function, to 12 digits.
 */
export function studentQuantile(p: number, freedom: number): number {
  if (!(p > 0.5 && p < 1) || !(freedom >= 1)) throw new RangeError(`t quantile needs 0.5 < p < 1 and freedom ≥ 1, got ${p}, ${freedom}`);
  let low = 0;
  let high = 1;
  while (studentBelow(high, freedom) < p) high *= 2;
  while (high - low > 1e-12 * high) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (studentBelow(middle, freedom) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** P(T ≤ t) for t ≥ 0. */
function studentBelow(t: number, freedom: number): number {
  return 1 - 0.5 * incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5);
}

/** Regularised incomplete beta by its continued fraction (Abramowitz and Stegun 1964, 26.5.8), evaluated by Lentz's method. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast only left of the mean.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(a * Math.log(x) + b * Math.log(1 - x) + logGamma(a + b) - logGamma(a) - logGamma(b)) / a;
  let c = 1;
  let d = 1 / (1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m < 500; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / (1 + even * d);
    c = 1 + even / c;
    fraction *= c * d;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + odd * d);
    c = 1 + odd / c;
    fraction *= c * d;
    if (Math.abs(c * d - 1) < 1e-15) break;
  }
  return front * fraction;
}

/** ln Γ(x) for x > 0: Stirling's series (Abramowitz and Stegun 1964, 6.1.41) after shifting x above 10. */
function logGamma(x: number): number {
  let shift = 0;
  for (; x < 10; x++) shift -= Math.log(x);
  const square = 1 / (x * x);
  const series = (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680))) / x;
  return shift + (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series;
}
