import {expect, it} from 'vitest';
import {stream} from '../../../src/sim/core/random.js';
import {GrowingTimeline} from '../../../src/sim/metrics/timeline.js';

const MS = 1e6;
const none = new Float64Array(2);

it('splits a state over the intervals that it lasts through', () => {
  const timeline = new GrowingTimeline(2);
  timeline.advance(0.5 * MS, 4, 1, 10, 0);
  timeline.advance(2 * MS, 2, 0, 20, 5);
  const {rows, width, running, waiting, kvHeldBlocks} = timeline.take();
  expect([rows, width]).toEqual([2, MS]);
  expect([...running]).toEqual([3, 2]);
  expect([...waiting]).toEqual([0.5, 0]);
  expect([...kvHeldBlocks]).toEqual([15, 20]);
});

it('counts a step where it ends, by bound, and its tokens by its time', () => {
  const timeline = new GrowingTimeline(2);
  timeline.advance(1.5 * MS, 1, 0, 0, 0);
  timeline.step(100, 0.001, Float64Array.of(0.0002, 0.0008));
  timeline.step(300, 0.003, Float64Array.of(0.003, 0));
  const {batchTokens, boundSeconds} = timeline.take();
  expect([...batchTokens]).toEqual([0, 250]);
  expect([...boundSeconds]).toEqual([0, 0, 0.0032, 0.0008]);
});

it('stays within 2,000 intervals by doubling them, and loses nothing', () => {
  const random = stream(1, 'timeline');
  const timeline = new GrowingTimeline(2);
  let now = 0,
    area = 0,
    stepSeconds = 0;
  for (let i = 0; i < 20_000; i++) {
    const length = Math.floor(random() * 10 * MS);
    const running = Math.floor(random() * 50);
    timeline.advance((now += length), running, 0, 0, 0);
    timeline.step(1, length * 1e-9, Float64Array.of(length * 1e-9, 0));
    area += running * length;
    stepSeconds += length * 1e-9;
  }
  const {rows, width, running, boundSeconds} = timeline.take();
  expect(rows).toBeLessThanOrEqual(2000);
  expect(rows * width).toBeGreaterThanOrEqual(now);
  const last = now - (rows - 1) * width;
  const total = running.reduce((sum, mean, row) => sum + mean * (row === rows - 1 ? last : width), 0);
  expect(total / area).toBeCloseTo(1, 12);
  expect(boundSeconds.reduce((a, b) => a + b)).toBeCloseTo(stepSeconds, 9);
});

it('holds the mean bytes a second of each link, also those of a link that stands still for a while', () => {
  const timeline = new GrowingTimeline(2, 1, 2);
  timeline.advance(0.5 * MS, 1, 0, 0, 0, 1, Int32Array.of(4), Float64Array.of(600, 100));
  timeline.advance(1.5 * MS, 1, 0, 0, 0, 1, Int32Array.of(8)); // nothing flows
  timeline.advance(2 * MS, 1, 0, 0, 0, 0, Int32Array.of(8), Float64Array.of(0, 300));
  const {flowBytes, tierBlocks, loading} = timeline.take();
  expect(flowBytes.map((column) => [...column])).toEqual([
    [300, 0],
    [50, 150],
  ]);
  expect([...tierBlocks[0]]).toEqual([6, 8]);
  expect([...loading]).toEqual([1, 0.5]);
});

it('is empty when nothing happened', () => {
  const timeline = new GrowingTimeline(2);
  timeline.step(0, 0, none);
  expect(timeline.take().rows).toBe(0);
});
