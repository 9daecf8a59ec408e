import {expect, it} from 'vitest';
import {gapDistribution} from '../../../src/sim/metrics/itl.js';
import {measured} from '../../../src/sim/metrics/measured.js';
import {quantiles} from '../../../src/sim/metrics/quantiles.js';
import type {RunRecord} from '../../../src/sim/metrics/record.js';
import {naiveEngine} from '../../support/naive-engine.js';
import {randomTraffic} from '../../support/random-traffic.js';
import {type Overrides, replicaConfig, simulated} from '../../support/replica-config.js';
import {arrivalsOf, conserved, digest, inOrder, naiveRows} from '../../support/run-checks.js';
import {ScriptedWorkload} from '../../support/scripted.js';

const SEEDS = Array.from({length: 200}, (_, i) => i);

it('equals a slow engine of plain lists, request by request, on 200 random scenarios', () => {
  let preemptions = 0,
    hits = 0;
  for (const seed of SEEDS) {
    const {overrides, cost, script} = randomTraffic(seed);
    const record = simulated(overrides, cost, new ScriptedWorkload(script));
    const expected = naiveEngine(replicaConfig(overrides), cost, arrivalsOf(new ScriptedWorkload(script)));
    const r = record.requests;
    expect(naiveRows(record), `seed ${seed}`).toEqual(expected.map(({tokens: _, ...row}) => row));
    const gaps = expected.map(({tokens}) => tokens.slice(1).map((at, i) => at - tokens[i]));
    expect(gapsOf(record), `gaps, seed ${seed}`).toEqual(gaps.map((each) => each.sort((a, b) => a - b)));
    expect(
      inOrder(r).map((i) => r.longestGap[i]),
      `longest gaps, seed ${seed}`,
    ).toEqual(gaps.map((each) => (each.length > 0 ? Math.max(...each) : Number.NaN)));
    const pooled = Float64Array.from(gaps.flat(), (gap) => gap / 1e9);
    const {n, p50, p95, p99, max} = gapDistribution([measured(r, {kind: 'none'})]);
    expect([n, p50, p95, p99, max], `seed ${seed}`).toEqual([pooled.length, ...quantiles(pooled, [0.5, 0.95, 0.99, 1])]);
    preemptions += record.counters.preemptions;
    hits += r.hit.reduce((sum, hit) => sum + hit, 0);
  }
  // The scenarios are no walk-over: they preempt and hit.
  expect(preemptions).toBeGreaterThan(1000);
  expect(hits).toBeGreaterThan(10_000);
});

it('gives the same bytes with fast-forward on and off on 200 random scenarios, and the books balance', () => {
  for (const seed of SEEDS) {
    const {overrides, cost, script} = randomTraffic(seed);
    const off = simulated(overrides, cost, new ScriptedWorkload(script), {fastForward: false});
    const on = simulated(overrides, cost, new ScriptedWorkload(script), {fastForward: true});
    expect(digest(on), `seed ${seed}`).toBe(digest(off));
    conserved(on, script);
  }
});

it('keeps its books with chunk limits, prompts every n-th step, and no preemption, fast-forward on or off', () => {
  const variants: Overrides['scheduler'][] = [{longPrefillTokenThreshold: 3}, {prefillInterval: 3}, {preemption: 'none'}];
  let preemptions = 0;
  for (const seed of SEEDS) {
    const {overrides, cost, script} = randomTraffic(seed);
    const varied = {...overrides, scheduler: {...overrides.scheduler, ...variants[seed % variants.length]}};
    const off = simulated(varied, cost, new ScriptedWorkload(script), {fastForward: false});
    expect(digest(simulated(varied, cost, new ScriptedWorkload(script))), `seed ${seed}`).toBe(digest(off));
    conserved(off, script);
    if (seed % variants.length === 2) expect(off.counters.preemptions).toBe(0);
    if (seed % variants.length === 0) preemptions += off.counters.preemptions;
  }
  expect(preemptions).toBeGreaterThan(100);
});

it('tells two runs apart by their event log', () => {
  const {overrides, cost, script} = randomTraffic(3);
  const one = simulated(overrides, cost, new ScriptedWorkload(script));
  const later = script.map((request, i) => (i === 5 ? {...request, output: request.output + 1} : request));
  expect(simulated(overrides, cost, new ScriptedWorkload(later)).eventLog).not.toBe(one.eventLog);
});

/** All gaps between tokens of each request by id, rising. */
function gapsOf({requests}: RunRecord): number[][] {
  const found: number[][] = Array.from({length: requests.rows}, () => []);
  for (const {times, stays} of requests.gaps) {
    stays.request.forEach((id, i) => {
      found[id].push(stays.gap[i]);
      for (let tick = stays.from[i] + 1; tick <= stays.to[i]; tick++) found[id].push(times[tick] - times[tick - 1]);
    });
  }
  return found.map((gaps) => gaps.sort((a, b) => a - b));
}
