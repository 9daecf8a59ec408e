import {compare} from '../../src/sim/compare/compare.js';
import type {Comparison} from '../../src/sim/compare/comparison.js';
import {type Replicated, replicate} from '../../src/sim/compare/replicate.js';
import type {Side} from '../../src/sim/compare/side.js';
import type {Scenario} from '../../src/sim/scenario/scenario.js';
import {simulate} from '../../src/sim/scenario/simulate.js';
import {noPrices} from './plain-scenario.js';
import {toyPlan, toyScenario} from './scenarios.js';

/** A toy whose every step takes `seconds`: requests of one token each, at `rate` a second. */
export function toySide(label: string, seconds: number, rate: number, change: Partial<Scenario> = {}): Side {
  const scenario = toyScenario({
    name: label,
    costModel: {kind: 'constant', seconds},
    workload: {
      kind: 'lengths',
      arrivals: {process: 'poisson', rate, of: 'request'},
      inputTokens: {dist: 'constant', value: 100},
      outputTokens: {dist: 'constant', value: 1},
      sharedPrefixes: null,
    },
    resolved: {hardware: {cost_model: {constant: seconds}}, workload: {arrivals: {rate}}},
    yaml: `name: ${label}\nhardware:\n  cost_model:\n    constant: ${seconds * 1000} ms\nworkload:\n  arrivals:\n    rate: ${rate} req/s\n`,
    ...change,
  });
  return {label, scenario, plan: toyPlan};
}

/** Really runs the sides. */
export function replicated(sides: readonly Side[], asked: number | null = null): Replicated {
  const rounds = replicate(sides, asked);
  let round = rounds.next();
  while (!round.done) {
    const ran = round.value.map(({side, replication}) => simulate(sides[side].scenario, sides[side].plan, {replication}));
    round = rounds.next(ran);
  }
  return round.value;
}

/** A comparison of toys, really run: the first is slow and queues, the second fast; with `third`, one that is slower still. */
export function exampleComparison({third = false, text}: {third?: boolean; text?: string} = {}): Comparison {
  const slo = {ttft: 1, tpot: null, e2e: 3, attainment: 0.9, session: null, makespan: null, classes: {}};
  const output = (rate: number): Partial<Scenario> => ({
    slo,
    cost: {...noPrices, device: 2},
    workload: {
      kind: 'lengths',
      arrivals: {process: 'poisson', rate, of: 'request'},
      inputTokens: {dist: 'constant', value: 100},
      outputTokens: {dist: 'geometric', mean: 8},
      sharedPrefixes: null,
    },
    ...(text === undefined
      ? {}
      : {yaml: `name: ${JSON.stringify(text)}\n`, assumptions: [{path: text, value: text, grade: 'assumed' as const, source: text}]}),
  });
  const name = (label: string) => (text === undefined ? label : `${label} ${text}`);
  const sides = [
    toySide(name('slow'), 0.2, 1, output(1)),
    toySide(name('fast'), 0.1, 1, {
      ...output(1),
      assumptions: [{path: 'engine.overhead.step', value: '1 ms', grade: 'assumed', source: 'test'}],
    }),
    ...(third ? [toySide(name('slower'), 0.3, 1, output(1))] : []),
  ];
  return compare(sides, replicated(sides), {command: text ?? 'tiercast compare slow.yaml fast.yaml'});
}
