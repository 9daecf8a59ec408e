import {type FigureUnit, unitOf} from '../../src/sim/scenario/figure-unit.js';
import {bytes, count, dollars, duration, type Format, mean, secondsTick, share, significant} from '../format.js';

/** What the page of a sweep is drawn from: pareto.json, and a row a point. */
export interface SweepView {
  readonly document: {
    readonly tiercast: {readonly version: string};
    readonly name: string;
    readonly search: string;
    readonly counts: Readonly<Record<'points' | 'skipped' | 'infeasible' | 'failed' | 'done' | 'good', number>>;
    readonly axes: readonly {readonly name: string; readonly values: readonly string[]}[];
    readonly objectives: readonly SweepObjective[];
    readonly constraints: readonly string[];
    readonly baseline: number | null;
    readonly pareto: readonly SweepPareto[];
    /** Objectives that points within the constraints have no figure for, and how many of them. */
    readonly lacking: readonly {readonly objective: string; readonly points: number}[];
    readonly knee: number | null;
    readonly levers: readonly {readonly objective: string; readonly shares: readonly {readonly axis: string; readonly share: number}[]}[];
    readonly identical: readonly {
      readonly axis: string;
      readonly values: readonly string[];
      readonly settings: number;
      readonly of: number;
    }[];
    readonly compared: SweepCompared | null;
    readonly most: {
      readonly axis: string;
      readonly settings: readonly {
        readonly setting: Readonly<Record<string, string>>;
        readonly value: string | null;
        readonly isLast: boolean;
      }[];
    } | null;
    readonly infeasible: readonly {readonly reason: string; readonly points: number}[];
  };
  readonly rows: readonly SweepRow[];
}

/** Who is best at what, over pairs of runs on the same random streams. */
export interface SweepCompared {
  readonly axes: readonly string[];
  readonly pairs: number;
  readonly rankings: readonly {
    readonly setting: Readonly<Record<string, string>>;
    readonly axis: string;
    readonly objective: string;
    readonly ranked: readonly {
      readonly value: string;
      readonly mean: number;
      readonly relative: number | null;
      readonly ci95: readonly [number, number] | null;
      readonly wins: boolean;
    }[];
  }[];
}

/** A figure that is to be small or large. */
export interface SweepObjective {
  readonly goal: 'minimise' | 'maximise';
  readonly path: string;
}

/** A point of the Pareto set. */
export interface SweepPareto {
  readonly rank: number;
  readonly point: number;
  readonly equals: readonly number[];
  readonly axes: Readonly<Record<string, string>>;
  readonly objectives: Readonly<Record<string, number>>;
  readonly against_baseline: Readonly<Record<string, number | null>> | null;
  readonly scenario: string;
}

/** A point, with the command that runs it alone. */
export interface SweepRow {
  readonly point: number;
  readonly status: 'done' | 'skipped' | 'infeasible' | 'failed';
  readonly reason: string | null;
  readonly axes: Readonly<Record<string, string>>;
  /** Null: nothing to judge. */
  readonly misses: readonly string[] | null;
  readonly figures: Readonly<Record<string, number | null>> | null;
  readonly command: string;
}

const units: Readonly<Record<FigureUnit, Format>> = {
  seconds: duration,
  bytes,
  usd: dollars,
  share,
  rate: mean,
  number: (value) => (value !== null && Number.isInteger(value) ? count(value) : mean(value)),
};

/** How a figure is shown: in the unit that its path says. */
export function formatOf(path: string): Format {
  return units[unitOf(path)];
}

/** How its axis is labelled. */
export function tickOf(path: string): Format {
  const unit = unitOf(path);
  if (unit === 'seconds') return secondsTick;
  return unit === 'number' || unit === 'rate' ? (value) => (value === null ? '' : significant(value)) : units[unit];
}

/** The format by the name that the page's script knows. */
export function formatName(path: string): 'duration' | 'bytes' | 'dollars' | 'share' | 'mean' {
  return ({seconds: 'duration', bytes: 'bytes', usd: 'dollars', share: 'share', rate: 'mean', number: 'mean'} as const)[unitOf(path)];
}

const words: Readonly<Record<string, string>> = {
  'cost.per_million_output_tokens_usd': 'price per million output tokens',
  'cost.per_million_input_tokens_usd': 'price per million input tokens',
  'cost.per_hour_usd': 'price per hour',
  'slo.attainment': 'share of requests within the goals',
  'throughput.output_tokens_per_s': 'output tokens per second',
};

/** A figure in words: `ttft_s.p95` is "TTFT p95". What has no words keeps its path. */
export function nameOf(path: string): string {
  const latency = /^(ttft|tpot|e2e)_s\.(\w+)$/.exec(path);
  return latency === null ? (words[path] ?? path) : `${latency[1].toUpperCase()} ${latency[2]}`;
}

/** A point in words: its values in the order of the axes; a number alone carries the name of its key. */
export function labelOf(axes: Readonly<Record<string, string>>): string {
  return Object.entries(axes)
    .map(([name, label]) => (/[^\d.,]/.test(label) ? label : `${name.slice(name.lastIndexOf('.') + 1)} ${label}`))
    .join(', ');
}

/** Whether a point has figures and misses no constraint. */
export function isGood(row: SweepRow): boolean {
  return row.figures !== null && row.misses?.length === 0;
}
