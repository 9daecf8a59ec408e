import {describe, expect, it} from 'vitest';
import {factoryOf} from '../../src/policies/eviction/eviction.js';
import {lru} from '../../src/policies/eviction/lru.js';
import {ownEviction} from '../../src/policies/eviction/own.js';
import type {EvictionContext, EvictionPolicy} from '../../src/policies/eviction/policy.js';
import {InputError} from '../../src/sim/core/errors.js';
import {type Random, stream} from '../../src/sim/core/random.js';
import {BlockCache} from '../../src/sim/memory/cache.js';

const about = 'evicts something';
const zero = (): number => 0;
const context: EvictionContext = {blocks: 100, capacity: 10};
const own = (policy: object) => ownEviction('./mine.mjs', {default: policy});

/** A policy of which one answer is given. */
function naming(victim: () => number): EvictionPolicy {
  const nothing = () => {};
  const methods = {insert: nothing, touch: nothing, pin: nothing, unpin: nothing, evict: nothing, remove: nothing};
  return own({about, create: () => ({...methods, forget: nothing, grow: nothing, victim})}).create(context, {});
}

/** A module with one parameter. */
function parameter(name: string, kind: string, value: number): object {
  return {default: {about, params: {[name]: {kind, default: value, about: 'x'}}, score: zero}};
}

describe('a policy from a file', () => {
  it('needs no more than a score: with the last read it is lru', () => {
    const ids = Int32Array.from({length: 5000}, randomBlock(stream(1, 'own')));
    const hits = (create: Parameters<typeof factoryOf>[1]) => {
      const cache = new BlockCache(factoryOf('x', create), 20, 100);
      cache.read(ids, 0, ids.length);
      return cache.hits;
    };
    const mine = hits(own({about, score: (block: number, {readAt}: {readAt: Float64Array}) => readAt[block]}));
    expect(mine).toBe(hits(lru));
    expect(mine).toBeGreaterThan(100);
  });

  it('has its parameters beside it, and what it needs to know of blocks', () => {
    const given: unknown[] = [];
    const policy = own({
      about,
      needs: ['depth'],
      params: {uses: {kind: 'count', default: 3, about: 'uses'}},
      score: (_block: number, _history: unknown, {depth}: EvictionContext, _age: number, {uses}: {uses: number}): number => {
        given.push(depth!(4), uses);
        return 0;
      },
    });
    expect(() => factoryOf('./mine.mjs', policy)(context)).toThrow(
      'eviction policy ./mine.mjs needs to know how deep in its chain a block is, which is not known here; lru needs nothing',
    );
    const made = factoryOf('./mine.mjs', policy, {uses: 7})({...context, depth: (block) => 2 * block});
    made.insert(4);
    made.unpin(4);
    expect(given).toEqual([8, 7]);
  });

  it.each([
    ['nothing by default', {}, 'its default export is no object'],
    ['no line about it', {default: {score: zero}}, 'about, what the policy does in one line, is missing'],
    ['neither of both', {default: {about}}, 'it has to have either a function score or a function create'],
    ['both', {default: {about, score: zero, create: zero}}, 'it has to have either a function score or a function create'],
    ['an unknown fact', {default: {about, needs: ['colour'], score: zero}}, 'needs lists "colour"; what can be known is bytes, parent'],
    ['a parameter of no kind', {default: {about, params: {a: 3}, score: zero}}, "its parameter a is not like {kind: 'share'"],
    ['a parameter named policy', parameter('policy', 'count', 1), 'its parameter policy has the name of the key beside it'],
    ['a default that its kind refuses', parameter('uses', 'count', -4), 'uses of ./mine.mjs by default: -4 is not a whole number'],
    ['a default that is no number', parameter('part', 'share', Number.NaN), 'part of ./mine.mjs by default: NaN is not a share'],
  ])('is refused by name with %s', (_what, module, why) => {
    expect(() => ownEviction('./mine.mjs', module)).toThrow(why);
    expect(() => ownEviction('./mine.mjs', module)).toThrow('./mine.mjs');
    expect(() => ownEviction('./mine.mjs', module)).toThrow(InputError);
  });

  it('is refused when its policy lacks a method', () => {
    expect(() => own({about, create: () => ({insert() {}, victim() {}})}).create(context, {})).toThrow(
      './mine.mjs: the policy that create returns has no touch, pin, unpin, evict, remove, forget, grow',
    );
  });

  it.each([
    ['NaN', Number.NaN],
    ['nothing', undefined],
    ['text', 'high'],
    ['a promise', Promise.resolve(1)],
    ['a bigint', 1n],
  ])('ends the run when its score is %s, which has no place in an order', (_what, worth) => {
    const policy = own({about, score: () => worth}).create(context, {});
    policy.insert(3);
    expect(() => policy.unpin(3)).toThrow(/^\.\/mine\.mjs: score of block 3 is .*, which is no number$/);
  });

  it('ends the run in one line that names it when it throws', () => {
    const boom = () => {
      throw new TypeError('one\ntwo');
    };
    const scoring = own({about, score: boom}).create(context, {});
    scoring.insert(3);
    for (const act of [() => scoring.unpin(3), () => naming(boom).victim(1), () => own({about, create: boom}).create(context, {})]) {
      expect(act).toThrow(InputError);
      expect(act).toThrow(/^\.\/mine\.mjs: (unpin|victim|create) throws TypeError: one two$/);
    }
    const text = naming(() => {
      throw 'no error at all';
    });
    expect(() => text.victim(1)).toThrow('./mine.mjs: victim throws no error at all');
  });

  it('ends the run when it names a victim that is in use, not here, or none although one could leave', () => {
    const inUse = naming(() => 5);
    expect(() => inUse.victim(1)).toThrow('./mine.mjs: victim(1) is 5, which is not here');
    inUse.insert(5);
    expect(() => inUse.victim(1)).toThrow('./mine.mjs: victim(1) is 5, which is in use');
    inUse.unpin(5);
    expect(inUse.victim(1)).toBe(5);
    inUse.pin(5);
    expect(() => inUse.victim(1)).toThrow('which is in use');
    const none = naming(() => -1);
    expect(none.victim(1)).toBe(-1);
    none.insert(5);
    none.unpin(5);
    expect(() => none.victim(1)).toThrow('victim(1) is -1, no block, but 1 could leave');
    none.evict(5);
    expect(none.victim(1)).toBe(-1);
  });
});

/** Blocks below 100, the low ones often. */
function randomBlock(random: Random): () => number {
  return () => Math.floor(100 * random() ** 3);
}
