import {pairedDifference, type Verdict} from '../metrics/paired-difference.js';
import {fileNumber} from '../scenario/canonical.js';
import type {Axis} from './axes.js';
import type {Row} from './rows.js';
import {coordinatesOf} from './space.js';
import type {Objective, Study} from './study.js';

/** A value of a compared axis, and how its mean over the replications differs from the best. */
export interface Ranked {
  readonly value: string;
  readonly mean: number;
  /** To the best, as shares of the best, and its 95 % interval; null of the best itself, where the best is 0, and with one replication. */
  readonly relative: number | null;
  readonly ci95: readonly [number, number] | null;
  /** Of the best and of whom no difference from it is shown. */
  readonly wins: boolean;
}

/** Which value of an axis is best at an objective, at one setting of all other axes. */
export interface Ranking {
  readonly setting: Readonly<Record<string, string>>;
  readonly axis: string;
  readonly objective: string;
  /** The best first. */
  readonly ranked: readonly Ranked[];
}

/** What one compared axis changes alone: a value against its first one, all other axes as they are. */
export interface Change {
  readonly setting: Readonly<Record<string, string>>;
  readonly axis: string;
  readonly from: string;
  readonly to: string;
  readonly objective: string;
  readonly before: number;
  readonly after: number;
  readonly relative: number | null;
  readonly ci95: readonly [number, number] | null;
  readonly verdict: Verdict;
}

/** All comparisons of a study, over so many pairs of runs. */
export interface Compared {
  readonly axes: readonly string[];
  readonly pairs: number;
  readonly rankings: readonly Ranking[];
  readonly changes: readonly Change[];
}

/** Compares the values of the axes that `study.compare` names, pair by pair of replications on the same random streams; null when it names none. */
export function compared({axes, compare, objectives}: Study, rows: readonly Row[]): Compared | null {
  if (compare.length === 0) return null;
  const ran = rows.filter(({replications}) => replications !== null);
  return {
    axes: compare.map(({name}) => name),
    pairs: Math.max(0, ...ran.map(({replications}) => replications![objectives[0].path].length)),
    rankings: each((axis, group, objective) => rankingOf(axes, axis, group, objective)),
    changes: each((axis, group, objective) => changesOf(axes, axis, group, objective)),
  };

  /** Of every axis, at every setting of the others, by every objective. */
  function each<T>(of: (axis: Axis, group: readonly Row[], objective: Objective) => readonly T[]): T[] {
    return compare.flatMap((axis) =>
      groupsOf(axes, axis, ran).flatMap((group) => objectives.flatMap((objective) => of(axis, group, objective))),
    );
  }
}

/** Rows that differ in nothing but one axis, in the order of the points. */
function groupsOf(axes: readonly Axis[], free: Axis, rows: readonly Row[]): Row[][] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const at = coordinatesOf(axes, row.point)
      .filter((_, i) => axes[i] !== free)
      .join();
    const group = groups.get(at);
    if (group === undefined) groups.set(at, [row]);
    else group.push(row);
  }
  return [...groups.values()];
}

/** What a row is called on all axes but one. */
function settingOf(row: Row, axes: readonly Axis[], but: Axis): Record<string, string> {
  return Object.fromEntries(axes.filter((axis) => axis !== but).map(({name}) => [name, row.axes[name]]));
}

/** The objective of every replication; null when one lacks it. */
function seriesOf({replications}: Row, {path}: Objective): readonly number[] | null {
  const values = replications![path];
  return values.includes(null) ? null : (values as readonly number[]);
}

function rankingOf(axes: readonly Axis[], axis: Axis, group: readonly Row[], objective: Objective): Ranking[] {
  const known = group.flatMap((row) => {
    const series = seriesOf(row, objective);
    return series === null ? [] : [{row, series, mean: series.reduce((sum, value) => sum + value, 0) / series.length}];
  });
  if (known.length === 0) return [];
  const sign = objective.goal === 'minimise' ? 1 : -1;
  const sorted = [...known].sort((a, b) => sign * (a.mean - b.mean) || a.row.point - b.row.point);
  const [best] = sorted;
  const ranked = sorted.map(({row, series, mean}): Ranked => {
    const {relative, relativeCi95, verdict} = pairedDifference(best.series, series, better(objective));
    const differs = row !== best.row;
    return {
      value: row.axes[axis.name],
      mean: fileNumber(mean),
      relative: differs && relative !== null ? fileNumber(relative) : null,
      ci95: differs ? interval(relativeCi95) : null,
      wins: verdict === 'no difference shown',
    };
  });
  return [{setting: settingOf(best.row, axes, axis), axis: axis.name, objective: objective.path, ranked}];
}

function changesOf(axes: readonly Axis[], axis: Axis, group: readonly Row[], objective: Objective): Change[] {
  const first = group.find((row) => row.axes[axis.name] === axis.values[0].label);
  const before = first === undefined ? null : seriesOf(first, objective);
  if (first === undefined || before === null) return [];
  return group.flatMap((row) => {
    const after = seriesOf(row, objective);
    if (row === first || after === null) return [];
    const found = pairedDifference(before, after, better(objective));
    return [
      {
        setting: settingOf(row, axes, axis),
        axis: axis.name,
        from: first.axes[axis.name],
        to: row.axes[axis.name],
        objective: objective.path,
        before: fileNumber(found.before),
        after: fileNumber(found.after),
        relative: found.relative === null ? null : fileNumber(found.relative),
        ci95: interval(found.relativeCi95),
        verdict: found.verdict,
      },
    ];
  });
}

function better({goal}: Objective): 'lower' | 'higher' {
  return goal === 'minimise' ? 'lower' : 'higher';
}

function interval(ci95: readonly [number, number] | null): readonly [number, number] | null {
  return ci95 === null ? null : [fileNumber(ci95[0]), fileNumber(ci95[1])];
}
