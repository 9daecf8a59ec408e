import {basename, join} from 'node:path';
import pc from 'picocolors';
import {InputError} from '../../core/errors.js';
import type {RunRecord} from '../../metrics/record.js';
import type {ReplicaTrace} from '../../metrics/run-trace.js';
import {canonicalJson} from '../canonical.js';
import {headline} from '../headline.js';
import {loadScenario} from '../load.js';
import {planMemory} from '../plan.js';
import {planDocument} from '../plan-document.js';
import {reportData, timelinesOf} from '../report-data.js';
import type {Report, ResultDocument} from '../result.js';
import type {Paint} from '../run-table.js';
import {feasibilityLines, plain, resultLines} from '../run-table.js';
import type {Warning} from '../scenario.js';
import {simulate} from '../simulate.js';
import {summarise} from '../summarise.js';
import {requestTable, timelineTable} from '../tables.js';
import {printable} from '../text.js';
import {csvText} from './csv-text.js';
import {jobsOf} from './jobs.js';
import {ProgressLine} from './progress.js';
import type {ResultFile} from './result-folder.js';
import {folderName, refuseForeign, refuseNoFile, writeResult, writeWhole} from './result-folder.js';
import type {RunArguments} from './run.js';
import type {LoadedScenario} from './run-pool.js';
import {simulateAll} from './simulate-all.js';

interface Job extends LoadedScenario {
  readonly out: string;
  readonly command: string;
}

/** Loads and plans all scenarios, then runs one after the other, so that a mistake in the last is found before the first is run. */
export async function runScenarios(args: RunArguments): Promise<void> {
  refuseTrace(args);
  jobsOf(args.jobs); // a wrong number is refused before anything is loaded
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
  const options = {
    set,
    allowCode: args.allowCode,
    ...(args.seed === undefined ? {} : {seed: args.seed}),
    ...(args.replications === undefined ? {} : {replications: args.replications}),
  };
  const scenario = await loadScenario(path, options);
  if (args.strict) refuseWarnings(scenario.warnings);
  const folder = folderName(scenario.name);
  const out = args.out === undefined ? join('tiercast-out', folder) : args.scenario.length > 1 ? join(args.out, folder) : args.out;
  refuseForeign(out);
  return {scenario, plan: planMemory(scenario), path, options, out, command: commandLine(path, args)};
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

  const line = new ProgressLine(!args.quiet && process.stderr.isTTY === true);
  const {records, ...extras} = await simulateAll(job, jobsOf(args.jobs), line);
  const document = summarise(scenario, plan, records, {command: job.command, ...extras, requestsFile: args.requests});
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
