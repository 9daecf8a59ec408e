import {byArrival, isFinished, latencies, latencySeries} from './latency.js';
import type {RequestColumns} from './record.js';
import type {WarmupRule} from './warmup.js';
import {mser5} from './warmup.js';

/** The requests of one run that count, in order of arrival, and how many before them were cut as warm-up. */
export interface Measured {
  readonly columns: RequestColumns;
  readonly rows: Int32Array;
  readonly warmup: number;
  /** ns of the first of their arrivals and the last of their ends. */
  readonly from: number;
  readonly to: number;
}

/** Cuts the warm-up off a run. `auto` looks for the start-up in the E2E latencies (MSER-5), in order of arrival. */
export function measured(columns: RequestColumns, rule: WarmupRule): Measured {
  const order = byArrival(columns);
  return after(columns, order, warmupCount(columns, order, rule));
}

/** The same cut as another run of the same traffic, so that both measure the same requests. */
export function measuredAfter(columns: RequestColumns, warmup: number): Measured {
  return after(columns, byArrival(columns), Math.min(warmup, columns.rows));
}

function after(columns: RequestColumns, order: Int32Array, warmup: number): Measured {
  const rows = order.subarray(warmup);
  let to = -Infinity;
  for (const row of rows) to = Math.max(to, endOf(columns, row));
  return {columns, rows, warmup, from: rows.length > 0 ? columns.arrival[rows[0]] : NaN, to: rows.length > 0 ? to : NaN};
}

/** A request that never finished may have no time of its end: then it took part until its arrival. */
function endOf(columns: RequestColumns, row: number): number {
  return Number.isNaN(columns.finished[row]) ? columns.arrival[row] : columns.finished[row];
}

function warmupCount(columns: RequestColumns, order: Int32Array, rule: WarmupRule): number {
  switch (rule.kind) {
    case 'none':
      return 0;
    case 'requests':
      return Math.min(rule.value, order.length);
    case 'seconds': {
      const from = order.length > 0 ? columns.arrival[order[0]] + rule.value * 1e9 : 0;
      const first = order.findIndex((row) => columns.arrival[row] >= from);
      return first < 0 ? order.length : first;
    }
    case 'auto': {
      let left = mser5(latencySeries(columns, order, 'e2e_s'));
      let count = 0;
      // The series holds finished requests only; the cut is in requests.
      for (; left > 0 && count < order.length; count++) if (isFinished(columns, order[count])) left--;
      return count;
    }
  }
}

/** Goals in seconds; null: no goal. */
export interface Goals {
  readonly ttft: number | null;
  readonly tpot: number | null;
  readonly e2e: number | null;
}

/** Goals for all, and of the classes that have their own. */
export interface ClassGoals extends Goals {
  readonly classes: Readonly<Record<string, Goals>>;
}

/** The goals of each class, in the order of `classes`. */
export function goalsByClass(goals: ClassGoals, classes: readonly string[]): readonly Goals[] {
  const own = new Map(Object.entries(goals.classes));
  return classes.map((name) => own.get(name) ?? goals);
}

/** Whether any class has a goal. */
export function hasGoal(goals: readonly Goals[]): boolean {
  return goals.some(({ttft, tpot, e2e}) => ttft !== null || tpot !== null || e2e !== null);
}

/** Whether a request finished within all goals of its class, `goals` being those by class. One output token has no TPOT and counts as 0, as in vLLM's benchmark. */
export function meetsGoals(columns: RequestColumns, row: number, byClass: readonly Goals[]): boolean {
  if (!isFinished(columns, row)) return false;
  const goals = byClass[columns.class[row]];
  const within = (value: number, goal: number | null) => goal === null || !(value > goal * 1e9);
  return (
    within(latencies.ttft_s(columns, row), goals.ttft) &&
    within(latencies.tpot_s(columns, row), goals.tpot) &&
    within(latencies.e2e_s(columns, row), goals.e2e)
  );
}
