import {describe, expect, it} from 'vitest';
import {constant} from '../../../src/models/cost/constant.js';
import {factoryOf} from '../../../src/policies/eviction/eviction.js';
import {lru} from '../../../src/policies/eviction/lru.js';
import {type RoutingPolicyName, routingPolicies} from '../../../src/policies/routing/index.js';
import type {RunRecord} from '../../../src/sim/metrics/record.js';
import {simulateCluster} from '../../../src/sim/serving/simulation.js';
import {createWorkload} from '../../../src/sim/workload/index.js';
import type {Distribution} from '../../../src/sim/workload/workload.js';
import {replicaConfig} from '../../support/replica-config.js';

// Every step takes 1 ms whatever the batch, so a request of n tokens is served in exactly n ms once it runs:
// with one place the engine is a queue with one server, with c places one with c servers.
const STEP = 1e-3;
const RUNS = 16;
/** Student's t for 99 % with RUNS − 1 = 15 degrees of freedom. */
const T99 = 2.947;

interface Queue {
  readonly servers: number;
  readonly rho: number;
  /** Service in steps. */
  readonly service: Distribution;
  readonly mean: number;
  readonly requests: number;
  /** Replicas that the same traffic is spread over; default 1. */
  readonly replicas?: number;
  readonly router?: RoutingPolicyName;
}

function queue({servers, rho, service, mean, requests, replicas = 1, router = 'round-robin'}: Queue, replication: number): RunRecord {
  const workload = createWorkload(
    {
      kind: 'lengths',
      arrivals: {process: 'poisson', rate: (rho * servers * replicas) / (mean * STEP), of: 'request'},
      inputTokens: {dist: 'constant', value: 1},
      outputTokens: service,
      sharedPrefixes: null,
    },
    {seed: 2026, replication, blockSize: 16, limit: {requests, sessions: null, duration: null}},
  );
  const config = replicaConfig({scheduler: {maxNumSeqs: servers}, kv: {blocks: 1e6, blockSize: 16}, maxModelLen: 1e7});
  return simulateCluster({
    config,
    cost: constant(STEP),
    workload,
    eviction: factoryOf('lru', lru),
    below: null,
    replicas,
    router: routingPolicies[router],
  });
}

/** Mean waiting time in seconds of the requests after the first fifth, and its 99 % interval over RUNS runs. */
function waiting(q: Queue): {mean: number; half: number} {
  const means = Array.from({length: RUNS}, (_, run) => {
    const {requests: r} = queue(q, run);
    let sum = 0,
      n = 0;
    for (let i = 0; i < r.rows; i++) {
      if (r.id[i] < q.requests / 5) continue;
      sum += (r.scheduled[i] - r.arrival[i]) * 1e-9;
      n++;
    }
    return sum / n;
  });
  const mean = means.reduce((a, b) => a + b) / RUNS;
  const variance = means.reduce((sum, m) => sum + (m - mean) ** 2, 0) / (RUNS - 1);
  return {mean, half: T99 * Math.sqrt(variance / RUNS)};
}

/** Pollaczek and Khinchine: mean wait before one server, from the first two moments of the service time. */
function oneServer(rho: number, mean: number, second: number): number {
  return ((rho / mean) * second) / (2 * (1 - rho));
}

/** Erlang C: mean wait before c servers with exponential service. */
function manyServers(c: number, rho: number, mean: number): number {
  const load = c * rho;
  let term = 1,
    sum = 1;
  for (let k = 1; k < c; k++) sum += term *= load / k;
  const last = (term * load) / c / (1 - rho);
  return ((last / (sum + last)) * mean) / (c * (1 - rho));
}

const RHO = [0.3, 0.7, 0.9, 0.95];

