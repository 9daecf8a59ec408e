import {basename, join} from 'node:path';
import pc from 'picocolors';
import {InputError} from '../../core/errors.js';
import type {AccessLog, LoggedAccesses} from '../../memory/access-log.js';
import type {RunRecord} from '../../metrics/record.js';
import type {ReplicaTrace} from '../../metrics/run-trace.js';
import {recordedRequests} from '../../workload/classes.js';
import {costOf, WARMUP_SHARE} from '../build.js';
import {canonicalJson} from '../canonical.js';
import {total} from '../figures.js';
import {headline} from '../headline.js';
import {loadScenario} from '../load.js';
import {planMemory} from '../plan.js';
import {planDocument} from '../plan-document.js';
import {withoutPrefetches} from '../prefetch-worth.js';
import {reportData, timelinesOf} from '../report-data.js';
import type {Report, ResultDocument} from '../result.js';
import type {Paint} from '../run-table.js';
import {feasibilityLines, plain, resultLines} from '../run-table.js';
import type {MemoryPlan, Scenario, Warning} from '../scenario.js';
import {simulate} from '../simulate.js';
import type {SummariseExtras} from '../summarise.js';
import {summarise} from '../summarise.js';
import {requestTable, timelineTable} from '../tables.js';
import {printable} from '../text.js';
import {withoutEachTier} from '../tier-worth.js';
import {costScales, provenance} from '../trust.js';
import {csvText} from './csv-text.js';
import {ProgressLine} from './progress.js';
import type {ResultFile} from './result-folder.js';
import {folderName, refuseForeign, refuseNoFile, writeResult, writeWhole} from './result-folder.js';
import type {RunArguments} from './run.js';

/** Above it, the extra runs for the 80 % interval and without each tier cost more time than they are worth unasked. */
const MOST_FOR_PREDICTION = 20_000;

/** Block accesses of all replications that are kept for the bound by Belady: 4 B each, and as many again while it is worked out. */
const MOST_FOR_BELADY = 2 ** 25;

interface Job {
  readonly scenario: Scenario;
  readonly plan: MemoryPlan;
  readonly out: string;
  readonly command: string;
}

/** Loads and plans all scenarios, then runs one after the other, so that a mistake in the last is found before the first is run. */
export async function runScenarios(args: RunArguments): Promise<void> {
  refuseTrace(args);
  const jobs: Job[] = [];
  for (const path of args.scenario) jobs.push(await prepare(path, args));
  const places = jobs.map((job) => job.out);
  const twice = places.find((place, i) => places.indexOf(place) < i);
  if (twice !== undefined)
    throw new InputError(
      `two of the scenarios would write to ${twice}: they have the same name; give one another "name", or run them one at a time with --out`,
    );

  const documents: ResultDocument[] = [];
  for (const job of jobs) documents.push(await runOne(job, args));
  if (args.json) process.stdout.write(documents.length === 1 ? canonicalJson(documents[0]) : canonicalJson(documents));
}

async function prepare(path: string, args: RunArguments): Promise<Job> {
  const set = args.bounds === undefined ? args.set : [...args.set, `run.bounds=${args.bounds}`];
  const scenario = await loadScenario(path, {
    set,
    allowCode: args.allowCode,
    ...(args.seed === undefined ? {} : {seed: args.seed}),
    ...(args.replications === undefined ? {} : {replications: args.replications}),
  });
  if (args.strict) refuseWarnings(scenario.warnings);
  const folder = folderName(scenario.name);
  const out = args.out === undefined ? join('tiercast-out', folder) : args.scenario.length > 1 ? join(args.out, folder) : args.out;
  refuseForeign(out);
  return {scenario, plan: planMemory(scenario), out, command: commandLine(path, args)};
}

