/** What `run.warmup` says, with the reading of `auto` decided: a replayed trace is measured whole. */
export type WarmupRule = {readonly kind: 'none' | 'auto'} | {readonly kind: 'seconds' | 'requests'; readonly value: number};

/** No rule takes more than this share of the requests. */
const MOST = 0.2;
const BATCH = 5;
const LEAST_BATCHES = 10;

/**
 * How many values at the front of a series are start-up: the cut that makes the remaining mean most certain, in batches of five, at most a
 * fifth of the series (MSER-5: White, Cobb and Spratt 2000). 0 below 50 values.
 */
export function mser5(series: Float64Array): number {
  const batches = Math.floor(series.length / BATCH);
  if (batches < LEAST_BATCHES) return 0;
  const means = new Float64Array(batches);
  for (let i = 0; i < series.length - (series.length % BATCH); i++) means[Math.floor(i / BATCH)] += series[i] / BATCH;

  const most = Math.floor(batches * MOST);
  let best = Infinity;
  let cut = 0;
  let count = 0;
  let average = 0;
  let squares = 0;
  // From the back, with Welford's update, so that every tail costs one step.
  for (let d = batches - 1; d >= 0; d--) {
    count++;
    const off = means[d] - average;
    average += off / count;
    squares += off * (means[d] - average);
    const uncertainty = squares / (count * count);
    if (d <= most && uncertainty <= best) {
      best = uncertainty;
      cut = d;
    }
  }
  return cut * BATCH;
}
