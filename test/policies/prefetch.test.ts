import {describe, expect, it} from 'vitest';
import {type PrefetchPolicyName, prefetchPolicies} from '../../src/policies/prefetch/index.js';
import {defaultsOf} from '../../src/policies/prefetch/parameters.js';
import type {Prefetch, PrefetchPolicy, Prompt} from '../../src/policies/prefetch/policy.js';
import {stream} from '../../src/sim/core/random.js';

const S = 1e9;

/** A prompt of ten blocks of a session's own. */
const prompt = (session: number): Prompt => ({session, blocks: 10, shared: 0, head: 100 * session});

const created = (policy: Prefetch, params = {}): PrefetchPolicy<Prompt> => policy.create<Prompt>({...defaultsOf(policy), ...params});

/** Sessions that a policy wishes for now, the soonest first. */
function wished(policy: PrefetchPolicy<Prompt>, now: number): number[] {
  const sessions: number[] = [];
  policy.wishes(now, ({session}) => sessions.push(session));
  return sessions;
}

// What every policy must do. A new policy is covered by its registry line.
describe.each(Object.entries<Prefetch>(prefetchPolicies))('%s', (_name, policy) => {
  it('wishes only for whole prompts it was told of and not told to forget, and wakes later than now', () => {
    const random = stream(1, 'prefetch');
    const told = created(policy);
    const known = new Set<number>();
    const here = new Set<number>();
    for (let now = 0, step = 0; step < 2000; step++, now += Math.floor(random() * S)) {
      const session = Math.floor(random() * 12);
      const one = prompt(session);
      if (random() < 0.05) {
        told.forget(session);
        known.delete(session);
        here.delete(session);
      } else if (here.delete(session)) {
        known.add(session);
        told.ended(one, now);
        if (policy.needs === 'arrivals') told.foreseen(one, now + Math.floor(5 * random() * S));
      } else {
        known.add(session);
        here.add(session);
        told.queued(one, now);
      }
      told.wishes(now, (wish, blocks, at) => {
        expect(known.has(wish.session)).toBe(true);
        expect(blocks).toBeGreaterThan(0);
        expect(blocks).toBeLessThanOrEqual(wish.blocks);
        expect(Number.isNaN(at)).toBe(false);
      });
      expect(told.wakeAt(now)).toBeGreaterThan(now);
    }
  });

  it('wishes for nothing before it was told anything, and says where what it wishes for goes', () => {
    expect(wished(created(policy), 0)).toEqual([]);
    expect(['hbm', 'near']).toContain(policy.placing(defaultsOf(policy)).to);
  });
});

// What tells the policies apart: sessions 1, 2 and 1 came every 10 s, each for 1 s, and 1 is foreseen again at 45 s; wishes at 32 s.
// 2 ended before anybody had a gap, so nobody knows when it comes.
const examples: Record<PrefetchPolicyName, readonly number[]> = {none: [], queue: [], session: [1], markov: [2], oracle: [1]};

it.each(Object.entries(examples))('%s foresees in its way', (name, expected) => {
  const policy = prefetchPolicies[name as PrefetchPolicyName];
  const told = created(policy);
  for (const [session, at] of [
    [1, 0],
    [2, 10],
    [1, 20],
  ]) {
    told.queued(prompt(session), at * S);
    told.ended(prompt(session), (at + 1) * S);
  }
  if (policy.needs === 'arrivals') told.foreseen(prompt(1), 45 * S);
  expect(wished(told, 32 * S)).toEqual(expected);
});

it('session: a gap of 20 s after one of 10 s counts a fifth in the moving average, half in the mean', () => {
  const expectedAt = (think: string) => {
    const told = created(prefetchPolicies.session, {think});
    for (const at of [0, 10, 30]) {
      told.queued(prompt(1), at * S);
      told.ended(prompt(1), at * S);
    }
    return told.expected(1) / S;
  };
  expect(expectedAt('ewma')).toBe(42);
  expect(expectedAt('mean')).toBe(45);
});
