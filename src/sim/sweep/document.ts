import {version} from '../core/version.js';
import {fileNumber} from '../scenario/canonical.js';
import {type Compared, compared} from './comparison.js';
import {type Identical, identical} from './identical.js';
import {type Lacking, lacking} from './lacking.js';
import {shares} from './levers.js';
import {type Most, most} from './most.js';
import {knee, pareto, scores} from './pareto.js';
import {goalsText, isGood, type Row} from './rows.js';
import {coordinatesOf} from './space.js';
import type {Objective, Study} from './study.js';

/** A point of the Pareto set. */
export interface ParetoPoint {
  /** From 1, best of the first objective first. */
  readonly rank: number;
  readonly point: number;
  /** Other points with the very same objectives: what differs between them does not matter here. */
  readonly equals: readonly number[];
  readonly axes: Readonly<Record<string, string>>;
  readonly devices: string | null;
  /** By path, in the order of the objectives. */
  readonly objectives: Readonly<Record<string, number>>;
  /** Relative difference to the baseline by path; null without one, or where it is 0. */
  readonly against_baseline: Readonly<Record<string, number | null>> | null;
  /** The scenario as a file of its own, from the folder of the results. */
  readonly scenario: string;
}

/** How much of an objective's spread each axis explains alone, largest first. */
export interface Lever {
  readonly objective: string;
  readonly shares: readonly {readonly axis: string; readonly share: number}[];
}

/** The content of pareto.json and of `--json`: what a sweep found. No clock, no order of execution, no path of a machine. */
export interface SweepDocument {
  readonly schema: 'tiercast.sweep/1';
  readonly tiercast: {readonly version: string};
  readonly name: string;
  readonly search: string;
  readonly counts: {
    readonly points: number;
    readonly skipped: number;
    readonly infeasible: number;
    readonly failed: number;
    readonly done: number;
    readonly good: number;
  };
  readonly axes: readonly {readonly name: string; readonly values: readonly string[]}[];
  readonly objectives: readonly Pick<Objective, 'goal' | 'path'>[];
  readonly constraints: readonly string[];
  readonly baseline: number | null;
  readonly pareto: readonly ParetoPoint[];
  /** Good points that no rank can have, by the objective whose figure is unknown there. */
  readonly lacking: readonly Lacking[];
  /** Rank of the knee: nearest to having the best of everything, each objective scaled to 0–1 over the Pareto set. */
  readonly knee: number | null;
  readonly levers: readonly Lever[];
  /** Values of axes whose runs are the same events. */
  readonly identical: readonly Identical[];
  /** Who is best at what, with `study.compare`. */
  readonly compared: Compared | null;
  /** The largest values within the constraints, with `study.most`. */
  readonly most: {readonly axis: string; readonly settings: readonly Most[]} | null;
  /** Why points do not fit, with how many. */
  readonly infeasible: readonly {readonly reason: string; readonly points: number}[];
}

/** A point in words: its values in the order of the axes; a number alone carries the name of its key. */
export function pointText(axes: Readonly<Record<string, string>>): string {
  return Object.entries(axes)
    .map(([name, label]) => (/[^\d.,]/.test(label) ? label : `${name.slice(name.lastIndexOf('.') + 1)} ${label}`))
    .join(', ');
}

/** Where the scenario of a rank is written, from the folder of the results. */
export function recommendationFile(rank: number): string {
  return `recommendations/${String(rank).padStart(3, '0')}.yaml`;
}

/** Condenses the rows of a sweep. */
export function sweepDocument(name: string, study: Study, rows: readonly Row[]): SweepDocument {
  const {objectives} = study;
  const good = rows.filter(isGood);
  const scored = good.flatMap((row) => {
    const score = scores(row.figures, objectives);
    return score === null ? [] : [{row, score}];
  });
  const all = pareto(scored.map(({score}) => score));
  const equal = (a: number, b: number) => scored[a].score.every((value, i) => value === scored[b].score[i]);
  // Equal scores lie side by side; the first point stands for them.
  const front = all.filter((index, i) => i === 0 || !equal(all[i - 1], index));
  const equalsOf = (index: number) => all.filter((other) => other !== index && equal(other, index)).map((other) => scored[other].row.point);
  const best = knee(front.map((index) => scored[index].score));
  const count = (status: Row['status']) => rows.filter((row) => row.status === status).length;
  return {
    schema: 'tiercast.sweep/1',
    tiercast: {version},
    name,
    search: study.search,
    counts: {
      points: rows.length,
      skipped: count('skipped'),
      infeasible: count('infeasible'),
      failed: count('failed'),
      done: count('done'),
      good: good.length,
    },
    axes: study.axes.map((axis) => ({name: axis.name, values: axis.values.map(({label}) => label)})),
    objectives: objectives.map(({goal, path}) => ({goal, path})),
    constraints: study.constraints?.map(({text}) => text) ?? [goalsText],
    baseline: study.baseline,
    pareto: front.map((index, i) => paretoPoint(i + 1, scored[index].row, equalsOf(index), study, rows)),
    lacking: lacking(
      objectives,
      good.map(({figures}) => figures),
    ),
    knee: best === null ? null : best + 1,
    levers: objectives.flatMap(({path}) => leverOf(study, path, rows) ?? []),
    identical: identical(study.axes, rows),
    compared: compared(study, rows),
    most: most(study, rows),
    infeasible: reasons(rows),
  };
}

function paretoPoint(rank: number, row: Row, equals: readonly number[], {objectives, baseline}: Study, rows: readonly Row[]): ParetoPoint {
  const base = rows.find(({point}) => point === baseline)?.figures ?? null;
  const entries = objectives.map(({path}) => [path, row.figures![path]!] as const);
  const against = ([path, value]: readonly [string, number]) => {
    const was = base?.[path] ?? null;
    return [path, was === null || was === 0 ? null : fileNumber(value / was - 1)] as const;
  };
  return {
    rank,
    point: row.point,
    equals,
    axes: row.axes,
    devices: row.devices,
    objectives: Object.fromEntries(entries),
    against_baseline: base === null ? null : Object.fromEntries(entries.map(against)),
    scenario: recommendationFile(rank),
  };
}

/** Over all points that have the figure, whether they meet the constraints or not. */
function leverOf({axes}: Study, path: string, rows: readonly Row[]): Lever | null {
  const samples = rows.flatMap(({point, figures}) => {
    const value = figures?.[path] ?? null;
    return value === null ? [] : [{coordinates: coordinatesOf(axes, point), value}];
  });
  const found = shares(samples, axes.length);
  if (found === null) return null;
  const named = axes.map(({name}, i) => ({axis: name, share: fileNumber(found[i])}));
  return {objective: path, shares: named.sort((a, b) => b.share - a.share)};
}

function reasons(rows: readonly Row[]): SweepDocument['infeasible'] {
  const counts = new Map<string, number>();
  for (const {status, reason} of rows) if (status === 'infeasible') counts.set(reason!, (counts.get(reason!) ?? 0) + 1);
  return [...counts].map(([reason, points]) => ({reason, points})).sort((a, b) => b.points - a.points || (a.reason < b.reason ? -1 : 1));
}
