import {describe, expect, it} from 'vitest';
import {canonicalJson} from '../../../src/sim/scenario/canonical.js';
import type {ResultDocument} from '../../../src/sim/scenario/result.js';
import type {Scenario} from '../../../src/sim/scenario/scenario.js';
import {simulate} from '../../../src/sim/scenario/simulate.js';
import {summarise} from '../../../src/sim/scenario/summarise.js';
import {toyPlan, toyScenario} from '../../support/scenarios.js';

/** One request at a time, each exactly 1 s: M/D/1 with ρ = rate. */
function singleServer(rate: number, change: Partial<Scenario['run']> = {}): Scenario {
  const scenario = toyScenario();
  return {
    ...scenario,
    scheduler: {...scenario.scheduler, maxNumSeqs: 1},
    workload: {...scenario.workload, arrivals: {process: 'poisson', rate, of: 'request'}} as Scenario['workload'],
    run: {...scenario.run, requests: 4000, ...change},
  };
}

function result(scenario: Scenario): ResultDocument {
  const records = Array.from({length: scenario.run.replications}, (_, replication) => simulate(scenario, toyPlan, {replication}));
  return summarise(scenario, toyPlan, records);
}

describe('a simulated single server', () => {
  it.each([0.3, 0.5, 0.7, 0.9, 0.95])('at offered load %d is not overloaded and shows that ρ', (rate) => {
    const {load} = result(singleServer(rate));
    expect(load.overloaded).toBe(false);
    expect(load.rho! / rate).toBeGreaterThan(0.94);
    expect(load.rho! / rate).toBeLessThan(1.06);
  });

  it.each([1.2, 1.5, 4])('at offered load %d is overloaded and shows that ρ', (rate) => {
    const {load, verdict} = result(singleServer(rate));
    expect(load.overloaded).toBe(true);
    expect(load.rho! / rate).toBeGreaterThan(0.95);
    expect(load.rho! / rate).toBeLessThan(1.05);
    expect(verdict[0].code).toBe('overloaded');
  });

  it('has intervals that hold the waiting time of M/D/1, ρ / 2(1 − ρ) · 1 s', () => {
    const {queue_s} = result(singleServer(0.7, {replications: 10, requests: 2000})).metrics;
    const expected = 0.7 / (2 * 0.3);
    expect(queue_s.ci95.mean![0]).toBeLessThan(expected);
    expect(queue_s.ci95.mean![1]).toBeGreaterThan(expected);
  });

  it('waits λ · W on average: Little’s law between the timeline and the requests', () => {
    const {load, metrics, throughput} = result(singleServer(0.8));
    expect(load.mean_waiting! / (throughput.requests_per_s! * metrics.queue_s.mean!)).toBeCloseTo(1, 2);
  });
});

it('gives equal bytes for an equal scenario, with and without fast-forward', () => {
  const scenario = singleServer(0.9, {requests: 500});
  const text = (fastForward: boolean) =>
    canonicalJson(summarise(scenario, toyPlan, [simulate(scenario, toyPlan, {replication: 0, fastForward})]));
  expect(text(true)).toBe(text(true));
  expect(text(false)).toBe(text(true));
});
