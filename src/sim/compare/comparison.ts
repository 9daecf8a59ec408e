import type {Grade} from '../../models/provenance.js';
import type {Verdict} from '../metrics/paired-difference.js';
import type {Report, ResultDocument} from '../scenario/result.js';
import type {ComparedMetricName, ComparedUnit} from './metrics.js';

/**
 * The content of comparison.json, schema `tiercast.comparison/1`: SI units, null = unknown or not applicable.
 *
 * Like result.json it holds 9 significant digits and nothing of clock, user or host, so equal comparisons give equal bytes.
 */
export interface ComparisonDocument {
  schema: 'tiercast.comparison/1';
  tiercast: {version: string};
  status: 'ok';
  /** The command that gives this comparison again. */
  command: string;
  /** Seed of the random streams of all scenarios. */
  seed: number;
  /** Replications of each scenario, and what ended their number. */
  replications: number;
  stopped: Stopped;
  /** Names of the scenarios, told apart; the first is the base. */
  labels: string[];
  /** One for each scenario after the base. */
  comparisons: Pair[];
  warnings: {code: string; path: string; text: string}[];
  /** The result of each scenario over the same replications, base first. */
  results: ResultDocument[];
}

/**
 * Why no more replications were run: the p95 intervals were narrow enough, the most were reached, so many were asked for, or all are equal
 * because the traffic has nothing random.
 */
export type Stopped = 'narrow' | 'cap' | 'asked' | 'equal';

/** The base and one other scenario. */
export interface Pair {
  before: string;
  after: string;
  /** Most important first: the whole in one sentence, then one for each figure. */
  verdict: {code: string; text: string}[];
  /** Keys of the resolved scenarios that differ. */
  changed: Change[];
  /** Figures derived from them that differ. */
  derived: DerivedChange[];
  metrics: Record<ComparedMetricName, MetricComparison | null>;
  /** Figures that somebody chose and that differ; null: only the other scenario has it. */
  assumptions: {path: string; before: Assumed | null; after: Assumed | null}[];
}

/** A key that differs, as the files write it; null: not there. */
export interface Change {
  path: string;
  before: string | null;
  after: string | null;
}

export interface DerivedChange {
  path: string;
  label: string;
  unit: 'bytes' | 'tokens' | '' | 'USD/hour';
  before: number;
  after: number;
}

export interface Assumed {
  value: string;
  grade: Grade;
  source: string;
}

/** One figure before and after: means over the replications, and their paired difference with its 95 % interval. */
export interface MetricComparison {
  unit: ComparedUnit;
  better: 'lower' | 'higher';
  before: number;
  after: number;
  /** After − before, in the figure's own unit. */
  change: number;
  change_ci95: [number, number] | null;
  /** The same as a share of `before`; null when that is 0. */
  difference: number | null;
  difference_ci95: [number, number] | null;
  verdict: Verdict;
  note: string | null;
}

/** What a comparison's page is drawn from: the document, and of each scenario what its own page would be drawn from. */
export interface Comparison {
  readonly document: ComparisonDocument;
  /** In the order of `document.labels`; their samples and timelines are of the first replication. */
  readonly reports: readonly Report[];
}
