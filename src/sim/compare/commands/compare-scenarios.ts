import {basename, join} from 'node:path';
import pc from 'picocolors';
import {GateError, InfeasibleError, InputError} from '../../core/errors.js';
import {quantities} from '../../core/quantity.js';
import {canonicalJson} from '../../scenario/canonical.js';
import {columns} from '../../scenario/commands/columns.js';
import {csvText} from '../../scenario/commands/csv-text.js';
import {jobsOf} from '../../scenario/commands/jobs.js';
import {ProgressLine} from '../../scenario/commands/progress.js';
import {type FolderKind, folderName, type ResultFile, refuseForeign, writeResult} from '../../scenario/commands/result-folder.js';
import {type LoadedScenario, type PoolRun, RunPool} from '../../scenario/commands/run-pool.js';
import {expectedRequests} from '../../scenario/expected-requests.js';
import {headline} from '../../scenario/headline.js';
import {type DiskOptions, loadScenario} from '../../scenario/load.js';
import {planMemory} from '../../scenario/plan.js';
import {type Paint, plain} from '../../scenario/run-table.js';
import type {MemoryPlan} from '../../scenario/scenario.js';
import {printable} from '../../scenario/text.js';
import {asWritten} from '../../scenario/variation.js';
import {changedFigures, changedKeys} from '../changes.js';
import {compare} from '../compare.js';
import type {Comparison, ComparisonDocument} from '../comparison.js';
import {type Condition, failure, parseCondition} from '../condition.js';
import {type Replicated, replicate, replicationRange} from '../replicate.js';
import type {Side} from '../side.js';
import {changeLines, comparisonTable, pairLines, replicationLine} from '../tables.js';
import type {CompareArguments} from './compare.js';

const comparisonFolder: FolderKind = {
  main: 'comparison.json',
  schema: 'tiercast.comparison/',
  files: ['comparison.json', 'comparison.csv', 'compare.html'],
};

/** The page tells scenarios apart by colour and dash; it has four. */
const MOST = 4;

type Loaded = Omit<LoadedScenario, 'plan'>;
type LoadedSide = Side & LoadedScenario;

/** Loads and plans all scenarios, shows what differs, runs them, and writes and prints what that does. */
export async function compareScenarios(args: CompareArguments): Promise<void> {
  const started = performance.now();
  refuseCounts(args);
  jobsOf(args.jobs);
  const parse = await quantities();
  const gates = args.failOn.map((text) => parseCondition(text, parse));
  const {loaded, warnings} = await loadAll(args);
  const sides = planAll(loaded, args);
  const out = args.out ?? join('tiercast-out', folderName(sides.map(({label}) => label).join('-vs-')));
  refuseForeign(out, comparisonFolder);

  const table = !args.json && !args.quiet;
  if (table) print([...changesOf(sides), '']);
  const comparison = compare(sides, await simulateAll(sides, args), {command: commandLine(args), warnings});
  const {document} = comparison;
  if (args.strict) refuseWarnings(document.warnings);
  if (table) print(resultLines(document, process.stdout.isTTY === true ? colours : plain));
  for (const {path, text} of document.warnings) process.stderr.write(`warning     ${printable(`${path}: ${text}`)}\n`);

  const files = await filesOf(comparison, args);
  await writeResult(out, files, comparisonFolder);
  if (!args.quiet) {
    const names = files.map(({name}) => name).join(', ');
    process.stderr.write(`wrote       ${join(out, `{${names}}`)}  in ${((performance.now() - started) / 1e3).toFixed(1)} s\n`);
  }
  if (args.json) process.stdout.write(canonicalJson(document));
  gate(gates, document);
}

function refuseCounts({scenario, replications}: CompareArguments): void {
  if (scenario.length < 2)
    throw new InputError(`compare: ${scenario.length} scenario named; two or more are wanted: tiercast compare before.yaml after.yaml`);
  if (scenario.length > MOST) throw new InputError(`compare: ${scenario.length} scenarios named; at most ${MOST} are compared at once`);
  if (replications !== undefined && !(Number.isSafeInteger(replications) && replications >= 2))
    throw new InputError(`--replications ${replications}: an interval of a difference needs at least 2 whole replications`);
}

/** All scenarios on the seed of the first. */
async function loadAll({
  scenario,
  set,
  seed,
  allowCode,
}: CompareArguments): Promise<{loaded: Loaded[]; warnings: ComparisonDocument['warnings']}> {
  const options: DiskOptions = {set, allowCode, ...(seed === undefined ? {} : {seed})};
  const base = await loadScenario(scenario[0], options);
  const warnings: ComparisonDocument['warnings'] = [];
  const loaded: Loaded[] = [{scenario: base, path: scenario[0], options}];
  for (const path of scenario.slice(1)) {
    const own = await loadScenario(path, options);
    const same = own.run.seed === base.run.seed;
    if (!same) {
      const text = `seed ${own.run.seed} of ${own.name} is not used: all run on the streams of ${base.name}, seed ${base.run.seed}`;
      warnings.push({code: 'seed_of_base', path: 'run.seed', text});
    }
    const seeded = same ? options : {...options, seed: base.run.seed};
    loaded.push({scenario: same ? own : await loadScenario(path, seeded), path, options: seeded});
  }
  return {loaded, warnings};
}

