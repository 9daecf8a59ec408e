import {describe, expect, it} from 'vitest';
import {pairedDifference, type Verdict} from '../../../src/sim/metrics/paired-difference.js';
import {planMemory} from '../../../src/sim/scenario/plan.js';
import type {ResultDocument} from '../../../src/sim/scenario/result.js';
import {loadPoint, loadStudy} from '../../../src/sim/sweep/load.js';
import {changesOf, labelsOf} from '../../../src/sim/sweep/space.js';
import {replicated} from '../../support/comparison.js';

const STUDY = 'scenarios/studies/schedulers.yaml';
const PAIRS = 6;

type Metrics = ResultDocument['metrics'];
type Figure = (metrics: Metrics) => number | null;

const medianE2e: Figure = ({e2e_s}) => e2e_s.p50;
const meanE2e: Figure = ({e2e_s}) => e2e_s.mean;

/** Runs the study's points with other traffic; the answer compares a figure of a policy with that of fcfs, over pairs on the same random streams. */
async function against(set: readonly string[] = []): Promise<(policy: string, figure: Figure) => {verdict: Verdict; relative: number}> {
  const {axes, points} = await loadStudy(STUDY);
  const sides = await Promise.all(
    points.map(async (point) => {
      const scenario = await loadPoint({study: STUDY, set, changes: changesOf(axes, point)});
      return {label: labelsOf(axes, point)['scheduler.policy.policy'], scenario, plan: planMemory(scenario)};
    }),
  );
  const {figures} = replicated(sides, PAIRS);
  return (policy, figure) => {
    const of = (label: string) => figures[sides.findIndex((side) => side.label === label)].map(({metrics}) => figure(metrics)!);
    const {verdict, relative} = pairedDifference(of('fcfs'), of(policy), 'lower');
    return {verdict, relative: relative!};
  };
}

const lowLoad = ['workload.arrivals.rate=2 req/s'];
const equalLengths = ['workload.input_tokens=300', 'workload.output_tokens=200'];
const longPrompts = [
  'workload.arrivals.rate=8 req/s',
  'workload.input_tokens={dist: lognormal, mean: 1500, cv: 1, max: 8000}',
  'scheduler.max_num_seqs=256',
];

describe('the bundled study of schedulers shows', () => {
  it('where requests wait, sjf and mlfq shorten the median latency, sjf by a fifth at least', async () => {
    const compared = await against();
    expect(compared('sjf', medianE2e)).toMatchObject({verdict: 'better'});
    expect(compared('sjf', medianE2e).relative).toBeLessThan(-0.2);
    expect(compared('mlfq', medianE2e)).toMatchObject({verdict: 'better'});
    expect(compared('sjf', ({e2e_s}) => e2e_s.p99)).toMatchObject({verdict: 'worse'}); // the long ones pay
  });

  it('what they gain vanishes at low load, where nobody waits', async () => {
    const compared = await against(lowLoad);
    for (const policy of ['sjf', 'mlfq']) {
      expect(compared(policy, medianE2e).verdict).toBe('no difference shown');
      expect(Math.abs(compared(policy, medianE2e).relative)).toBeLessThan(0.01);
    }
  });

  it('and with equal lengths, where none is shorter: sjf is the order of arrival, mlfq only interrupts', async () => {
    const compared = await against(equalLengths);
    expect(compared('sjf', medianE2e)).toEqual({verdict: 'no difference shown', relative: 0});
    expect(compared('mlfq', meanE2e)).toMatchObject({verdict: 'worse'});
  });

  it('prefill-first gives the first token sooner than chunks beside decodes, and the others later at the tail', async () => {
    const compared = await against(longPrompts);
    expect(compared('prefill-first', ({ttft_s}) => ttft_s.mean)).toMatchObject({verdict: 'better'});
    expect(compared('prefill-first', ({ttft_s}) => ttft_s.p95)).toMatchObject({verdict: 'better'});
    expect(compared('prefill-first', ({tpot_s}) => tpot_s.p99)).toMatchObject({verdict: 'worse'});
    expect(compared('prefill-first', ({itl_s}) => itl_s.p99)).toMatchObject({verdict: 'worse'});
  });
});
