import {expect, it} from 'vitest';
import {scaleTrace} from '../../../src/sim/traces/scale.js';
import {mooncakeTrace} from '../../support/traces.js';

const asRecorded = {rateScale: 1, dequantise: 'none', limit: null} as const;
const at = (...times: number[]) => mooncakeTrace(times.map((time, i) => [time, 600 + i, 10 + i, [0, i + 1]]));
const ms = (times: Float64Array) => [...times].map((time) => time / 1e6);

it('as recorded, nothing changes', () => {
  const trace = at(0, 0, 3000, 3000, 9000);
  expect(scaleTrace(trace, asRecorded)).toEqual(trace);
});

it('rate_scale 0.5 is half the recorded request rate: times double', () => {
  expect(ms(scaleTrace(at(0, 100, 300), {...asRecorded, rateScale: 0.5}).times)).toEqual([0, 200, 600]);
});

it('uniform spreads rows of one time evenly to the next time, and the last ones over the step before', () => {
  // two rows at 0 → 0 and 1500; three at 3000 → every 2000 up to 9000; two at 9000 over another 6000
  const spread = scaleTrace(at(0, 0, 3000, 3000, 3000, 9000, 9000), {...asRecorded, dequantise: 'uniform'});
  expect(ms(spread.times)).toEqual([0, 1500, 3000, 5000, 7000, 9000, 12_000]);
  expect(spread.notes.map(({code}) => code)).toEqual(['time_unit', 'dequantised']);
});

it('spreads on the recorded times, then stretches', () => {
  const spread = scaleTrace(at(0, 0, 3000), {rateScale: 0.5, dequantise: 'uniform', limit: null});
  expect(ms(spread.times)).toEqual([0, 3000, 6000]);
});

it('limit keeps the first rows, spread as in the whole', () => {
  const cut = scaleTrace(at(0, 0, 0, 3000), {...asRecorded, dequantise: 'uniform', limit: 2});
  expect(ms(cut.times)).toEqual([0, 1000]);
  expect([cut.rows, [...cut.inputs], [...cut.offsets], [...cut.ids]]).toEqual([2, [600, 601], [0, 2, 4], [0, 1, 0, 2]]);
});

it('rows that all have one time stay where they are', () => {
  expect(ms(scaleTrace(at(5, 5, 5), {...asRecorded, dequantise: 'uniform'}).times)).toEqual([0, 0, 0]);
});

it.each([0, -1, NaN, Infinity])('refuses rate_scale %d', (rateScale) => {
  expect(() => scaleTrace(at(0), {...asRecorded, rateScale})).toThrow(/workload\.rate_scale: .* above 0/);
});

it('refuses a limit below 1', () => {
  expect(() => scaleTrace(at(0), {...asRecorded, limit: 0})).toThrow('workload.limit: 0 is no whole number ≥ 1');
});