/** Plans all before the first is run; what does not fit is named together with the scenario that it is in. */
function planAll(loaded: readonly Loaded[], {json}: CompareArguments): LoadedSide[] {
  const labels = labelsOf(loaded.map(({scenario}) => scenario.name));
  const plans: MemoryPlan[] = [];
  const problems: InfeasibleError[] = [];
  loaded.forEach(({scenario}, i) => {
    try {
      plans.push(planMemory(scenario));
    } catch (error) {
      if (!(error instanceof InfeasibleError)) throw error;
      problems.push(new InfeasibleError(`${labels[i]} does not fit: ${error.message}`, error.nearest));
    }
  });
  if (problems.length > 0) {
    const reason = problems.map(({message}) => message).join('\n');
    const nearest = problems[0].nearest;
    if (json) process.stdout.write(canonicalJson({schema: 'tiercast.comparison/1', status: 'infeasible', labels, reason, nearest}));
    throw new InfeasibleError(reason, nearest);
  }
  return loaded.map((one, i) => ({...one, label: labels[i], plan: plans[i]}));
}

/** Names, the second of equal ones with a number behind. */
function labelsOf(names: readonly string[]): string[] {
  return names.map((name, i) => {
    const earlier = names.slice(0, i).filter((other) => other === name).length;
    return earlier === 0 ? name : `${name} (${earlier + 1})`;
  });
}

function changesOf([base, ...others]: readonly Side[]): string[] {
  return others.flatMap((side, i) => [
    ...(i === 0 ? [] : ['']),
    ...changeLines(
      {
        before: base.label,
        after: side.label,
        changed: changedKeys(base.scenario, side.scenario),
        derived: changedFigures(base, side),
      },
      {before: headline(base.scenario), after: headline(side.scenario)},
    ),
  ]);
}

function resultLines(document: ComparisonDocument, paint: Paint): string[] {
  const pairs = document.comparisons.flatMap((pair) => [...pairLines(pair, paint, columns), '']);
  return [...pairs, replicationLine(document)];
}

async function simulateAll(sides: readonly LoadedSide[], {replications, quiet, jobs}: CompareArguments): Promise<Replicated> {
  const line = new ProgressLine(!quiet && process.stderr.isTTY === true);
  const least = Math.max(replicationRange.least, ...sides.map(({scenario}) => scenario.run.replications));
  let runs = (replications ?? least) * sides.length;
  const total = ({scenario}: PoolRun) => expectedRequests(sides[scenario].scenario);
  const pool = new RunPool(sides, {
    jobs: jobsOf(jobs),
    expected: runs,
    total,
    progress: (begun, run, done, now) => line.draw(begun, runs, {done, total: total(run), now}),
  });
  try {
    const rounds = replicate(sides, replications ?? null, least);
    let round = rounds.next();
    while (!round.done) {
      const wanted = round.value.map(({side, replication}) => ({scenario: side, variation: asWritten, replication, accesses: null}));
      runs = round.value[0].planned * sides.length;
      round = rounds.next((await pool.all(wanted)).map(({record}) => record));
    }
    return round.value;
  } finally {
    line.clear();
    await pool.close();
  }
}

function refuseWarnings(warnings: ComparisonDocument['warnings']): void {
  if (warnings.length > 0) throw new InputError(warnings.map(({path, text}) => `${path}: ${text} (--strict)`));
}

function gate(gates: readonly Condition[], {comparisons}: ComparisonDocument): void {
  const failures = comparisons.flatMap((pair) => gates.map((one) => failure(one, pair)).filter((text) => text !== null));
  if (failures.length > 0) throw new GateError(failures.map((text) => `--fail-on: ${text}`));
}

/** What gives the same comparison again. Paths are only their last parts: results do not say where they were made. */
function commandLine({scenario, set, seed, replications}: CompareArguments): string {
  const quoted = (text: string) => (/^[\w./:=@,+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
  const words = ['tiercast', 'compare', ...scenario.map((path) => quoted(basename(path)))];
  for (const change of set) words.push('--set', quoted(change));
  if (seed !== undefined) words.push('--seed', String(seed));
  if (replications !== undefined) words.push('--replications', String(replications));
  return words.join(' ');
}

async function filesOf(comparison: Comparison, {report}: CompareArguments): Promise<ResultFile[]> {
  const {document} = comparison;
  const files: ResultFile[] = [
    {name: 'comparison.json', text: [canonicalJson(document)]},
    {name: 'comparison.csv', text: csvText(comparisonTable(document))},
  ];
  if (!report) return files;
  const [{renderComparison}, {loadPageParts}] = await Promise.all([
    import('../../../../reports/compare/index.js'),
    import('../../../../reports/load.js'),
  ]);
  return [{name: 'compare.html', text: [renderComparison(comparison, loadPageParts())]}, ...files];
}

const colours: Paint = {bold: pc.bold, dim: pc.dim, good: (text) => pc.bold(pc.green(text)), bad: (text) => pc.bold(pc.red(text))};

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
