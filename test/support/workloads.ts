import {createWorkload} from '../../src/sim/workload/index.js';
import type {Arrival, Distribution, Workload, WorkloadConfig, WorkloadOptions} from '../../src/sim/workload/workload.js';

export const constant = (value: number): Distribution => ({dist: 'constant', value});

/** A workload with few words: blocks of 16, seed 1, no limit but 1,000 requests. */
export function workload(
  config: WorkloadConfig,
  {limit, ...options}: Partial<Omit<WorkloadOptions, 'limit'>> & {limit?: Partial<WorkloadOptions['limit']>} = {},
): Workload {
  return createWorkload(config, {
    seed: 1,
    replication: 0,
    blockSize: 16,
    ...options,
    limit: {requests: limit === undefined ? 1000 : null, sessions: null, duration: null, ...limit},
  });
}

/** Serves everything, each request `service` ns long and alone in its session; returns the arrivals in order of time, then session. */
export function served(
  source: Workload,
  service: number | ((arrival: Arrival) => number),
  finished: (arrival: Arrival) => boolean = () => true,
): Arrival[] {
  const arrivals: Arrival[] = [];
  const time = typeof service === 'number' ? () => service : service;
  const waiting: {arrival: Arrival; end: number}[] = [];
  const arrive = (arrival: Arrival | null): void => {
    if (arrival === null) return;
    arrivals.push(arrival);
    waiting.push({arrival, end: arrival.time + time(arrival)});
  };
  let next = source.next();
  for (;;) {
    const ends = waiting.reduce((first, {end}) => Math.min(first, end), Infinity);
    if (next !== null && next.time <= ends) {
      arrive(next);
      next = source.next();
    } else if (waiting.length > 0) {
      const [{arrival}] = waiting.splice(
        waiting.findIndex(({end}) => end === ends),
        1,
      );
      arrive(source.follow(arrival, ends, finished(arrival)));
    } else return arrivals.sort((a, b) => a.time - b.time || a.session - b.session);
  }
}

/** The ids of a chain, one by one. */
export function idsOf({chain}: Arrival): number[] {
  return chain!.bases.flatMap((base, run) => Array.from({length: chain!.counts[run]}, (_, i) => base + i));
}

/** The coefficient of correlation of two columns. */
export function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [middleA, middleB] = [mean(a), mean(b)];
  const product = (x: readonly number[], y: readonly number[], mx: number, my: number) =>
    mean(x.map((value, i) => (value - mx) * (y[i] - my)));
  return product(a, b, middleA, middleB) / Math.sqrt(product(a, a, middleA, middleA) * product(b, b, middleB, middleB));
}
