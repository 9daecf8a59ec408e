import {expect, it} from 'vitest';
import {Channel} from '../../../src/sim/core/channel.js';
import {Fluid} from '../../../src/sim/core/fluid.js';

/** Ends of equal transfers of 10 ms, by tag, ms. */
function run(lanes: number, priorities: number[]): number[] {
  const fluid = new Fluid();
  const link = fluid.resource(50e9);
  const channel = new Channel(fluid, lanes);
  for (const [tag, priority] of priorities.entries())
    channel.submit({tag, priority, delay: 0, work: 10e6, path: [{resource: link, rate: 50e9}]}, 0);
  const ends: number[] = [];
  while (fluid.size > 0) {
    const now = fluid.next;
    const ended: number[] = [];
    fluid.advance(now, ended);
    for (const tag of ended) {
      ends[tag] = now / 1e6;
      channel.ended(tag, now);
    }
  }
  return ends;
}

it('eight loads through one copy engine end in turn, on average 1.8 times earlier than all at once', () => {
  const fifo = run(1, [0, 0, 0, 0, 0, 0, 0, 0]);
  expect(fifo).toEqual([10, 20, 30, 40, 50, 60, 70, 80]);
  const shared = run(8, [0, 0, 0, 0, 0, 0, 0, 0]);
  expect(new Set(shared)).toEqual(new Set([80]));
  expect(80 / (fifo.reduce((a, b) => a + b) / 8)).toBeCloseTo(1.78, 2);
});

it('serves the lower priority first, and equal ones in order', () => {
  expect(run(1, [5, 9, 1, 5])).toEqual([10, 40, 20, 30]);
});
