import {describe, expect, it} from 'vitest';
import {type RoutingPolicyName, routingPolicies} from '../../src/policies/routing/index.js';
import type {ClusterView, RoutingPolicy} from '../../src/policies/routing/policy.js';
import {stream} from '../../src/sim/core/random.js';

/** Replicas with so many requests each, waiting and running; time stands still unless a clock is given. */
function view(waiting: readonly number[], running: readonly number[] = waiting.map(() => 0), clock = {now: 0}): ClusterView {
  return {replicas: waiting.length, waiting: (replica) => waiting[replica], running: (replica) => running[replica], now: () => clock.now};
}

// What every policy must do. A new policy is covered by its registry line.
describe.each(Object.entries<RoutingPolicy>(routingPolicies))('%s', (_name, policy) => {
  it('names a replica that there is, whatever the load', () => {
    const random = stream(1, 'routing');
    for (const replicas of [1, 2, 5]) {
      const waiting = new Array<number>(replicas).fill(0);
      const router = policy.create(view(waiting));
      for (let request = 0; request < 200; request++) {
        const replica = router.route(Math.floor(random() * 50));
        expect(Number.isInteger(replica) && replica >= 0 && replica < replicas).toBe(true);
        waiting[replica]++;
        waiting[Math.floor(random() * replicas)] = 0;
      }
    }
  });

  it('leaves no replica without requests while the others get more and more', () => {
    const waiting = [0, 0, 0];
    const router = policy.create(view(waiting));
    for (let session = 0; session < 30; session++) waiting[router.route(session)]++;
    expect(waiting).toEqual([10, 10, 10]);
  });

  it('keeps a session at one replica if it says so', () => {
    if (!policy.keepsSessions) return;
    const random = stream(2, 'routing');
    const router = policy.create(view([3, 0, 7]));
    const home = new Map<number, number>();
    for (let request = 0; request < 300; request++) {
      const session = Math.floor(random() * 20);
      const replica = router.route(session);
      expect(replica).toBe(home.get(session) ?? replica);
      home.set(session, replica);
    }
  });
});

// What tells the policies apart: the replicas of requests of these sessions, with 0 to 2 holding 2, 0 and 1 requests all the time.
const examples: Record<RoutingPolicyName, string> = {
  'least-loaded': '1111111',
  'prefix-affinity': '1111111', // without prompts it goes by the load
  'round-robin': '0120120',
  'session-affinity': '0012012',
};

it.each(Object.entries(examples))('%s routes in its way', (name, expected) => {
  const router = routingPolicies[name as RoutingPolicyName].create(view([1, 0, 0], [1, 0, 1]));
  expect([0, 0, 1, 2, 3, 1, 5].map((session) => router.route(session)).join('')).toBe(expected);
});

it('least-loaded: waiting and running count alike, and the first of equals is taken', () => {
  expect(routingPolicies['least-loaded'].create(view([2, 0, 1], [0, 1, 0])).route(0)).toBe(1);
  expect(routingPolicies['least-loaded'].create(view([0, 0, 1], [9, 8, 6])).route(0)).toBe(2);
});

it('least-loaded with a refresh goes by counts until they are that old, and by those of the moment after', () => {
  const waiting = [0, 1];
  const clock = {now: 5e9};
  const router = routingPolicies['least-loaded'].create(view(waiting, [0, 0], clock), {refresh: 0.1});
  const routed = (at: number) => {
    clock.now = at;
    const replica = router.route(0);
    waiting[replica]++;
    return replica;
  };
  // Three requests herd to replica 0, which looks empty for 100 ms; then it is seen to have three.
  expect([5e9, 5.05e9, 5.1e9 - 1].map(routed)).toEqual([0, 0, 0]);
  expect(waiting).toEqual([3, 1]);
  expect([5.1e9, 5.1e9, 5.2e9 - 1].map(routed)).toEqual([1, 1, 1]);
  expect(routed(5.2e9)).toBe(0); // three against four
});

it('least-loaded with a refresh sees what runs as late as what waits', () => {
  const running = [0, 1];
  const clock = {now: 0};
  const router = routingPolicies['least-loaded'].create(view([0, 0], running, clock), {refresh: 1});
  expect(router.route(0)).toBe(0);
  running[0] = 2;
  expect(router.route(0)).toBe(0);
  clock.now = 1e9;
  expect(router.route(0)).toBe(1);
});

describe('prefix-affinity', () => {
  const waiting = [0, 0];
  const router = (params: Record<string, number | string>) => {
    waiting.fill(0);
    return routingPolicies['prefix-affinity'].create(view(waiting), params);
  };

  it('sends a prompt where most of it was sent before, though others have less to do; without enough, to the least loaded', () => {
    const made = router({match: 0.5});
    waiting[0] = 5;
    expect(made.route(0, [1, 2, 3, 4])).toBe(1);
    waiting[1] = 9;
    expect(made.route(1, [1, 2, 5, 6])).toBe(1); // half of it
    expect(made.route(2, [1, 7, 8, 9])).toBe(0); // a quarter
    expect(made.route(3, [1, 7, 8, 9, 10])).toBe(0); // the longer match: four against one
    expect(made.route(4, [2, 3, 4])).toBe(1); // from the head on
    expect(made.route(5, [])).toBe(0);
    expect(made.route(6, null)).toBe(0);
  });

  it('remembers as many blocks of each replica as its index has room for, the least recent first to be forgotten, tails before heads', () => {
    const again = (index: number) => {
      const made = router({index, match: 0.5});
      waiting[0] = 5;
      made.route(0, [1, 2, 3, 4]); // to 1
      made.route(1, [1, 2, 5, 6]); // to 1: the index is 4 3 6 5 2 1 from then on
      waiting[1] = 9;
      return made.route(2, [1, 2, 3, 4]);
    };
    expect(again(6)).toBe(1);
    expect(again(2)).toBe(1); // the head alone is half of it
    expect(again(1)).toBe(0);
  });

  it('sends a request without a match where spill says', () => {
    const dealt = (spill: string) => {
      const made = router({spill});
      waiting[0] = 5;
      return [0, 1, 1, 2].map((session, i) => made.route(session, [100 * i, 100 * i + 1])).join('');
    };
    expect(dealt('least-loaded')).toBe('1111');
    expect(dealt('round-robin')).toBe('0101');
    expect(dealt('session-affinity')).toBe('0110');
  });

  it('matches prompts at once, but spills by counts that are as old as refresh lets them be', () => {
    const clock = {now: 0};
    const loads = [0, 1];
    const made = routingPolicies['prefix-affinity'].create(view(loads, [0, 0], clock), {refresh: 0.1});
    expect(made.route(0, [1, 2])).toBe(0);
    loads[0] = 9;
    expect(made.route(1, [3, 4])).toBe(0);
    clock.now = 1e8;
    expect(made.route(2, [5, 6])).toBe(1);
    expect(made.route(3, [1, 2])).toBe(0);
  });

  it('forgets ids that stand for other blocks now', () => {
    const made = router({});
    waiting[0] = 5;
    made.route(0, [1, 2, 3]);
    waiting[1] = 9;
    made.forget!(1, 1);
    expect(made.route(1, [1, 2, 3])).toBe(0);
  });
});
