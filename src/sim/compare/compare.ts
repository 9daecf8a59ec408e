import {version} from '../core/version.js';
import {offeredLoad} from '../metrics/load.js';
import {pairedDifference} from '../metrics/paired-difference.js';
import {mean} from '../metrics/quantiles.js';
import type {RunRecord} from '../metrics/record.js';
import {reportData} from '../scenario/report-data.js';
import {summarise} from '../scenario/summarise.js';
import {percentText} from '../scenario/text.js';
import {closedLoops} from '../workload/classes.js';
import {changedAssumptions, changedFigures, changedKeys} from './changes.js';
import type {Comparison, ComparisonDocument, MetricComparison, Pair} from './comparison.js';
import {type ComparedMetricName, comparedMetric, comparedMetricNames, type Figures} from './metrics.js';
import {NARROW, type Replicated, replicationRange, wideDifferences} from './replicate.js';
import {type Side, sameTraffic} from './side.js';
import {pairVerdict} from './verdict.js';

/** What a comparison says beside what its runs left. */
export interface CompareExtras {
  /** The command that gives this comparison again; no absolute path. */
  readonly command?: string;
  readonly warnings?: ComparisonDocument['warnings'];
}

/** Condenses the replications of all sides into comparison.json's content and what its page is drawn from; the first side is the base. */
export function compare(sides: readonly Side[], replicated: Replicated, extras: CompareExtras = {}): Comparison {
  const {records, figures, stopped} = replicated;
  const results = sides.map(({scenario, plan}, i) => summarise(scenario, plan, records[i]));
  const document: ComparisonDocument = {
    schema: 'tiercast.comparison/1',
    tiercast: {version},
    status: 'ok',
    command: extras.command ?? '',
    seed: sides[0].scenario.run.seed,
    replications: figures[0].length,
    stopped,
    labels: sides.map(({label}) => label),
    comparisons: sides.slice(1).map((side, i) => pairOf([sides[0], side], [figures[0], figures[i + 1]], [records[0], records[i + 1]])),
    warnings: [...(extras.warnings ?? []), ...warningsOf(sides, replicated)],
    results,
  };
  return {document, reports: sides.map(({scenario, plan}, i) => reportData(scenario, plan, records[i], results[i]))};
}

type Two<T> = readonly [T, T];

function pairOf(sides: Two<Side>, figures: Two<readonly Figures[]>, records: Two<readonly RunRecord[]>): Pair {
  const [before, after] = sides;
  const bound = sameTraffic(before, after) && sides.every((side, i) => arrivalsBound(side, records[i]));
  const metrics = Object.fromEntries(
    comparedMetricNames.map((name) => [name, metricOf(name, figures, noteOf(name, sides, figures, bound))]),
  ) as Pair['metrics'];
  const pair = {before: before.label, after: after.label, metrics};
  return {
    ...pair,
    verdict: pairVerdict(pair),
    changed: changedKeys(before.scenario, after.scenario),
    derived: changedFigures(before, after),
    assumptions: changedAssumptions(before, after),
  };
}

function metricOf(name: ComparedMetricName, figures: Two<readonly Figures[]>, note: string | null): MetricComparison | null {
  const metric = comparedMetric(name);
  const [before, after] = figures.map((all) => all.map((one) => metric.value(one)));
  if (before.includes(null) || after.includes(null)) return null;
  const found = pairedDifference(before as number[], after as number[], metric.better);
  return {
    unit: metric.unit,
    better: metric.better,
    before: found.before,
    after: found.after,
    change: found.difference,
    change_ci95: found.ci95,
    difference: found.relative,
    difference_ci95: found.relativeCi95,
    verdict: found.verdict,
    note,
  };
}

/** What a reader should know beside the numbers: that arrivals decide a rate, and whether the goal is met. */
function noteOf(name: ComparedMetricName, sides: Two<Side>, figures: Two<readonly Figures[]>, bound: boolean): string | null {
  if (name !== 'slo.attainment') return bound && comparedMetric(name).follows === 'arrivals' ? 'arrivals bound it' : null;
  const [met, meets] = sides.map(({scenario}, i) => mean(figures[i].map(({slo}) => slo.attainment ?? 0)) >= scenario.slo.attainment);
  const goal = `goal ${percentText(sides[1].scenario.slo.attainment)}`;
  return `${goal} ${meets ? (met ? 'met by both' : 'now met') : met ? 'no longer met' : 'missed by both'}`;
}

/** Whether requests come by themselves and no replication is overloaded: then what leaves is what came. */
function arrivalsBound({scenario: {workload}}: Side, records: readonly RunRecord[]): boolean {
  if (closedLoops(workload) !== 'none') return false;
  return records.every((record) => !offeredLoad(record, false).overloaded);
}

function warningsOf(sides: readonly Side[], {figures, stopped}: Replicated): ComparisonDocument['warnings'] {
  const [base, ...others] = sides;
  const warnings: ComparisonDocument['warnings'] = [];
  for (const side of others) {
    if (!sameTraffic(base, side))
      warnings.push({
        code: 'different_traffic',
        path: 'workload',
        text: `${side.label} has other traffic than ${base.label}: differences are also those of the traffic`,
      });
    if (JSON.stringify(side.scenario.slo) !== JSON.stringify(base.scenario.slo))
      warnings.push({
        code: 'different_goals',
        path: 'slo',
        text: `${side.label} has other goals than ${base.label}: goodput and attainment are each by its own`,
      });
  }
  if (stopped === 'equal')
    warnings.push({
      code: 'nothing_random',
      path: 'workload',
      text: 'this traffic has nothing random: differences are exact for it, and say nothing of other traffic',
    });
  const wide = wideDifferences(figures).map(({side, name, half}) => `${name} of ${sides[side].label} ± ${percentText(half)}`);
  if (wide.length > 0)
    warnings.push({
      code: 'wide_interval',
      path: 'run.replications',
      text: `after ${stopped === 'cap' ? `${Math.max(replicationRange.most, figures[0].length)} replications, the most, ` : `${figures[0].length} replications `}differences of p95 are known less well than ± ${percentText(NARROW)}: ${wide.join(', ')}; more requests or --replications narrow them`,
    });
  return warnings;
}
