import type {Condition} from './conditions.js';
import {meets} from './conditions.js';
import type {Figures} from './figures.js';

/** What became of a point. `skipped` by a rule, `infeasible`: it does not fit, `failed`: our fault, `done`: it has figures. */
export type Status = 'done' | 'skipped' | 'infeasible' | 'failed';

/** A line of rows.jsonl: one point, the same bytes in whatever order points were run. */
export interface Row {
  readonly point: number;
  readonly status: Status;
  /** Why there are no figures; null: there are. */
  readonly reason: string | null;
  /** What each axis is called here. */
  readonly axes: Readonly<Record<string, string>>;
  /** What the point changes, as `--set` takes it. */
  readonly set: readonly string[];
  readonly devices: string | null;
  /** Constraints that the point misses, as they are written; null: nothing to judge. */
  readonly misses: readonly string[] | null;
  readonly key: string | null;
  /** A hash over what happened in its runs: points with equal ones are one and the same run. */
  readonly events: string | null;
  readonly figures: Figures | null;
  /** With `study.compare`: the objectives of each replication, by path. */
  readonly replications: Readonly<Record<string, readonly (number | null)[]>> | null;
}

/** What a point that misses the goals of its scenario misses, when the study writes no constraint. */
export const goalsText = 'the goals of slo';

/** The constraints that figures miss: those of the study, else the scenario's own goals, which without any are met. */
export function missed(figures: Figures, constraints: readonly Condition[] | null): string[] {
  if (constraints === null) return figures['slo.meets'] === 0 ? [goalsText] : [];
  return constraints.filter((condition) => !meets(figures, condition)).map(({text}) => text);
}

/** Whether a row has figures and misses nothing. */
export function isGood(row: Row): row is Row & {readonly figures: Figures} {
  return row.figures !== null && row.misses?.length === 0;
}
