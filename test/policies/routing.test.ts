import {describe, expect, it} from 'vitest';
import {type RoutingPolicyName, routingPolicies} from '../../src/policies/routing/index.js';
import type {ClusterView} from '../../src/policies/routing/policy.js';
import {stream} from '../../src/sim/core/random.js';

/** Replicas with so many requests each, waiting and running. */
function view(waiting: readonly number[], running: readonly number[] = waiting.map(() => 0)): ClusterView {
  return {replicas: waiting.length, waiting: (replica) => waiting[replica], running: (replica) => running[replica]};
}

// What every policy must do. A new policy is covered by its registry line.
describe.each(Object.entries(routingPolicies))('%s', (_name, policy) => {
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
