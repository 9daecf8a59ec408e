import {describe, expect, it} from 'vitest';
import {Fluid, type Use} from '../../../src/sim/core/fluid.js';
import {stream} from '../../../src/sim/core/random.js';

const MS = 1e6;
const GB = 1e9;

/** Runs flows [start ms, work ms, path, weight, delay ms] over resources of these capacities; returns when each ends, ms. */
function ends(capacities: number[], flows: [at: number, work: number, path: Use[], weight?: number, delay?: number][]): number[] {
  const fluid = new Fluid();
  for (const capacity of capacities) fluid.resource(capacity);
  const order = flows.map((_, i) => i).sort((a, b) => flows[a][0] - flows[b][0]);
  const result: number[] = [];
  let started = 0;
  while (started < flows.length || fluid.size > 0) {
    const nextStart = started < flows.length ? flows[order[started]][0] * MS : Infinity;
    const now = Math.min(nextStart, fluid.next);
    if (fluid.next === now) {
      const ended: number[] = [];
      fluid.advance(now, ended);
      for (const tag of ended) result[tag] = now / MS;
    }
    while (started < flows.length && flows[order[started]][0] * MS === now) {
      const tag = order[started++];
      const [, work, path, weight = 1, delay = 0] = flows[tag];
      fluid.start({tag, now, delay: delay * MS, work: work * MS, path, weight});
    }
  }
  return result;
}

const on = (resource: number, rate: number): Use => ({resource, rate});

describe('hand-worked cases, ms', () => {
  const link = 55 * GB;

  it('two equal flows on one link take twice as long', () => {
    expect(
      ends(
        [link],
        [
          [0, 10, [on(0, link)]],
          [0, 10, [on(0, link)]],
        ],
      ),
    ).toEqual([20, 20]);
  });

  it('the second one 5 ms later', () => {
    expect(
      ends(
        [link],
        [
          [0, 10, [on(0, link)]],
          [5, 10, [on(0, link)]],
        ],
      ),
    ).toEqual([15, 20]);
  });

  it('weights 3 : 1', () => {
    const [a, b] = ends(
      [link],
      [
        [0, 10, [on(0, link)], 3],
        [0, 10, [on(0, link)], 1],
      ],
    );
    expect(a).toBeCloseTo(13.333333, 5);
    expect(b).toBeCloseTo(20, 5);
  });

  it('a decode step that uses all of HBM beside an inbound copy: the step loses what the copy takes, the copy nothing', () => {
    const hbm = 2900 * GB;
    const [step, copy] = ends(
      [hbm, link],
      [
        [0, 10, [on(0, hbm)]],
        [0, 10, [on(0, link), on(1, link)]],
      ],
    );
    expect(copy).toBe(10);
    expect(step).toBeCloseTo(10 + (10 * 55) / 2900, 4);
  });

  it('a prefill step that uses a tenth of HBM loses nothing', () => {
    const hbm = 2900 * GB;
    expect(
      ends(
        [hbm, link],
        [
          [0, 10, [on(0, hbm / 10)]],
          [0, 10, [on(0, link), on(1, link)]],
        ],
      ),
    ).toEqual([10, 10]);
  });

  it('a slow flow from the SSD beside ten copies keeps up to its part of the link', () => {
    const ssd = 12 * GB;
    const slow = [on(0, ssd), on(1, ssd)];
    const [beside] = ends(
      [ssd, link],
      [
        [0, 10, slow],
        [0, 10, [on(1, link)]],
      ],
    );
    expect(beside).toBe(10);
    const crowd: [number, number, Use[]][] = Array.from({length: 10}, () => [0, 1000, [on(1, link)]]);
    const [among] = ends([ssd, link], [[0, 10, slow], ...crowd]);
    expect(among).toBeCloseTo(24, 6);
  });

  it('a delay uses nothing and is never slowed', () => {
    expect(
      ends(
        [link],
        [
          [0, 10, [on(0, link)], 1, 5],
          [0, 10, [on(0, link)]],
        ],
      ),
    ).toEqual([20, 15 + 0]);
  });
});

it('an undisturbed flow ends exactly at start + work, however many others come and go', () => {
  const fluid = new Fluid();
  const a = fluid.resource(10);
  const b = fluid.resource(10);
  fluid.start({tag: 1, now: 0, delay: 0, work: 123_456_789, path: [on(a, 10)]});
  const ended: number[] = [];
  for (let i = 0; i < 1000; i++) {
    fluid.start({tag: 2, now: i * 1000, delay: 0, work: 700, path: [on(b, 7)]});
    fluid.advance(fluid.next, ended);
  }
  fluid.advance(fluid.next, ended);
  expect(ended.at(-1)).toBe(1);
  expect(ended).toHaveLength(1001);
  expect(fluid.next).toBe(Number.POSITIVE_INFINITY);
});

