import {latencySeries} from '../metrics/latency.js';
import {type Measured, measuredAfter} from '../metrics/measured.js';
import {pairedQuantile} from '../metrics/paired.js';
import {mean} from '../metrics/quantiles.js';
import type {RunRecord} from '../metrics/record.js';
import type {PrefetchWorth, ResultDocument} from './result.js';
import type {Scenario} from './scenario.js';
import {bytesText, durationText, percentText} from './text.js';
import {verdictOf} from './tier-worth.js';

/** The scenario in which blocks are loaded only when they are asked for; null: it is that already. */
export function withoutPrefetches(scenario: Scenario): Scenario | null {
  return scenario.kv.prefetch === null ? null : {...scenario, kv: {...scenario.kv, prefetch: null}};
}

/** What prefetches hid and what they moved for it: `records` beside the runs `without` them, on the same random streams. Empty when too few requests finished to say. */
export function prefetchWorth(
  {kv}: Scenario,
  runs: readonly Measured[],
  records: readonly RunRecord[],
  without: readonly RunRecord[],
): Pick<ResultDocument, 'prefetch'> {
  const others = without.map((record, i) => measuredAfter(record.requests, runs[i].warmup));
  const series = (all: readonly Measured[], name: 'ttft_s' | 'load_s' | 'tpot_s') =>
    all.map((run) => latencySeries(run.columns, run.rows, name));
  const found = pairedQuantile(series(others, 'ttft_s'), series(runs, 'ttft_s'), 0.95);
  if (kv.prefetch === null || found === null) return {};
  const average = (all: readonly Measured[], name: 'ttft_s' | 'tpot_s') => {
    const values = series(all, name).flatMap((one) => [...one]);
    return values.length === 0 ? null : mean(values);
  };
  const worth: Omit<PrefetchWorth, 'text'> = {
    policy: kv.prefetch.policy,
    ttft_p95_s: {with: found.after, without: found.before, difference: found.difference, ci95: found.ci95},
    ttft_mean_s: {with: average(runs, 'ttft_s')!, without: average(others, 'ttft_s')!},
    load_mean_s: {with: loadMean(runs), without: loadMean(others)},
    tpot_mean_s: {with: average(runs, 'tpot_s'), without: average(others, 'tpot_s')},
    read_bytes: {with: readBytes(records), without: readBytes(without)},
    verdict: verdictOf(found),
  };
  return {prefetch: {...worth, text: sentence(worth, records)}};
}

/** What the prefetches are worth in one sentence, where there are any. */
export function prefetchSentence({prefetch}: Pick<ResultDocument, 'prefetch'>): ResultDocument['verdict'] {
  return prefetch === undefined ? [] : [{code: 'prefetch_worth', text: prefetch.text}];
}

/** Seconds that a measured request waited for loads, on average over all, those that loaded nothing among them. */
function loadMean(runs: readonly Measured[]): number {
  let sum = 0,
    count = 0;
  for (const {columns, rows} of runs)
    for (const row of rows) {
      sum += columns.load[row] * 1e-9;
      count++;
    }
  return count === 0 ? 0 : sum / count;
}

function readBytes(records: readonly RunRecord[]): number {
  return records.reduce((total, {tiers}) => total + tiers.reduce((sum, tier) => sum + tier.readBytes, 0), 0);
}

function sentence(
  {policy, ttft_p95_s: ttft, load_mean_s: load, read_bytes: read, verdict}: Omit<PrefetchWorth, 'text'>,
  records: readonly RunRecord[],
): string {
  const [fetched, wasted] = records
    .flatMap(({tiers}) => tiers)
    .reduce(([all, lost], {prefetched: {useful, late, wasted}}) => [all + useful + late + wasted, lost + wasted], [0, 0]);
  if (fetched === 0) return `Prefetch ${policy} fetched nothing.`;
  const {difference, without} = ttft;
  const change = `TTFT p95 ${difference < 0 ? '−' : '+'}${percentText(Math.abs(difference) / without)}`;
  const effect =
    verdict === 'no difference shown'
      ? `changes nothing that can be told apart (${change})`
      : verdict === 'better'
        ? `is worth ${change}`
        : `costs ${change}`;
  const loads = `a request waits ${durationText(load.with)} for loads on average instead of ${durationText(load.without)}`;
  return `Prefetch ${policy} ${effect}: ${loads}; ${bytesText(read.with)} were read from below HBM instead of ${bytesText(read.without)}, and ${percentText(wasted / fetched)} of what was prefetched was never used.`;
}
