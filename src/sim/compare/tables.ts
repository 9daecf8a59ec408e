import {fileNumber} from '../scenario/canonical.js';
import type {Paint} from '../scenario/run-table.js';
import type {TableRow} from '../scenario/tables.js';
import {printable} from '../scenario/text.js';
import type {ComparisonDocument, MetricComparison, Pair, Stopped} from './comparison.js';
import {comparedMetric, comparedMetricNames} from './metrics.js';
import {replicationRange} from './replicate.js';
import {changeText, derivedFigureText, factorText, figureText} from './text.js';

const LABEL = 12;

/** The lines before the runs: who is compared with whom, and what differs. */
export function changeLines(
  pair: Pick<Pair, 'before' | 'after' | 'changed' | 'derived'>,
  headlines: {before: string; after: string},
): string[] {
  const differing = [
    ...pair.changed.map(({path, before, after}) => `${path}  ${before ?? '–'} → ${after ?? '–'}`),
    ...pair.derived.map((one) =>
      `${one.label}  ${derivedFigureText(one, one.before)} → ${derivedFigureText(one, one.after)}  ${factorText(one)}`.trimEnd(),
    ),
  ];
  const lines = differing.length === 0 ? ['nothing'] : differing;
  return [
    `${'before'.padEnd(LABEL)}${pair.before}: ${headlines.before}`,
    `${'after'.padEnd(LABEL)}${pair.after}: ${headlines.after}`,
    ...lines.map((line, i) => (i === 0 ? 'changed' : '').padEnd(LABEL) + line),
  ].map(printable);
}

/** The lines after the runs: the verdict, and the table of figures with their paired differences. */
export function pairLines(pair: Pair, paint: Paint, columns: (rows: readonly (readonly string[])[]) => string[]): string[] {
  const [{code, text}] = pair.verdict;
  const tint = code === 'better' ? paint.good : code === 'worse' ? paint.bad : paint.bold;
  const rows = comparedMetricNames.flatMap((name) => {
    const metric = pair.metrics[name];
    return metric === null ? [] : [row(comparedMetric(name).label, metric)];
  });
  const [head, ...body] = columns([['', 'before', 'after', 'difference (95 %)', 'verdict'], ...rows]);
  return [tint(printable(text)), '', paint.dim(head), ...body];
}

function row(label: string, metric: MetricComparison): string[] {
  const verdict = metric.note === null ? metric.verdict : `${metric.verdict} (${metric.note})`;
  return [label, figureText(metric.unit, metric.before), figureText(metric.unit, metric.after), changeText(metric), verdict];
}

const stops: Readonly<Record<Stopped, (n: number) => string>> = {
  narrow: (n) => `${n} of each: differences of p95 are known to ± 10 % or better`,
  cap: (n) => `${n} of each, the most that are run unasked (${replicationRange.least} … ${replicationRange.most})`,
  asked: (n) => `${n} of each, as asked`,
  equal: (n) => `${n} of each, both equal: nothing is random`,
};

/** How many replications were run and why no more. */
export function replicationLine({replications, stopped, seed}: ComparisonDocument): string {
  return `${'runs'.padEnd(LABEL)}${stops[stopped](replications)}; the same random streams (seed ${seed})`;
}

const comparisonColumns = [
  'before_name',
  'after_name',
  'metric',
  'unit',
  'before',
  'after',
  'change',
  'change_low',
  'change_high',
  'difference_share',
  'difference_low_share',
  'difference_high_share',
  'verdict',
  'note',
] as const;

/** Header and rows of comparison.csv: one row a pair and figure, intervals at 95 %. */
export function* comparisonTable({comparisons}: ComparisonDocument): Generator<TableRow> {
  yield comparisonColumns;
  for (const {before, after, metrics} of comparisons) {
    for (const name of comparedMetricNames) {
      const metric = metrics[name];
      if (metric !== null) yield [before, after, name, metric.unit, ...numbers(metric), metric.verdict, metric.note ?? ''];
    }
  }
}

function numbers({before, after, change, change_ci95, difference, difference_ci95}: MetricComparison): (number | string)[] {
  const cells = [before, after, change, change_ci95?.[0], change_ci95?.[1], difference, difference_ci95?.[0], difference_ci95?.[1]];
  return cells.map((value) => (value === undefined || value === null ? '' : fileNumber(value)));
}
