import {describe, expect, it} from 'vitest';
import {offeredLoad} from '../../../src/sim/metrics/load.js';
import {runRecord, singleServer} from '../../support/records.js';

describe.each([0.3, 0.7, 0.9, 0.95])('a single server with offered load %d', (rho) => {
  it.each([1, 2, 3, 4, 5])('is not overloaded and has that ρ (seed %d)', (seed) => {
    const load = offeredLoad(singleServer(rho, 4000, seed), false);
    expect(load.overloaded).toBe(false);
    expect(load.rho! / rho).toBeGreaterThan(0.9);
    expect(load.rho! / rho).toBeLessThan(1.1);
  });
});

describe.each([1.2, 1.5, 3])('a single server with offered load %d', (rho) => {
  it('is overloaded with that ρ', () => {
    const load = offeredLoad(singleServer(rho, 4000, 1), false);
    expect(load.overloaded).toBe(true);
    expect(load.rho! / rho).toBeGreaterThan(0.93);
    expect(load.rho! / rho).toBeLessThan(1.07);
  });

  it('shows it also when impatient requests leave the queue', () => {
    const load = offeredLoad(singleServer(rho, 4000, 1, {timeout: 20}), false);
    expect(load.overloaded).toBe(true);
    expect(load.rho! / rho).toBeGreaterThan(0.9);
    expect(load.rho! / rho).toBeLessThan(1.1);
  });

  it('shows it also when a full queue turns requests away', () => {
    const load = offeredLoad(singleServer(rho, 4000, 1, {queueLimit: 10}), false);
    expect(load.overloaded).toBe(true);
    expect(load.rho! / rho).toBeGreaterThan(0.9);
    expect(load.rho! / rho).toBeLessThan(1.1);
  });

  it('is not called overloaded in a closed loop, where arrivals wait for answers', () => {
    expect(offeredLoad(singleServer(rho, 4000, 1), true).overloaded).toBe(false);
  });
});

it('a small queue at offered load 0.9 turns some away and is not overloaded', () => {
  const load = offeredLoad(singleServer(0.9, 4000, 1, {queueLimit: 2}), false);
  expect(load.overloaded).toBe(false);
});

it('a short run says nothing', () => {
  expect(offeredLoad(singleServer(1.5, 99, 1), false)).toMatchObject({rho: null, overloaded: false});
});

it('a burst that arrives within one residence says nothing', () => {
  const rows = Array.from({length: 500}, (_, i) => ({arrival: i / 1000, scheduled: i, firstToken: i + 1, finished: i + 1}));
  expect(offeredLoad(runRecord(rows), false)).toMatchObject({rho: null, overloaded: false});
});

it('means are over the run: one request of 2 s that waited 1 s of 4 s', () => {
  const load = offeredLoad(
    runRecord([
      {arrival: 0, scheduled: 1, firstToken: 2, finished: 3},
      {arrival: 4, end: 'rejected', reason: 'too_long'},
    ]),
    false,
  );
  expect(load.meanRunning).toBeCloseTo(0.5, 9);
  expect(load.meanWaiting).toBeCloseTo(0.25, 9);
  expect(load.busyShare).toBeCloseTo(0.5, 9);
  expect(load.waitingShare).toBeCloseTo(0.25, 9);
  expect(load.makespanSeconds).toBe(4);
});
