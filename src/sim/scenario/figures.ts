import {bounds} from '../../models/cost/cost.js';
import type {LoggedAccesses} from '../memory/access-log.js';
import {beladyHits} from '../memory/belady-hits.js';
import {gapCentre, gapDistribution} from '../metrics/itl.js';
import {isFinished, latencySeries} from '../metrics/latency.js';
import type {Load} from '../metrics/load.js';
import type {Measured} from '../metrics/measured.js';
import {goalsByClass, hasGoal, measuredAfter, meetsGoals} from '../metrics/measured.js';
import {mean} from '../metrics/quantiles.js';
import type {RequestColumns, RunCounters, RunRecord} from '../metrics/record.js';
import {ends, reasons} from '../metrics/record.js';
import {sessionSeries} from '../metrics/sessions.js';
import type {Centre, Distribution} from '../metrics/summary.js';
import {centre, distribution, predictionInterval} from '../metrics/summary.js';
import type {MetricName, ResultDocument} from './result.js';
import {metricNames} from './result.js';
import type {MemoryPlan, Scenario} from './scenario.js';
import {copies} from './shared.js';
import {utilisation} from './utilisation.js';

/** Elementwise sum over the replications. */
export function total(records: readonly RunRecord[], pick: (record: RunRecord) => Float64Array): Float64Array {
  const sum = new Float64Array(records.length > 0 ? pick(records[0]).length : 0);
  for (const record of records) {
    const values = pick(record);
    for (let i = 0; i < sum.length; i++) sum[i] += values[i];
  }
  return sum;
}

/** Every latency metric; with `prediction`, the 80 % interval from the same requests of the cheap and the dear runs. */
export function metricsOf(
  runs: readonly Measured[],
  prediction: {readonly low: readonly RunRecord[]; readonly high: readonly RunRecord[]} | null,
): ResultDocument['metrics'] {
  const again = (records: readonly RunRecord[]) => records.map((record, i) => measuredAfter(record.requests, runs[i].warmup));
  const low = prediction && again(prediction.low);
  const high = prediction && again(prediction.high);
  const series = (name: Exclude<MetricName, 'itl_s'>, of: readonly Measured[]) =>
    of.map((run) => (name === 'session_s' ? sessionSeries(run) : latencySeries(run.columns, run.rows, name)));
  const entries = metricNames.map((name) => {
    const metric = name === 'itl_s' ? gapDistribution(runs) : distribution(series(name, runs));
    const centreOf = (of: readonly Measured[]) => (name === 'itl_s' ? gapCentre(of) : centre(series(name, of)));
    if (low && high) metric.interval80 = predicted(metric, centreOf(low), centreOf(high));
    return [name, metric] as const;
  });
  return Object.fromEntries(entries) as ResultDocument['metrics'];
}

function predicted(metric: Distribution, low: Centre, high: Centre): Distribution['interval80'] {
  const join = (figure: 'mean' | 'p95') => {
    const [value, from, to] = [metric[figure], low[figure], high[figure]];
    return value === null || from === null || to === null ? null : predictionInterval(value, from, to, metric.ci95[figure]);
  };
  return {mean: join('mean'), p95: join('p95')};
}

/** Rates over the measured time: from the first measured arrival to the last measured end. */
export function throughputOf(scenario: Scenario, runs: readonly Measured[], records: readonly RunRecord[]): ResultDocument['throughput'] {
  const seconds = runs.reduce((sum, run) => sum + (run.rows.length > 0 ? (run.to - run.from) / 1e9 : 0), 0);
  const rate = (pick: (columns: RequestColumns, row: number) => number) => {
    const amount = sumRows(runs, (columns, row) => (isFinished(columns, row) ? pick(columns, row) : 0));
    return seconds > 0 ? amount / seconds : null;
  };
  const goals = goalsByClass(scenario.slo, runs[0].columns.classes);
  const {mfu, mbu} = utilisation(
    scenario,
    records.map((record) => record.counters),
  );
  return {
    requests_per_s: rate(() => 1),
    output_tokens_per_s: rate((columns, row) => columns.output[row]),
    input_tokens_per_s: rate((columns, row) => columns.input[row]),
    goodput_requests_per_s: hasGoal(goals) ? rate((columns, row) => (meetsGoals(columns, row, goals) ? 1 : 0)) : null,
    sessions_per_s: rate((columns, row) => (columns.turn[row] === 0 ? 1 : 0)),
    mfu_share: mfu,
    mbu_share: mbu,
  };
}

/** How the measured requests ended; `arrived` and `warmup_requests` count all. */
export function requestsOf(runs: readonly Measured[]): ResultDocument['requests'] {
  const ended = (end: number) => sumRows(runs, (columns, row) => (columns.end[row] === end ? 1 : 0));
  const byReason = (end: number) => {
    const counts: Record<string, number> = {};
    reasons.forEach((name, reason) => {
      const n = sumRows(runs, (columns, row) => (columns.end[row] === end && columns.reason[row] === reason ? 1 : 0));
      if (n > 0) counts[name] = n;
    });
    return counts;
  };
  return {
    arrived: runs.reduce((sum, run) => sum + run.columns.rows, 0),
    measured: runs.reduce((sum, run) => sum + run.rows.length, 0),
    finished: ended(ends.indexOf('finished')),
    rejected: byReason(ends.indexOf('rejected')),
    timed_out: ended(ends.indexOf('timed-out')),
    failed: byReason(ends.indexOf('failed')),
    preemptions: sumRows(runs, (columns, row) => columns.preemptions[row]),
    warmup_requests: runs.reduce((sum, run) => sum + run.warmup, 0),
  };
}

