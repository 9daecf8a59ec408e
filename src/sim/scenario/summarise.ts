import {version} from '../core/version.js';
import type {LoggedAccesses} from '../memory/access-log.js';
import {combinedLog} from '../metrics/event-log.js';
import {offeredLoad} from '../metrics/load.js';
import {measured} from '../metrics/measured.js';
import type {RunRecord} from '../metrics/record.js';
import type {WarmupRule} from '../metrics/warmup.js';
import {closedLoops, isWhole} from '../workload/classes.js';
import {breakEven, loadOrCompute} from './break-even.js';
import {costOf} from './build.js';
import {costFigures, energyFigures} from './cost-figures.js';
import {hitsOf, loadOf, metricsOf, requestsOf, throughputOf, timeOf, tokensOf, total} from './figures.js';
import {headline} from './headline.js';
import {planDocument} from './plan-document.js';
import {prefetchSentence, prefetchWorth} from './prefetch-worth.js';
import {replicasOf} from './replica-figures.js';
import type {ResultDocument} from './result.js';
import {runWarnings} from './run-warnings.js';
import type {MemoryPlan, Scenario} from './scenario.js';
import {sessionsOf} from './session-figures.js';
import {sloOf} from './slo-figures.js';
import {linksOf, tiersOf} from './tier-figures.js';
import {tierSentences} from './tier-verdict.js';
import {tierWorth} from './tier-worth.js';
import {provenance, trust} from './trust.js';
import {verdict} from './verdict.js';
import {worth} from './worth.js';

/** What a result says beside what the run left. */
export interface SummariseExtras {
  /** The command that gives this result again; no absolute path. */
  readonly command?: string;
  /** The same replications with every step's cost at both ends of its 80 % interval, for `interval80`; absent or null: not run. */
  readonly prediction?: {readonly low: readonly RunRecord[]; readonly high: readonly RunRecord[]} | null;
  /** The same replications without a prefix cache and with KV memory without end (`run.bounds: full`); absent or null: not run. */
  readonly bounds?: {readonly none: readonly RunRecord[]; readonly infinite: readonly RunRecord[]} | null;
  /** The same replications without each memory below HBM; absent or null: not run. */
  readonly without?: readonly {readonly tier: string; readonly records: readonly RunRecord[]}[] | null;
  /** The same replications without prefetches; absent or null: not run. */
  readonly unfetched?: readonly RunRecord[] | null;
  /** What the requests of each replication looked up and made, by replica, for the bound by Belady; absent or null: not written down. */
  readonly accesses?: readonly (readonly LoggedAccesses[])[] | null;
  /** Whether requests.csv is written beside. */
  readonly requestsFile?: boolean;
}

/**
 * Condenses the replications of one scenario into result.json's content. Definitions of every figure: docs/metrics.md.
 *
 * Latencies, hits, requests and throughput are of the measured requests, all replications pooled; load, time and tiers of whole runs.
 */
export function summarise(
  scenario: Scenario,
  plan: MemoryPlan,
  records: readonly RunRecord[],
  extras: SummariseExtras = {},
): ResultDocument {
  const runs = records.map((record) => measured(record.requests, warmupRule(scenario)));
  const loads = records.map((record) => offeredLoad(record, closedLoops(scenario.workload) === 'all'));
  const cost = provenance(
    costOf(scenario).terms,
    total(records, (record) => record.counters.termSeconds),
    total(records, (record) => record.counters.outsideSeconds),
  );
  const throughput = throughputOf(scenario, runs, records);
  const sessions = sessionsOf(scenario, plan, records);
  const document: ResultDocument = {
    schema: 'tiercast.result/1',
    tiercast: {version},
    status: 'ok',
    reason: null,
    name: scenario.name,
    title: scenario.report.title,
    description: scenario.description,
    headline: headline(scenario),
    scenario: scenario.resolved,
    scenario_yaml: scenario.yaml,
    scenario_chosen: [...scenario.chosen],
    scenario_sha256: scenario.sha256,
    command: extras.command ?? '',
    seed: scenario.run.seed,
    replications: records.length,
    profiles: profiles(scenario),
    files_in: scenario.files.map(({path, sha256}) => ({path, sha256})),
    plan: planDocument(scenario, plan),
    verdict: [],
    warnings: scenario.warnings.map(({code, path, text}) => ({code, path, text})),
    metrics: metricsOf(runs, extras.prediction ?? null),
    throughput,
    slo: sloOf(scenario, runs, loads),
    requests: requestsOf(runs),
    load: loadOf(loads),
    replicas: replicasOf(runs, records),
    hits: hitsOf(scenario, plan, runs, extras.accesses),
    sessions,
    tiers: tiersOf(scenario, plan, records, loads),
    links: linksOf(records),
    worth: extras.without == null ? null : tierWorth(scenario, plan, runs, records, extras.without),
    ...(extras.unfetched == null ? {} : prefetchWorth(scenario, runs, records, extras.unfetched)),
    break_even_tokens: breakEven(scenario, plan),
    ...loadOrCompute(scenario, plan),
    time: timeOf(records, loads),
    tokens: tokensOf(records),
    cost: costFigures(scenario, plan, throughput, sessions),
    energy: energyFigures(scenario, throughput),
    provenance: cost,
    assumptions: scenario.assumptions.map(({path, value, grade, source}) => ({path, value, grade, source})),
    trust: trust(cost),
    files: {requests: extras.requestsFile ? 'requests.csv' : null, measured_from_row: runs[0].warmup, timeline: 'timeline.csv'},
    event_log_hash: combinedLog(records.map(({eventLog}) => eventLog)),
  };
  document.verdict = [
    ...verdict(document),
    ...tierSentences(document),
    ...prefetchSentence(document),
    ...worth(document, runs, extras.bounds ?? null),
  ];
  document.warnings.push(...runWarnings(document));
  return document;
}

/** The rule a run's warm-up is cut by: `auto` measures a replayed trace whole, because its start is part of it. */
export function warmupRule({run, workload}: Scenario): WarmupRule {
  return run.warmup.kind === 'auto' && isWhole(workload) ? {kind: 'none'} : run.warmup;
}

function profiles({device, engine}: Scenario): ResultDocument['profiles'] {
  const bandwidth = device.memory[device.home]?.bandwidth;
  return [{id: device.id, grade: bandwidth?.grade ?? 'assumed', engine: `${engine.preset} ${engine.version}`}];
}
