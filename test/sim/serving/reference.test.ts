import {createHash} from 'node:crypto';
import {expect, it} from 'vitest';
import {gapDistribution} from '../../../src/sim/metrics/itl.js';
import {measured} from '../../../src/sim/metrics/measured.js';
import {quantiles} from '../../../src/sim/metrics/quantiles.js';
import type {RunRecord} from '../../../src/sim/metrics/record.js';
import type {Arrival} from '../../../src/sim/workload/workload.js';
import {naiveEngine} from '../../support/naive-engine.js';
import {randomTraffic} from '../../support/random-traffic.js';
import {type Overrides, replicaConfig, simulated} from '../../support/replica-config.js';
import {ScriptedWorkload} from '../../support/scripted.js';

const SEEDS = Array.from({length: 200}, (_, i) => i);

it('equals a slow engine of plain lists, request by request, on 200 random scenarios', () => {
  let preemptions = 0,
    hits = 0;
  for (const seed of SEEDS) {
    const {overrides, cost, script} = randomTraffic(seed);
    const record = simulated(overrides, cost, new ScriptedWorkload(script));
    const expected = naiveEngine(replicaConfig(overrides), cost, arrivals(new ScriptedWorkload(script)));
    const r = record.requests;
    const order = Array.from({length: r.rows}, (_, i) => i).sort((a, b) => r.id[a] - r.id[b]);
    const got = order.map((i) => ({
      hit: r.hit[i],
      scheduled: r.scheduled[i],
      first: r.firstToken[i],
      finished: r.finished[i],
      preemptions: r.preemptions[i],
    }));
    expect(got, `seed ${seed}`).toEqual(expected.map(({tokens: _, ...row}) => row));
    const gaps = expected.map(({tokens}) => tokens.slice(1).map((at, i) => at - tokens[i]));
    expect(gapsOf(record), `gaps, seed ${seed}`).toEqual(gaps.map((each) => each.sort((a, b) => a - b)));
    expect(
      order.map((i) => r.longestGap[i]),
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

function arrivals(workload: ScriptedWorkload): Arrival[] {
  const all: Arrival[] = [];
  for (let arrival = workload.next(); arrival !== null; arrival = workload.next()) all.push(arrival);
  return all;
}

/** Every request ends once; every token that was asked for was generated once; every prompt token was hit or computed. */
function conserved(record: RunRecord, script: readonly {input: number; output: number}[]): void {
  const {requests: r, counters: c} = record;
  expect([...r.id].sort((a, b) => a - b)).toEqual(script.map((_, i) => i));
  expect([...r.end].every((end) => end === 0)).toBe(true);
  const wanted = script.reduce((sum, {input, output}) => sum + Math.min(output, 64 - input), 0);
  expect(c.generatedTokens - c.discardedTokens).toBe(wanted);
  for (let i = 0; i < r.rows; i++) if (r.preemptions[i] === 0) expect(r.hit[i] + r.computed[i]).toBe(r.input[i]);
  expect(c.prefillTokens).toBe(r.computed.reduce((sum, n) => sum + n, 0));
}

function digest(record: RunRecord): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify(record, (_, value) => (ArrayBuffer.isView(value) ? Array.from(value as Float64Array, String) : value)));
  return hash.digest('hex');
}