/** Load of the replications: their means; overloaded when most of them are. */
export function loadOf(loads: readonly Load[]): ResultDocument['load'] {
  const average = (pick: (load: Load) => number) => mean(loads.map(pick));
  const overloaded = loads.filter((load) => load.overloaded).length * 2 > loads.length;
  return {
    rho: loads.some((load) => load.rho === null) ? null : average((load) => load.rho!),
    overloaded,
    busy_share: average((load) => load.busyShare),
    mean_running: average((load) => load.meanRunning),
    mean_waiting: average((load) => load.meanWaiting),
    span_s: average((load) => load.spanSeconds),
    makespan_s: average((load) => load.makespanSeconds),
  };
}

/** Prompt tokens of the measured requests that were looked up: found in a memory, or computed. */
export function hitsOf(
  {run, kv, cluster}: Scenario,
  plan: MemoryPlan,
  runs: readonly Measured[],
  accesses: readonly (readonly LoggedAccesses[])[] | null = null,
): ResultDocument['hits'] {
  const lookedUp = (pick: (columns: RequestColumns, row: number) => number) =>
    sumRows(runs, (columns, row) => (Number.isNaN(columns.scheduled[row]) ? 0 : pick(columns, row)));
  const input = lookedUp((columns, row) => columns.input[row]);
  const infinite = lookedUp((columns, row) => columns.hitInfinite[row]);
  const byTier: Record<string, number> = {[plan.memory]: lookedUp((columns, row) => columns.hit[row])};
  plan.tiers.forEach(({memory}, t) => {
    byTier[memory] = lookedUp((columns, row) => columns.hitBelow[t]?.[row] ?? 0);
  });
  const computed = input - Object.values(byTier).reduce((sum, tokens) => sum + tokens, 0);
  const share = (tokens: number) => (input > 0 ? tokens / input : 0);
  const belady =
    accesses === null ? null : share(beladyTokens(plan, {blockSize: kv.blockSize, replicas: cluster.replicas}, runs, accesses));
  const shares = Object.entries({...byTier, computed}).map(([tier, tokens]) => [tier, share(tokens)] as const);
  return {
    unit: 'tokens in whole blocks',
    by_tier_tokens: byTier,
    computed_tokens: computed,
    share: input > 0 ? Object.fromEntries(shares) : {},
    bounds: {
      none: 0,
      belady: run.bounds === 'off' || input === 0 ? null : belady,
      infinite: run.bounds === 'off' || input === 0 ? null : share(infinite),
    },
    prefix_cache: kv.prefixCache,
  };
}

/** Prompt tokens of measured requests that each replica would have found with one memory as large as all of its own, had it known the future; where they share memories, all together with one as large as all of theirs. */
function beladyTokens(
  {kvBlocks, tiers}: MemoryPlan,
  {blockSize, replicas}: {readonly blockSize: number; readonly replicas: number},
  runs: readonly Measured[],
  accesses: readonly (readonly LoggedAccesses[])[],
): number {
  const all = kvBlocks * replicas + tiers.reduce((sum, tier) => sum + tier.kvBlocks * copies(tier, replicas), 0);
  return accesses.reduce((total, logs, i) => {
    const capacity = all / logs.length;
    const {columns, rows} = runs[i];
    const measured = new Set(Array.from(rows, (row) => columns.id[row]));
    return total + logs.reduce((sum, one) => sum + beladyHits(one, capacity, (id) => measured.has(id)) * blockSize, 0);
  }, 0);
}

/** Where busy time went, over whole runs. */
export function timeOf(records: readonly RunRecord[], loads: readonly Load[]): ResultDocument['time'] {
  const busy = sumCounters(records, (c) => c.busySeconds);
  const byBound = total(records, (record) => record.counters.boundSeconds);
  const bounded = byBound.reduce((sum, seconds) => sum + seconds, 0);
  const share = (seconds: number) => (busy > 0 ? seconds / busy : 0);
  return {
    busy_s: busy,
    // A step lasts whole nanoseconds and its parts do not; over their own sum the shares add to 1.
    bound_share: Object.fromEntries(
      bounds.map((name, i) => [name, bounded > 0 ? byBound[i] / bounded : 0]),
    ) as ResultDocument['time']['bound_share'],
    waiting_share: mean(loads.map((load) => load.waitingShare)),
    by_step: {
      prefill: share(sumCounters(records, (c) => c.prefillSeconds)),
      mixed: share(sumCounters(records, (c) => c.mixedSeconds)),
      decode: share(sumCounters(records, (c) => c.decodeSeconds)),
    },
    steps: {
      prefill: sumCounters(records, (c) => c.prefillSteps),
      mixed: sumCounters(records, (c) => c.mixedSteps),
      decode: sumCounters(records, (c) => c.decodeSteps),
    },
  };
}

/** Tokens of whole runs. */
export function tokensOf(records: readonly RunRecord[]): ResultDocument['tokens'] {
  return {
    prefill_computed: sumCounters(records, (c) => c.prefillTokens),
    generated: sumCounters(records, (c) => c.generatedTokens),
    discarded: sumCounters(records, (c) => c.discardedTokens),
    duplicate_blocks: sumCounters(records, (c) => c.duplicateBlocks),
    lookup_after_preemption: sumCounters(records, (c) => c.lookupTokensAfterPreemption),
    hit_after_preemption: sumCounters(records, (c) => c.hitTokensAfterPreemption),
  };
}

function sumRows(runs: readonly Measured[], pick: (columns: RequestColumns, row: number) => number): number {
  let sum = 0;
  for (const {columns, rows} of runs) for (const row of rows) sum += pick(columns, row);
  return sum;
}

/** Sum of a counter over the replications. */
export function sumCounters(records: readonly RunRecord[], pick: (counters: RunCounters) => number): number {
  return records.reduce((sum, record) => sum + pick(record.counters), 0);
}
