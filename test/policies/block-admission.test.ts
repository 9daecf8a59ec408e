import {describe, expect, it} from 'vitest';
import type {BlockAdmission, BlockAdmissionEntry} from '../../src/policies/admission/block.js';
import {type BlockAdmissionName, blockAdmissionPolicies} from '../../src/policies/admission/index.js';
import {stream} from '../../src/sim/core/random.js';

const S = 1e9;
const SHARED = -1;

/** Session s owns ids 1000·s … 1000·s + 999 from 1 on; those below 1000 are shared. */
const ownerOf = (block: number) => (block < 1000 ? SHARED : Math.floor(block / 1000));

/** A policy with a clock that the test turns. */
function told(name: BlockAdmissionName, params: Record<string, number | string> = {}) {
  const entry: BlockAdmissionEntry = blockAdmissionPolicies[name];
  const defaults = Object.fromEntries(Object.entries(entry.params).map(([param, {default: value}]) => [param, value]));
  const clock = {now: 0};
  return {clock, policy: entry.create({session: ownerOf, now: () => clock.now}, {...defaults, ...params})};
}

// What every policy must do. A new policy is covered by its registry line.
describe.each(Object.keys(blockAdmissionPolicies) as BlockAdmissionName[])('%s', (name) => {
  const step = (policy: BlockAdmission, clock: {now: number}, random: () => number) => {
    clock.now += Math.floor(random() * S);
    const block = Math.floor(random() * 4) * 1000 + Math.floor(random() * 20);
    const prompt = Math.floor(random() * 3000);
    const what = random();
    if (what < 0.4) policy.found(block, prompt);
    else if (what < 0.7) policy.computed(block, prompt);
    else if (what < 0.8) policy.leftHbm(block);
    else policy.answered(block);
    return block;
  };

  it('answers the same when it is asked again, and never because it was asked', () => {
    const [asked, silent] = [told(name), told(name)];
    const [a, b] = [stream(1, 'admission'), stream(1, 'admission')];
    for (let i = 0; i < 3000; i++) {
      const block = step(asked.policy, asked.clock, a);
      step(silent.policy, silent.clock, b);
      const answer = asked.policy.admits(block);
      expect(asked.policy.admits(block)).toBe(answer);
      asked.policy.admits(19_999);
      expect(silent.policy.admits(block)).toBe(answer);
    }
  });

  it('knows nothing of what the ids of a range stood for once they stand for other blocks', () => {
    const {policy, clock} = told(name);
    const random = stream(2, 'admission');
    const before = policy.admits(5);
    const shared = () => Math.floor(random() * 20);
    for (let i = 0; i < 500; i++) {
      policy.found(shared(), 5000);
      policy.computed(shared(), 5000);
    }
    policy.forget(0, 20);
    clock.now = 0;
    expect(policy.admits(5)).toBe(before);
  });
});

describe('all', () => {
  it('lets in what nobody has ever used', () => {
    expect(told('all').policy.admits(7)).toBe(true);
  });
});

describe('after-touches', () => {
  it('lets a block in with its k-th hit; computing it is none', () => {
    const {policy} = told('after-touches', {k: 2});
    policy.computed(7, 100);
    policy.found(7, 100);
    expect(policy.admits(7)).toBe(false);
    policy.found(7, 100);
    expect([policy.admits(7), policy.admits(8)]).toEqual([true, false]);
  });

  it('counts computing too with lookups, and with stay only since the block came to HBM', () => {
    for (const [counts, after] of [
      ['lookups', true],
      ['stay', false],
    ] as const) {
      const {policy} = told('after-touches', {k: 2, counts});
      policy.computed(7, 100);
      policy.leftHbm(7);
      policy.computed(7, 100);
      expect(policy.admits(7), counts).toBe(after);
    }
  });
});

describe('by-size', () => {
  it('lets in the blocks of prompts of at least so many tokens, once one such prompt has them', () => {
    const {policy} = told('by-size', {tokens: 1000});
    policy.computed(7, 999);
    expect(policy.admits(7)).toBe(false);
    policy.found(7, 1000);
    policy.found(7, 10);
    expect(policy.admits(7)).toBe(true);
  });

  it('or of at most so many', () => {
    const {policy} = told('by-size', {tokens: 1000, of: 'shorter'});
    policy.computed(7, 1001);
    policy.computed(8, 1000);
    expect([policy.admits(7), policy.admits(8)]).toEqual([false, true]);
  });
});

describe('predicted-use', () => {
  it('lets in what a session will use within the time, by the moving average of its think times', () => {
    // Gaps of 10 and 20 s: 0.2 · 20 + 0.8 · 10 = 12 s.
    const thinks = (within: number) => {
      const {policy, clock} = told('predicted-use', {within});
      for (const start of [0, 11, 32]) {
        clock.now = start * S;
        policy.found(1000, 100);
        clock.now += S;
        policy.answered(1000);
      }
      return policy.admits(1001);
    };
    expect([thinks(12), thinks(11.9)]).toEqual([true, false]);
  });

  it('has the mean of all gaps for a session without one, and lets everything in before the first', () => {
    const {policy, clock} = told('predicted-use', {within: 5});
    expect(policy.admits(2000)).toBe(true);
    policy.answered(1000);
    clock.now = 10 * S;
    policy.found(1000, 100);
    expect(policy.admits(2000)).toBe(false);
  });

  it('expects nothing of a session whose predicted use has passed', () => {
    const {policy, clock} = told('predicted-use', {within: 100});
    policy.answered(1000);
    clock.now = 10 * S;
    policy.found(1000, 100);
    policy.answered(1000);
    clock.now = 20 * S;
    expect(policy.admits(1000)).toBe(true);
    clock.now = 20 * S + 1;
    expect(policy.admits(1000)).toBe(false);
  });

  it('has gaps of its own for a block that several sessions use', () => {
    const {policy, clock} = told('predicted-use', {within: 5});
    policy.answered(1000);
    for (const second of [0, 3, 6, 100]) {
      clock.now = second * S;
      if (second < 100) policy.found(5, 100);
      else policy.found(1000, 100); // a mean gap of 35 s
    }
    clock.now = 8 * S;
    expect([policy.admits(5), policy.admits(2000)]).toEqual([true, false]);
  });
});
