import {stream} from '../../src/sim/core/random.js';
import {createWorkload} from '../../src/sim/workload/index.js';
import type {Arrivals, Distribution, Workload} from '../../src/sim/workload/workload.js';

/** Sessions that answer each other: their next turns come when the last one ended, on a coarse grid or not. */
export function conversations(seed: number): Workload {
  const random = stream(seed, 'test/cluster');
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  const between = (min: number, max: number): Distribution => ({dist: 'uniform', min, max});
  const open: Arrivals = {process: 'constant', rate: whole(5, 200), of: 'session'};
  const thinks: Distribution[] = [
    {dist: 'constant', value: 0},
    {dist: 'constant', value: whole(1, 20) / 1000},
    {dist: 'exponential', mean: 0.01},
  ];
  return createWorkload(
    {
      kind: 'chat',
      arrivals: random() < 0.5 ? open : {process: 'closed-loop', sessions: whole(1, 12)},
      turns: between(1, 4),
      thinkTime: thinks[whole(0, 2)],
      userTokens: between(1, 10),
      outputTokens: between(1, 8),
      sharedPrefixes: random() < 0.5 ? {count: 2, tokens: between(1, 12), popularity: {dist: 'uniform'}} : null,
    },
    {seed, replication: 0, blockSize: 4, limit: {requests: whole(30, 80), sessions: null, duration: null}},
  );
}
