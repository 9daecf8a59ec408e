import {acrossReplications, overBatches, sections} from './intervals.js';
import {isFinished} from './latency.js';
import type {Measured} from './measured.js';
import type {Centre, Distribution} from './summary.js';
import {countOf, joined, type Weighted, weightedMean, weightedQuantiles} from './weighted.js';

/**
 * Distribution of the gaps between consecutive tokens of the finished requests, each gap weighing the same, all replications pooled; seconds.
 *
 * Intervals as those of other latencies: from the replications, or from ten batches of the requests of one run.
 */
export function gapDistribution(runs: readonly Measured[]): Distribution {
  const each = runs.map((run) => gapsOf(run, run.rows));
  const all = joined(each);
  const n = countOf(all);
  const none = {mean: null, p95: null};
  if (n === 0) return {n, mean: null, p50: null, p90: null, p95: null, p99: null, max: null, ci95: none, interval80: {...none}};
  const [p50, p90, p95, p99, max] = weightedQuantiles(all, [0.5, 0.9, 0.95, 0.99, 1]);
  const mean = weightedMean(all);
  const [run] = runs;
  const batched = overBatches(run.rows, (rows) => gapsOf(run, rows));
  const ci95 =
    runs.length > 1
      ? {mean: acrossReplications(each.map(weightedMean)), p95: acrossReplications(each.map(p95Of))}
      : {
          mean: batched(sections.leastForMean, mean, weightedMean),
          p95: batched(sections.leastForQuantile, p95, p95Of),
        };
  return {n, mean, p50, p90, p95, p99, max, ci95, interval80: {...none}};
}

/** Mean and p95 alone of the same gaps; null where there is none. */
export function gapCentre(runs: readonly Measured[]): Centre {
  const all = joined(runs.map((run) => gapsOf(run, run.rows)));
  return countOf(all) === 0 ? {mean: null, p95: null} : {mean: weightedMean(all), p95: p95Of(all)};
}

function p95Of(series: Weighted): number {
  return weightedQuantiles(series, [0.95])[0];
}

/** The gaps of the finished requests among `rows`, in seconds, with how many requests had each. */
function gapsOf({columns}: Measured, rows: Int32Array): Weighted {
  const wanted = wantedIds(columns, rows);
  const parts = columns.gaps.flatMap(({times, stays}) => {
    const {request, gap, from, to} = stays;
    let first = Number.POSITIVE_INFINITY;
    let last = -1;
    const own = new Float64Array(request.length);
    let n = 0;
    for (let i = 0; i < request.length; i++) {
      if (wanted[request[i]] !== 1) continue;
      own[n++] = gap[i] / 1e9;
      first = Math.min(first, from[i]);
      last = Math.max(last, to[i]);
    }
    if (n === 0) return [];
    // How many requests had the gap before each tick: one more from the tick after a stay's first on, one less after its last.
    const holders = new Int32Array(last - first + 2);
    for (let i = 0; i < request.length; i++) {
      if (wanted[request[i]] !== 1) continue;
      holders[from[i] + 1 - first]++;
      holders[to[i] + 1 - first]--;
    }
    return [{values: own.subarray(0, n), weights: new Float64Array(n).fill(1)}, sharedGaps(times, holders, first)];
  });
  return parts.length === 0 ? {values: new Float64Array(0), weights: new Float64Array(0)} : joined(parts);
}

/** `changes[i]`: by how many more than at the tick before the gap before tick first + i is shared. */
function sharedGaps(times: Float64Array, changes: Int32Array, first: number): Weighted {
  const values = new Float64Array(changes.length);
  const weights = new Float64Array(changes.length);
  let holders = 0;
  let n = 0;
  for (let i = 0; i < changes.length; i++) {
    holders += changes[i];
    if (holders === 0) continue;
    values[n] = (times[first + i] - times[first + i - 1]) / 1e9;
    weights[n++] = holders;
  }
  return {values: values.subarray(0, n), weights: weights.subarray(0, n)};
}

function wantedIds(columns: Measured['columns'], rows: Int32Array): Uint8Array {
  let most = -1;
  for (const row of rows) if (columns.id[row] > most) most = columns.id[row];
  const wanted = new Uint8Array(most + 1);
  for (const row of rows) if (isFinished(columns, row)) wanted[columns.id[row]] = 1;
  return wanted;
}
