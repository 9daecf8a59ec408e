import {expect, it} from 'vitest';
import {stream} from '../../../src/sim/core/random.js';
import {arrivalProcess, NEVER} from '../../../src/sim/workload/arrivals.js';
import {Intake} from '../../../src/sim/workload/intake.js';
import {Supply} from '../../../src/sim/workload/supply.js';
import type {Arrivals} from '../../../src/sim/workload/workload.js';

const random = () => stream(1, 'arrivals');
const noLimit = {requests: null, sessions: null, duration: null};

it.each<[Arrivals, number]>([
  [{process: 'poisson', rate: 4, of: 'session'}, 1],
  [{process: 'gamma', rate: 4, cv: 2.5, of: 'session'}, 2.5],
  [{process: 'gamma', rate: 4, cv: 0.4, of: 'session'}, 0.4],
  [{process: 'gamma', rate: 4, cv: 0, of: 'session'}, 0],
  [{process: 'constant', rate: 4, of: 'session'}, 0],
])('%j has its rate and coefficient of variation', (arrivals, cv) => {
  const process = arrivalProcess(arrivals, random());
  const times = Array.from({length: 100_001}, () => process.next() / 1e9);
  const gaps = times.slice(1).map((time, i) => time - times[i]);
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const deviation = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length);
  expect(Math.abs(mean * 4 - 1)).toBeLessThan(0.04);
  expect(Math.abs(deviation / mean - cv)).toBeLessThan(0.03 * cv + 1e-6);
  expect(process.replace(5)).toBe(NEVER);
});

it('constant: one session after each gap', () => {
  const process = arrivalProcess({process: 'constant', rate: 2, of: 'session'}, random());
  expect([process.next(), process.next(), process.next()]).toEqual([0.5e9, 1e9, 1.5e9]);
});

it('a rate of requests starts sessions as much more slowly as they have requests', () => {
  const process = arrivalProcess({process: 'constant', rate: 2, of: 'request'}, random(), 5);
  expect(process.next()).toBe(2.5e9);
});

it('closed loop: all sessions start at 0, and each that ends is replaced at once', () => {
  const process = arrivalProcess({process: 'closed-loop', sessions: 2}, random());
  expect([process.next(), process.next(), process.next()]).toEqual([0, 0, NEVER]);
  expect(process.replace(7)).toBe(7);
});

it.each<[Arrivals, string]>([
  [{process: 'poisson', rate: 0, of: 'session'}, 'workload.arrivals.rate: 0/s is not a rate'],
  [{process: 'poisson', rate: Number.NaN, of: 'session'}, 'workload.arrivals.rate: NaN/s is not a rate'],
  [{process: 'gamma', rate: 1, cv: -1, of: 'session'}, 'workload.arrivals.cv: -1 must be'],
  [{process: 'closed-loop', sessions: 0.5}, 'workload.arrivals.sessions: 0.5 is no whole number'],
])('refuses %j', (arrivals, message) => {
  expect(() => arrivalProcess(arrivals, random())).toThrow(message);
});

it.each([
  [{requests: 3}, 3],
  [{sessions: 2}, 2],
  [{duration: 2}, 4],
  [{requests: 3, duration: 1}, 2],
])('limit %j: %d sessions at 2 a second', (limit, sessions) => {
  const supply = new Supply(arrivalProcess({process: 'constant', rate: 2, of: 'session'}, random()), new Intake({...noLimit, ...limit}));
  let started = 0;
  while (started < 10 && supply.start() !== NEVER) started++;
  expect([started, supply.sessions]).toEqual([sessions, sessions]);
});

it('requests of open sessions count towards the limit of requests, not of sessions', () => {
  const supply = new Supply(arrivalProcess({process: 'closed-loop', sessions: 3}, random()), new Intake({...noLimit, requests: 3}));
  expect(supply.start()).toBe(0);
  expect(supply.take(5)).toBe(true);
  expect(supply.replace(6)).toBe(6);
  expect(supply.take(7)).toBe(false);
  expect(supply.start()).toBe(NEVER);
});