/** What gives the same result again. The path is only its last part: results do not say where they were made. */
function commandLine(path: string, {set, seed, replications, bounds, allowCode}: RunArguments): string {
  const quoted = (text: string) => (/^[\w./:=@,+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
  const words = ['tiercast', 'run', quoted(basename(path)), ...set.flatMap((change) => ['--set', quoted(change)])];
  if (seed !== undefined) words.push('--seed', String(seed));
  if (replications !== undefined) words.push('--replications', String(replications));
  if (bounds !== undefined) words.push('--bounds', bounds);
  if (allowCode) words.push('--allow-code');
  return words.join(' ');
}

function refuseWarnings(warnings: readonly Warning[]): void {
  if (warnings.length > 0) throw new InputError(warnings.map(({path, text}) => `${path}: ${text} (--strict)`));
}

async function runOne(job: Job, args: RunArguments): Promise<ResultDocument> {
  const {scenario, plan, out} = job;
  const started = performance.now();
  const table = !args.json && !args.quiet;
  const width = Math.max(80, process.stdout.columns ?? 80);
  if (table)
    print([...feasibilityLines({name: scenario.name, headline: headline(scenario), plan: planDocument(scenario, plan)}, width), '']);

  const {records, accesses, prediction, bounds, without, unfetched} = simulateAll(
    job,
    new ProgressLine(!args.quiet && process.stderr.isTTY === true),
  );
  const document = summarise(scenario, plan, records, {
    command: job.command,
    accesses,
    prediction,
    bounds,
    without,
    unfetched,
    requestsFile: args.requests,
  });
  if (table) print(resultLines(document, width, process.stdout.isTTY === true ? colours : plain));
  if (args.strict) refuseWarnings(document.warnings);
  for (const {path, text} of document.warnings) process.stderr.write(`warning     ${printable(`${path}: ${text}`)}\n`);

  const files = await filesOf(reportData(scenario, plan, records, document), job, records[0], args);
  await writeResult(out, files);
  if (args.perfetto !== undefined) await writeTrace(args.perfetto, job);
  if (!args.quiet) {
    const names = files.map((file) => file.name).join(', ');
    process.stderr.write(`wrote       ${join(out, `{${names}}`)}  in ${((performance.now() - started) / 1e3).toFixed(1)} s\n`);
  }
  return document;
}

/** One file holds one run, and a place that cannot be written to is found before the run. */
function refuseTrace({perfetto, scenario}: RunArguments): void {
  if (perfetto === undefined) return;
  if (scenario.length > 1) throw new InputError('--perfetto names one file; run scenarios one at a time with it');
  refuseNoFile(perfetto, '--perfetto');
}

/** Runs the first replication again with every step and transfer written down. */
async function writeTrace(path: string, {scenario, plan}: Job): Promise<void> {
  const {perfettoTrace} = await import('../perfetto.js');
  const trace: ReplicaTrace[] = [];
  const record = simulate(scenario, plan, {replication: 0, trace});
  await writeWhole(path, perfettoTrace(scenario.name, plan, record, trace), '--perfetto');
}

const colours: Paint = {bold: pc.bold, dim: pc.dim, good: (text) => pc.bold(pc.green(text)), bad: (text) => pc.bold(pc.red(text))};

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** All replications; where it is cheap, each again with the cost at both ends of its 80 % interval and without each memory below HBM; and the bounds that `run.bounds: full` asks for. */
function simulateAll({scenario, plan}: Job, line: ProgressLine): Simulated {
  const {replications, bounds} = scenario.run;
  const total = expectedRequests(scenario);
  const few = total !== null && total <= MOST_FOR_PREDICTION;
  const unfetched = withoutPrefetches(scenario);
  const kinds = 1 + (few ? 2 + scenario.kv.tiers.length + (unfetched === null ? 0 : 1) : 0) + (bounds === 'full' ? 2 : 0);
  const most = Math.floor(MOST_FOR_BELADY / replications / scenario.cluster.replicas);
  let run = 0;
  const all = (change: {costScale?: number; scenario?: Scenario; plan?: MemoryPlan}, logs: AccessLog[][] = []) =>
    Array.from({length: replications}, (_, replication) => {
      const record = simulate(change.scenario ?? scenario, change.plan ?? plan, {
        replication,
        costScale: change.costScale ?? 1,
        ...(logs.length > 0 ? {accesses: {most, logs: logs[replication]}} : {}),
        onProgress: (done, now) => {
          line.draw(run, replications * kinds, {done, total, now});
          return true;
        },
      });
      run++;
      return record;
    });
  const logs: AccessLog[][] = bounds === 'off' ? [] : Array.from({length: replications}, () => []);
  const records = all({}, logs);
  const full = bounds === 'full' && {
    none: all({scenario: {...scenario, kv: {...scenario.kv, prefixCache: false}}}),
    infinite: all({plan: {...plan, kvBlocks: plan.kvBlocks + blocksEver(scenario, records)}}),
  };
  const again = records.every((record) => record.requests.rows <= MOST_FOR_PREDICTION);
  const simulated = {
    records,
    accesses: bounds === 'off' ? null : taken(logs),
    prediction: again ? predictionRuns(scenario, records, (costScale) => all({costScale})) : null,
    bounds: full || null,
    without:
      again && scenario.kv.tiers.length > 0
        ? withoutEachTier(scenario, plan).map(({tier, ...change}) => ({tier, records: all(change)}))
        : null,
    unfetched: again && unfetched !== null ? all({scenario: unfetched}) : null,
  };
  line.clear();
  return simulated;
}

/** What was looked up, by replication and replica; null where one of them was more than may be kept. */
function taken(logs: readonly (readonly AccessLog[])[]): LoggedAccesses[][] | null {
  const all = logs.map((replicas) => replicas.map((log) => log.take()));
  return all.every((replicas) => replicas.every((one) => one !== null)) ? (all as LoggedAccesses[][]) : null;
}

interface Simulated extends Required<Pick<SummariseExtras, 'accesses' | 'prediction' | 'bounds' | 'without' | 'unfetched'>> {
  readonly records: readonly RunRecord[];
}

function predictionRuns(
  scenario: Scenario,
  records: readonly RunRecord[],
  all: (costScale: number) => readonly RunRecord[],
): Simulated['prediction'] {
  const seconds = total(records, (record) => record.counters.termSeconds);
  const {low, high} = costScales(provenance(costOf(scenario).terms, seconds));
  return {low: low === 1 ? records : all(low), high: high === 1 ? records : all(high)};
}

/** So many blocks that none is ever needed again: those of all requests of a run. */
function blocksEver({kv}: Scenario, records: readonly RunRecord[]): number {
  const blocks = records.map(({requests}) => {
    let sum = 0;
    for (let row = 0; row < requests.rows; row++) sum += Math.ceil((requests.input[row] + requests.output[row]) / kv.blockSize);
    return sum;
  });
  return Math.max(...blocks);
}

/** How many requests a run will have, as far as it is known before; null: only its end decides. */
function expectedRequests({workload, run}: Scenario): number | null {
  const recorded = recordedRequests(workload);
  if (recorded !== null) return Math.min(recorded, run.requests ?? Number.POSITIVE_INFINITY);
  return run.requests === null ? null : Math.ceil(run.requests * (run.warmup.kind === 'auto' ? 1 + WARMUP_SHARE : 1));
}

async function filesOf(report: Report, {scenario, plan}: Job, record: RunRecord, args: RunArguments): Promise<ResultFile[]> {
  const files: ResultFile[] = [];
  if (args.report) {
    const [{renderReport}, {loadPageParts}] = await Promise.all([
      import('../../../../reports/index.js'),
      import('../../../../reports/load.js'),
    ]);
    files.push({name: 'report.html', text: [renderReport(report, loadPageParts())]});
  }
  files.push({name: 'result.json', text: [canonicalJson(report.document)]});
  if (args.requests) files.push({name: 'requests.csv', text: csvText(requestTable(record, scenario.slo))});
  files.push({name: 'timeline.csv', text: csvText(timelineTable(timelinesOf(plan, record)))});
  return files;
}