it('work that began in the past, alone, ends as if it had been a flow from its start', () => {
  const run = (late: boolean) => {
    const fluid = new Fluid();
    const r = fluid.resource(10);
    if (!late) fluid.start({tag: 0, now: 0, delay: 0, work: 10 * MS, path: [on(r, 10)]});
    if (late) fluid.start({tag: 0, now: 4 * MS, start: 0, delay: 0, work: 10 * MS, path: [on(r, 10)]});
    fluid.start({tag: 1, now: 4 * MS, delay: 0, work: 2 * MS, path: [on(r, 10)]});
    const times: number[] = [];
    while (fluid.size > 0) {
      const now = fluid.next;
      fluid.advance(now, []);
      times.push(now);
    }
    return times;
  };
  expect(run(true)).toEqual(run(false));
  expect(run(true)).toEqual([8 * MS, 12 * MS]);
});

it('never exceeds a capacity, never runs backwards, and books what was asked for, on random schedules', () => {
  const random = stream(11, 'fluid');
  for (let round = 0; round < 100; round++) {
    const fluid = new Fluid();
    const capacities = Array.from({length: 4}, () => 5 + random() * 20);
    for (const capacity of capacities) fluid.resource(capacity);
    const asked = [0, 0, 0, 0];
    const flows: {start: number; work: number}[] = [];
    let now = 0;
    const finished: number[] = [];
    for (let i = 0; i < 60 || fluid.size > 0; i++) {
      now = i < 60 ? Math.min(now + Math.floor(random() * 5e6), fluid.next) : fluid.next;
      const ended: number[] = [];
      if (fluid.next === now) fluid.advance(now, ended);
      for (const tag of ended) {
        expect(now).toBeGreaterThanOrEqual(flows[tag].start + flows[tag].work);
        finished.push(tag);
      }
      if (i >= 60) continue;
      const path = [0, 1, 2, 3].filter(() => random() < 0.5).map((resource) => on(resource, random() * capacities[resource]));
      const work = 1 + Math.floor(random() * 1e7);
      flows[i] = {start: now, work};
      for (const {resource, rate} of path) asked[resource] += rate * work * 1e-9;
      fluid.start({tag: i, now, delay: 0, work, path});
    }
    expect(finished).toHaveLength(60);
    // A resource cannot have moved more than its capacity in the time there was.
    asked.forEach((bytes, r) => {
      expect(fluid.moved(r)).toBeCloseTo(bytes, 6);
      expect(fluid.moved(r)).toBeLessThanOrEqual(capacities[r] * now * 1e-9 * (1 + 1e-6) + 1e-6);
    });
  }
});

it('a cancelled flow has used what it did', () => {
  const fluid = new Fluid();
  const r = fluid.resource(100);
  const f = fluid.start({tag: 0, now: 0, delay: 0, work: 10 * MS, path: [on(r, 100)]});
  expect(fluid.cancel(f, 4 * MS)).toBeCloseTo(0.4, 9);
  expect(fluid.moved(r)).toBeCloseTo(0.4, 9);
  expect(fluid.size).toBe(0);
});

it('what flows through a link now is what it gives, not what is asked of it', () => {
  const fluid = new Fluid();
  const [ssd, link] = [fluid.resource(12 * GB), fluid.resource(55 * GB)];
  const flowing = () => [ssd, link].map((resource) => fluid.flowing(resource) / GB);
  fluid.start({tag: 0, now: 0, delay: 0, work: 10 * MS, path: [on(link, 55 * GB)]});
  expect(flowing()).toEqual([0, 55]);
  // Two that want all of it have half each; a third one that waits for its latency uses nothing yet.
  fluid.start({tag: 1, now: 0, delay: 0, work: 10 * MS, path: [on(link, 55 * GB)]});
  fluid.start({tag: 2, now: 0, delay: 4 * MS, work: 6 * MS, path: [on(ssd, 12 * GB), on(link, 12 * GB)]});
  expect(flowing()).toEqual([0, 55]);
  // From 4 ms on it takes the 12 GB/s that the SSD gives, and the others share what is left: 6 ms, to 10 ms.
  fluid.advance(4 * MS, []);
  expect(flowing()).toEqual([12, 55]);
  expect(fluid.next).toBe(10 * MS);
  // At 10 ms the others have moved 4 · 27.5 + 6 · 21.5 = 239 of 550 MB each: the link is full until they end.
  fluid.advance(10 * MS, []);
  expect(flowing()).toEqual([0, 55]);
  expect(fluid.next / MS).toBeCloseTo(10 + (2 * (550 - 239)) / 55, 5);
  fluid.advance(fluid.next, []);
  expect(flowing()).toEqual([0, 0]);
});