describe('the 99 % interval of the mean wait holds the theory', () => {
  // Exponential service, rounded up to whole steps, is geometric: E[n²] = 2m² − m, 1 % below 2m² at m = 50.
  it.each(RHO)('M/M/1 at ρ = %d', (rho) => {
    const mean = 50;
    const {mean: wait, half} = waiting({servers: 1, rho, service: {dist: 'geometric', mean}, mean, requests: rho < 0.9 ? 8000 : 30_000});
    const theory = oneServer(rho, mean * STEP, (2 * mean ** 2 - mean) * STEP ** 2);
    expect(Math.abs(wait - theory), `${wait} ± ${half}, theory ${theory}`).toBeLessThan(half);
    expect(half / theory).toBeLessThan(0.2); // an interval that holds everything would prove nothing
  });

  it.each(RHO)('M/D/1 at ρ = %d', (rho) => {
    const mean = 50;
    const {mean: wait, half} = waiting({
      servers: 1,
      rho,
      service: {dist: 'constant', value: mean},
      mean,
      requests: rho < 0.9 ? 8000 : 30_000,
    });
    const theory = oneServer(rho, mean * STEP, (mean * STEP) ** 2);
    expect(Math.abs(wait - theory), `${wait} ± ${half}, theory ${theory}`).toBeLessThan(half);
    expect(half / theory).toBeLessThan(0.2);
  });

  // A free server is taken only at a step's end, half a step late: the step must be short against the wait.
  it.each(RHO)('M/M/4 at ρ = %d', (rho) => {
    const mean = rho < 0.9 ? 1000 : 200;
    const {mean: wait, half} = waiting({servers: 4, rho, service: {dist: 'geometric', mean}, mean, requests: rho < 0.9 ? 4000 : 60_000});
    const theory = manyServers(4, rho, mean * STEP);
    expect(Math.abs(wait - theory), `${wait} ± ${half}, theory ${theory}`).toBeLessThan(half);
    expect(half / theory).toBeLessThan(0.25);
  });
});

/** Mean wait before one server with exponential service when gaps are Erlang with k phases: what round-robin over k makes of Poisson arrivals. */
function roundRobinWait(k: number, rho: number, mean: number): number {
  // σ = A*(μ(1 − σ)), the share of arrivals that wait (Kleinrock, Queueing Systems 1, 6.4).
  let sigma = rho;
  for (let i = 0; i < 200; i++) sigma = ((k * rho) / (k * rho + 1 - sigma)) ** k;
  return (mean * sigma) / (1 - sigma);
}

describe('four replicas of one server each', () => {
  const traffic = {servers: 1, replicas: 4, rho: 0.7, service: {dist: 'geometric', mean: 100}, mean: 100, requests: 12_000} as const;

  it('behind round-robin wait as E4/M/1 says', () => {
    const {mean: wait, half} = waiting({...traffic, router: 'round-robin'});
    const theory = roundRobinWait(4, 0.7, 100 * STEP);
    expect(Math.abs(wait - theory), `${wait} ± ${half}, theory ${theory}`).toBeLessThan(half);
    expect(half / theory).toBeLessThan(0.1);
  });

  it('wait less behind least-loaded, but longer than before four servers with one queue', () => {
    const {mean: wait, half} = waiting({...traffic, router: 'least-loaded'});
    expect(wait + half).toBeLessThan(roundRobinWait(4, 0.7, 100 * STEP));
    expect(wait - half).toBeGreaterThan(manyServers(4, 0.7, 100 * STEP));
  });
});

it('keeps Little’s law: what waits and runs on average is the rate times the time spent so', () => {
  const record = queue({servers: 4, rho: 0.8, service: {dist: 'geometric', mean: 50}, mean: 50, requests: 5000}, 0);
  const {requests: r, timeline: t, lastEnd} = record;
  let waited = 0,
    ran = 0;
  for (let i = 0; i < r.rows; i++) {
    waited += r.scheduled[i] - r.arrival[i];
    ran += r.finished[i] - r.scheduled[i];
  }
  const length = (row: number) => Math.min((row + 1) * t.width, lastEnd) - row * t.width;
  const integral = (mean: Float64Array) => mean.reduce((sum, value, row) => sum + value * length(row), 0);
  expect(integral(t.waiting) / waited).toBeCloseTo(1, 9);
  expect(integral(t.running) / ran).toBeCloseTo(1, 9);
});
