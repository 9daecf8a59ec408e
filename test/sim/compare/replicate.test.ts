import {describe, expect, it} from 'vitest';
import {NARROW, replicationRange, wideDifferences} from '../../../src/sim/compare/replicate.js';
import {replicationFigures} from '../../../src/sim/compare/side.js';
import {simulate} from '../../../src/sim/scenario/simulate.js';
import {replicated, toySide} from '../../support/comparison.js';

describe('the number of replications', () => {
  it('is the least where every difference of p95 is known to ± 10 %', () => {
    // Nobody waits for anybody: every TTFT is one step.
    const {figures, stopped} = replicated([toySide('slow', 1, 0.001), toySide('fast', 0.5, 0.001)]);
    expect({stopped, pairs: figures.map((all) => all.length)}).toEqual({
      stopped: 'narrow',
      pairs: [replicationRange.least, replicationRange.least],
    });
  });

  it('is raised while one is known less well, and says so when the most are reached', () => {
    // 100 requests of a queue at ρ = 0.98: its p95 differs from replication to replication by more than its value.
    const one = {scheduler: {...toySide('', 1, 1).scenario.scheduler, maxNumSeqs: 1}};
    const {figures, stopped} = replicated([toySide('slow', 0.5, 0.98, one), toySide('slower', 1, 0.98, one)]);
    expect({stopped, pairs: figures[0].length}).toEqual({stopped: 'cap', pairs: replicationRange.most});
    expect(wideDifferences(figures)[0]).toMatchObject({side: 1, name: 'ttft_s'});
    expect(wideDifferences(figures)[0].half).toBeGreaterThan(NARROW);
  });

  it('is what was asked for', () => {
    const {figures, stopped} = replicated([toySide('a', 1, 0.5), toySide('b', 1, 0.5)], 3);
    expect({stopped, pairs: figures[1].length}).toEqual({stopped: 'asked', pairs: 3});
  });

  it('is two where both are equal, because nothing in the traffic is random', () => {
    const {workload} = toySide('', 1, 1).scenario;
    if (workload.kind !== 'lengths') throw new Error('the toy has lengths');
    const constant = {workload: {...workload, arrivals: {process: 'constant', rate: 0.5, of: 'request'}}} as const;
    const {figures, stopped} = replicated([toySide('a', 1, 0.5, constant), toySide('b', 0.5, 0.5, constant)]);
    expect({stopped, pairs: figures[0].length}).toEqual({stopped: 'equal', pairs: 2});
  });
});

it('gives every side the same arrivals in the same replication, and others in another', () => {
  const {records} = replicated([toySide('a', 1, 0.5), toySide('b', 0.5, 0.5)], 2);
  const arrivals = (side: number, replication: number) => [...records[side][replication].requests.arrival].sort((a, b) => a - b);
  expect(arrivals(0, 0)).toEqual(arrivals(1, 0));
  expect(arrivals(0, 1)).toEqual(arrivals(1, 1));
  expect(arrivals(0, 0)).not.toEqual(arrivals(0, 1));
});

describe('warm-up', () => {
  // A run sends its warm-up beside what was asked for: 130 requests in both.
  const cut = (value: number) => ({
    run: {...toySide('', 1, 1).scenario.run, requests: 130 - value, warmup: {kind: 'requests', value} as const},
  });
  const measured = (sides: ReturnType<typeof toySide>[]) =>
    replicationFigures(
      sides,
      sides.map(({scenario, plan}) => simulate(scenario, plan, {replication: 0})),
    ).map(({metrics}) => metrics.ttft_s.n);

  it('is the longest of all sides where the traffic is the same, so that all measure the same requests', () => {
    expect(measured([toySide('a', 1, 0.5, cut(0)), toySide('b', 1, 0.5, cut(30))])).toEqual([100, 100]);
  });

  it('is its own where the traffic differs', () => {
    expect(measured([toySide('a', 1, 0.5, cut(10)), toySide('b', 1, 0.25, cut(30))])).toEqual([120, 100]);
  });
});
