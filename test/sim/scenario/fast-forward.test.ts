import {createHash} from 'node:crypto';
import {expect, it} from 'vitest';
import type {RunRecord} from '../../../src/sim/metrics/record.js';
import {simulate} from '../../../src/sim/scenario/simulate.js';
import {randomScenario, randomTiers} from '../../support/random-scenario.js';

it('gives the same bytes with fast-forward on and off, with chats, MoE, MLA and sliding windows, and the books balance', () => {
  let preemptions = 0,
    hits = 0,
    others = 0,
    evictions = 0;
  for (let seed = 0; seed < 200; seed++) {
    const {scenario, plan} = randomScenario(seed);
    const on = simulate(scenario, plan, {replication: 0, audit: seed % 4 === 0});
    const off = simulate(scenario, plan, {replication: 0, fastForward: false});
    expect(digest(on), `seed ${seed}`).toBe(digest(off));
    conserved(on);
    preemptions += on.counters.preemptions;
    evictions += on.counters.evictions;
    hits += on.requests.hit.reduce((sum, hit) => sum + hit, 0);
    others += on.requests.end.filter((end) => end !== 0).length;
  }
  expect(Math.min(preemptions, evictions, hits, others)).toBeGreaterThan(200); // nothing of this is a walk-over
});

it('gives the same bytes with fast-forward on and off with memories below HBM, whatever policy evicts in each', () => {
  let loaded = 0,
    evictions = 0;
  for (let seed = 0; seed < 80; seed++) {
    const {scenario, plan} = randomTiers(seed);
    const on = simulate(scenario, plan, {replication: 0, audit: seed % 4 === 0});
    expect(digest(on), `seed ${seed}`).toBe(digest(simulate(scenario, plan, {replication: 0, fastForward: false})));
    loaded += on.requests.hitBelow.reduce((sum, column) => sum + column.reduce((a, b) => a + b, 0), 0);
    evictions += on.tiers.reduce((sum, tier) => sum + tier.evictions, 0);
  }
  expect(Math.min(loaded, evictions)).toBeGreaterThan(1000);
});

function conserved({requests: r, counters: c}: RunRecord): void {
  expect(new Set(r.id).size).toBe(r.rows);
  let generated = 0,
    computed = 0;
  for (let i = 0; i < r.rows; i++) {
    generated += r.output[i];
    computed += r.computed[i];
    if (r.end[i] !== 0) continue;
    if (r.preemptions[i] === 0) expect(r.hit[i] + r.computed[i]).toBe(r.input[i]);
    expect(r.hit[i]).toBeLessThanOrEqual(r.hitInfinite[i]);
    expect(r.hitInfinite[i]).toBeLessThan(r.input[i]);
    expect(r.arrival[i] <= r.scheduled[i] && r.scheduled[i] < r.firstToken[i] && r.firstToken[i] <= r.finished[i]).toBe(true);
  }
  expect(c.generatedTokens - c.discardedTokens).toBe(generated);
  expect(c.prefillTokens).toBe(computed);
  expect(c.boundSeconds.reduce((a, b) => a + b) / c.busySeconds).toBeCloseTo(1, 6);
}

function digest(record: RunRecord): string {
  const text = JSON.stringify(record, (_, value) => (ArrayBuffer.isView(value) ? Array.from(value as Float64Array, String) : value));
  return createHash('sha256').update(text).digest('hex');
}
