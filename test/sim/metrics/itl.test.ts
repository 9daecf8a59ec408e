import {describe, expect, it} from 'vitest';
import {stream} from '../../../src/sim/core/random.js';
import {gapCentre, gapDistribution} from '../../../src/sim/metrics/itl.js';
import {measured} from '../../../src/sim/metrics/measured.js';
import {quantiles} from '../../../src/sim/metrics/quantiles.js';
import {weightedMean, weightedQuantiles} from '../../../src/sim/metrics/weighted.js';
import {linearCost} from '../../support/linear-cost.js';
import {simulated} from '../../support/replica-config.js';
import {ScriptedWorkload} from '../../support/scripted.js';

describe('gapDistribution', () => {
  // Steps of 10 ms and 1 ms a token: 0-20 a's prompt of 10, 20-31 a decodes, 31-62 a decodes beside b's prompt of 20, 62-74 and 74-86 both decode.
  const {requests} = simulated(
    {},
    linearCost({base: 0.01, token: 0.001}),
    new ScriptedWorkload([
      {at: 0, input: 10, output: 5},
      {at: 0.025, input: 20, output: 3},
    ]),
  );

  it('pools every gap of every request: a waits 31 ms while the prompt of b is computed', () => {
    const all = gapDistribution([measured(requests, {kind: 'none'})]);
    // a: 11, 31, 12, 12; b: 12, 12.
    expect(all).toMatchObject({n: 6, p50: 0.012, max: 0.031});
    expect(all.mean).toBeCloseTo(0.09 / 6, 12);
    expect([...requests.longestGap].sort()).toEqual([12e6, 31e6]);
  });

  it('leaves the warm-up out', () => {
    expect(gapDistribution([measured(requests, {kind: 'requests', value: 1})])).toMatchObject({n: 2, mean: 0.012, max: 0.012});
  });

  it('has its mean and p95 alone, too: of 11, 12, 12, 12, 12 and 31 ms, three quarters of the way from 12 to 31', () => {
    const {mean, p95} = gapCentre([measured(requests, {kind: 'none'})]);
    expect([mean, p95]).toEqual([expect.closeTo(0.09 / 6, 12), expect.closeTo(0.012 + 0.75 * 0.019, 12)]); // rank 4.75
    expect(gapCentre([measured(requests, {kind: 'requests', value: 2})])).toEqual({mean: null, p95: null});
  });

  it('of requests with one token each is null, never 0', () => {
    const one = simulated({}, linearCost({base: 0.01}), new ScriptedWorkload([{at: 0, input: 5, output: 1}]));
    expect(gapDistribution([measured(one.requests, {kind: 'none'})])).toMatchObject({n: 0, mean: null, max: null});
    expect(one.requests.longestGap[0]).toBeNaN();
  });

  it('takes its interval from replications, and from ten batches of one run', () => {
    const script = Array.from({length: 300}, (_, i) => ({at: i * 0.013, input: 5 + (i % 7), output: 2 + (i % 5)}));
    const run = measured(simulated({}, linearCost({base: 0.01, token: 0.001}), new ScriptedWorkload(script)).requests, {kind: 'none'});
    const one = gapDistribution([run]);
    const [low, high] = one.ci95.p95!;
    expect(low <= one.p95! && one.p95! <= high && low < high).toBe(true);
    expect(gapDistribution([run, run]).ci95.mean).toEqual([expect.closeTo(one.mean!, 12), expect.closeTo(one.mean!, 12)]);
  });
});

it('weightedQuantiles equals quantiles of the values written out, on 300 random series', () => {
  const random = stream(1, 'test/weighted');
  const shares = [0, 0.3, 0.5, 0.9, 0.95, 0.99, 1];
  for (let round = 0; round < 300; round++) {
    const n = 1 + Math.floor(random() * 40);
    const values = Float64Array.from({length: n}, () => Math.floor(random() * 12));
    const weights = Float64Array.from({length: n}, () => 1 + Math.floor(random() * 5));
    const written = Float64Array.from([...values].flatMap((value, i) => Array.from({length: weights[i]}, () => value)));
    expect(weightedQuantiles({values, weights}, shares), `round ${round}`).toEqual(quantiles(written, shares));
    expect(weightedMean({values, weights})).toBeCloseTo(written.reduce((a, b) => a + b) / written.length, 12);
  }
});
