import {measured, measuredAfter} from '../metrics/measured.js';
import type {RunRecord} from '../metrics/record.js';
import {costFigures} from '../scenario/cost-figures.js';
import {hitsOf, metricsOf, throughputOf} from '../scenario/figures.js';
import type {MemoryPlan, Scenario} from '../scenario/scenario.js';
import {sloOf} from '../scenario/slo-figures.js';
import {warmupRule} from '../scenario/summarise.js';
import type {Figures} from './metrics.js';

/** One of the scenarios that are compared: what ran, and its name among the others. */
export interface Side {
  readonly label: string;
  readonly scenario: Scenario;
  readonly plan: MemoryPlan;
}

/**
 * The figures of one replication of every side. Sides with the same traffic are measured over the same requests: the longest of their
 * warm-ups is cut off all of them, so that their difference is not that of what was cut.
 */
export function replicationFigures(sides: readonly Side[], records: readonly RunRecord[]): Figures[] {
  const cuts = sides.map(({scenario}, i) => measured(records[i].requests, warmupRule(scenario)).warmup);
  const same = sides.map((side) => sameTraffic(sides[0], side));
  const common = Math.max(...cuts.filter((_, i) => same[i]));
  return sides.map((side, i) => figuresOf(side, records[i], same[i] ? common : cuts[i]));
}

function figuresOf({scenario, plan}: Side, record: RunRecord, warmup: number): Figures {
  const runs = [measuredAfter(record.requests, warmup)];
  const throughput = throughputOf(scenario, runs, [record]);
  return {
    metrics: metricsOf(runs, null),
    throughput,
    slo: sloOf(scenario, runs, [{makespanSeconds: Math.max(0, record.lastEnd - record.firstArrival) / 1e9}]),
    hits: hitsOf(scenario, plan, runs),
    cost: costFigures(scenario, plan, throughput),
  };
}

/** Whether both send the same requests: the same workload, and the same rule for its end and its warm-up. */
export function sameTraffic(a: Side, b: Side): boolean {
  return traffic(a) === traffic(b);
}

function traffic({scenario}: Side): string {
  const {workload, run} = scenario.resolved as {workload?: unknown; run?: Record<string, unknown>};
  const {requests, sessions, duration, warmup} = run ?? {};
  return JSON.stringify([workload, requests, sessions, duration, warmup]);
}
