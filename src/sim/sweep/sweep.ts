import {InputError} from '../core/errors.js';
import {nearest} from '../core/registry.js';
import {Faults} from '../scenario/file/fault.js';
import {changeText} from './axes.js';
import type {Executor} from './executors/executor.js';
import type {Figures} from './figures.js';
import type {PointSource} from './load.js';
import {missed, type Row} from './rows.js';
import {skipOf} from './skip.js';
import {changesOf, labelsOf} from './space.js';
import type {Store, Stored} from './store/store.js';
import type {Study} from './study.js';
import type {Outcome, Task} from './work.js';

/** A study with the file that holds it and what the command line sets over it. */
export interface SweepSource {
  readonly study: Study;
  readonly path: string;
  readonly set: readonly string[];
  /** Whether policies from files may run. */
  readonly allowCode?: boolean;
}

/** A point before anything is simulated: skipped, infeasible, or ready with the address of its result. */
export interface PlannedPoint {
  readonly point: number;
  readonly source: PointSource;
  readonly skipped: string | null;
  /** Null when the point is skipped. */
  readonly outcome: Extract<Outcome, {kind: 'ready' | 'infeasible' | 'failed'}> | null;
}

/** How far a sweep is. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  /** The row that was just finished, or null while points are planned. */
  readonly row: Row | null;
}

/** What to do the work with. */
export interface Means {
  readonly executor: Executor;
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
}

/** Loads and plans every point that is not skipped. Throws InputError with the faults of all points, each once. */
export async function planPoints(
  {study, path, set, allowCode = false}: SweepSource,
  {executor, signal, progress}: Means,
): Promise<PlannedPoint[]> {
  const points = study.points.map((point) => {
    const source = {study: path, set, allowCode, changes: changesOf(study.axes, point)};
    return {point, source, skipped: skipOf(study.skip, study.axes, point)?.text ?? null};
  });
  const wanted = points.filter(({skipped}) => skipped === null);
  const outcomes = new Map<number, Outcome>();
  const paths = comparedPaths(study);
  const tasks: Task[] = wanted.map(({source}) => ({kind: 'prepare', point: source, paths}));
  const told = (index: number, outcome: Outcome) => {
    outcomes.set(wanted[index].point, outcome);
    progress({done: outcomes.size, total: tasks.length, row: null});
  };
  await executor.run(tasks, told, signal);
  refuse(wanted.map(({point}) => outcomes.get(point)));
  return points.map((one) => ({...one, outcome: (outcomes.get(one.point) ?? null) as PlannedPoint['outcome']}));
}

const mostFaults = 10;

function refuse(outcomes: readonly (Outcome | undefined)[]): void {
  const faults = [...new Set(outcomes.flatMap((outcome) => (outcome?.kind === 'refused' ? outcome.faults : [])))];
  if (faults.length === 0) return;
  const more = faults.length - mostFaults;
  throw new InputError(more > 0 ? [...faults.slice(0, mostFaults), `and ${more} more fault${more === 1 ? '' : 's'}`] : faults);
}

/** Checks that objectives and constraints name figures that a result has, with a few requests of one point. Throws InputError. */
export async function refuseUnknownFigures({study}: SweepSource, points: readonly PlannedPoint[], means: Means): Promise<void> {
  const ready = points.filter(({outcome}) => outcome?.kind === 'ready');
  if (ready.length === 0) return;
  let figures: Figures | null = null;
  const told = (_index: number, outcome: Outcome) => {
    if (outcome.kind === 'done') figures = outcome.figures;
    if (outcome.kind === 'failed') throw new Error(outcome.reason);
  };
  await means.executor.run([{kind: 'probe', point: ready[0].source, paths: []}], told, means.signal);
  if (figures === null) return;
  const known = Object.keys(figures);
  const faults = new Faults();
  const named = [
    ...study.objectives.map(({path, at}, i) => ({path, at, cited: `study.objectives[${i}]`})),
    ...(study.constraints ?? []).map(({path, at}, i) => ({path, at, cited: `study.constraints[${i}]`})),
  ];
  const unpriced = ready.some(({outcome}) => outcome?.kind === 'ready' && !outcome.priced);
  for (const {path, at, cited} of named) {
    if (!known.includes(path)) faults.add(at, cited, unknownFigure(path, known));
    else if (path.startsWith('cost.') && unpriced) {
      faults.add(at, cited, `${path} needs a price at every point; e.g. cost: {device: 2.50 USD/hour}, your own`);
    }
  }
  faults.throwAny();
}

function unknownFigure(path: string, known: readonly string[]): string {
  const end = path.slice(path.lastIndexOf('.') + 1);
  const near = nearest(path, known) ?? known.find((name) => name.endsWith(`.${end}`)) ?? null;
  return `unknown figure "${path}"${near === null ? '' : ` (did you mean "${near}"?)`}; result.json of any run lists them`;
}

/** Simulates what the store does not hold, and returns a row for every point, in order. */
export async function simulatePoints(
  {study}: SweepSource,
  points: readonly PlannedPoint[],
  store: Store,
  {executor, signal, progress}: Means,
): Promise<Row[]> {
  const keyOf = ({outcome}: PlannedPoint) => (outcome?.kind === 'ready' ? outcome.key : null);
  // Two points may resolve to one scenario; it is run once.
  const wanted = [
    ...new Map(points.map((one) => [keyOf(one), one] as const).filter(([key]) => key !== null && store.get(key) === null)).values(),
  ];
  const failed = new Map<string, string>();
  const paths = comparedPaths(study);
  let done = points.filter((one) => keyOf(one) !== null && store.get(keyOf(one)!) !== null).length;
  const total = done + wanted.length;
  const told = (index: number, outcome: Outcome) => {
    const one = wanted[index];
    const key = keyOf(one)!;
    if (outcome.kind === 'done') store.put(key, outcome);
    else failed.set(key, reasonOf(outcome));
    done++;
    progress({done, total, row: rowOf(study, one, store.get(key), failed.get(key))});
  };
  await executor.run(
    wanted.map(({source}) => ({kind: 'simulate', point: source, paths}) as const),
    told,
    signal,
  );
  if (signal.aborted) return [];
  return points.map((one) => rowOf(study, one, store.get(keyOf(one) ?? ''), failed.get(keyOf(one) ?? '')));
}

function reasonOf(outcome: Outcome): string {
  if (outcome.kind === 'failed' || outcome.kind === 'infeasible') return outcome.reason;
  return outcome.kind === 'refused' ? outcome.faults.join('; ') : '';
}

function rowOf(study: Study, {point, source, skipped, outcome}: PlannedPoint, stored: Stored | null, failed: string | undefined): Row {
  const status =
    skipped !== null ? 'skipped' : outcome?.kind === 'ready' ? (stored === null ? 'failed' : 'done') : (outcome?.kind ?? 'failed');
  const reason =
    skipped ?? (outcome?.kind === 'ready' ? (stored === null ? (failed ?? 'not run') : null) : (outcome?.reason ?? 'not planned'));
  return {
    point,
    status,
    reason,
    axes: labelsOf(study.axes, point),
    set: source.changes.map(changeText),
    devices: outcome?.kind === 'ready' ? outcome.devices : null,
    misses: stored === null ? null : missed(stored.figures, study.constraints),
    key: outcome?.kind === 'ready' ? outcome.key : null,
    events: stored?.events ?? null,
    figures: stored?.figures ?? null,
    replications: stored?.replications ?? null,
  };
}

/** Figures that a comparison needs of every replication. */
function comparedPaths({compare, objectives}: Study): string[] {
  return compare.length === 0 ? [] : objectives.map(({path}) => path);
}
