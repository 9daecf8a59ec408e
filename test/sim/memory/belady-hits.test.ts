import {describe, expect, it} from 'vitest';
import {belady} from '../../../src/policies/eviction/belady.js';
import {stream} from '../../../src/sim/core/random.js';
import {AccessLog} from '../../../src/sim/memory/access-log.js';
import {beladyHits} from '../../../src/sim/memory/belady-hits.js';
import {BlockCache, nextUses} from '../../../src/sim/memory/cache.js';
import {LatestUses} from '../../../src/sim/memory/latest-uses.js';
import {simulate} from '../../../src/sim/scenario/simulate.js';
import {summarise} from '../../../src/sim/scenario/summarise.js';
import type {Chain} from '../../../src/sim/workload/chain.js';
import {tierChats} from '../../support/tier-chats.js';

const chain = (base: number, blocks: number): Chain => ({bases: [base], counts: [blocks], blocks});
const all = () => true;

/** A log in which request i looks up the one block `text[i]`. */
function logOf(text: string): AccessLog {
  const log = new AccessLog();
  for (const [i, letter] of [...text].entries()) log.add(chain(letter.charCodeAt(0), 1), 0, 1, i, 1);
  return log;
}

describe('hits of one memory that knows the future', () => {
  it('keeps what is used soonest: in a b c a b with two places, b leaves for c, and a is found', () => {
    expect(beladyHits(logOf('abcab').take()!, 2, all)).toBe(1);
    expect(beladyHits(logOf('abcab').take()!, 3, all)).toBe(2);
    expect(beladyHits(logOf('abcab').take()!, 0, all)).toBe(0);
  });

  it('lets what is never used again leave first: in a x y z a with two places, a stays', () => {
    expect(beladyHits(logOf('axyza').take()!, 2, all)).toBe(1);
  });

  it('counts what measured requests look up, and only blocks that somebody had made by then', () => {
    expect(beladyHits(logOf('aaaa').take()!, 1, (request) => request >= 2)).toBe(2);
    const log = new AccessLog();
    log.add(chain(0, 4), 0, 4, 0, 0); // looks up four blocks that are new
    log.add(chain(0, 6), 4, 6); // and makes two
    log.add(chain(0, 6), 0, 6, 1, 5); // of which the next one can find five, one of them made
    log.add(chain(0, 6), 0, 6); // again, after a preemption: that counts for nothing
    expect(beladyHits(log.take()!, 10, all)).toBe(5);
  });

  it('finds as much as the policy belady of the clockless cache, on random accesses', () => {
    const random = stream(5, 'belady-hits');
    for (let round = 0; round < 60; round++) {
      const distinct = 2 + Math.floor(random() * 60);
      const ids = Int32Array.from({length: 400}, () => Math.floor(random() ** 2 * distinct));
      const log = new AccessLog();
      for (const [i, id] of ids.entries()) log.add(chain(id, 1), 0, 1, i, 1);
      const capacity = 1 + Math.floor(random() * distinct);
      const cache = new BlockCache((context) => belady.create(context, {}), capacity, distinct, {}, true);
      cache.read(ids, 0, ids.length, nextUses({ids, distinct}));
      expect(beladyHits(log.take()!, capacity, all)).toBe(cache.hits);
    }
  });
});

describe('a log of accesses', () => {
  it('gives blocks whose ids went back to their owner other numbers', () => {
    const log = new AccessLog();
    log.add(chain(7, 2), 0, 2, 0, 2);
    log.forget(7, 2);
    log.add(chain(7, 2), 0, 2, 1, 2);
    expect([...log.take()!.ids]).toEqual([0, 1, 2, 3]);
    expect(beladyHits(log.take()!, 10, all)).toBe(0);
  });

  it('keeps nothing when there is more than it may keep', () => {
    const log = new AccessLog(5);
    log.add(chain(0, 3), 0, 3, 0, 0);
    expect(log.take()!.ids).toHaveLength(3);
    log.add(chain(3, 3), 0, 3, 1, 0);
    expect(log.take()).toBeNull();
  });
});

it('a set of numbers knows its greatest, whatever comes and leaves', () => {
  const random = stream(9, 'latest-uses');
  const [set, naive] = [new LatestUses(40_000), new Set<number>()];
  expect(set.greatest).toBe(-1);
  for (let i = 0; i < 4000; i++) {
    const value = Math.floor(random() * 40_000);
    const gone = random() < 0.5 ? [...naive][Math.floor(random() * naive.size)] : undefined;
    set.add(value);
    naive.add(value);
    if (gone !== undefined) {
      set.remove(gone);
      naive.delete(gone);
    }
    if (i % 50 === 0) expect(set.greatest).toBe(Math.max(-1, ...naive));
  }
});

describe('the bound of a run', () => {
  const bounded = (blocks: Parameters<typeof tierChats>[0]) => {
    const {scenario, plan} = tierChats(blocks);
    const logs: AccessLog[] = [];
    const record = simulate(scenario, plan, {replication: 0, accesses: {most: 1e6, logs}});
    expect(record.eventLog).toBe(simulate(scenario, plan, {replication: 0}).eventLog);
    return summarise(scenario, plan, [record], {accesses: [logs.map((log) => log.take()!)]}).hits;
  };
  const own = ({share}: ReturnType<typeof bounded>) => 1 - share['computed']!;

  it.each([
    {hbm: 60, dram: 0, ssd: 0},
    {hbm: 60, dram: 60, ssd: 0},
    {hbm: 60, dram: 100, ssd: 300},
  ])('lies between what the run found and what an endless memory would: %o', (blocks) => {
    const hits = bounded(blocks);
    expect(hits.bounds.belady!).toBeGreaterThanOrEqual(own(hits));
    expect(hits.bounds.belady!).toBeLessThanOrEqual(hits.bounds.infinite!);
    expect(hits.bounds.infinite!).toBeGreaterThan(own(hits));
  });

  it('is above what LRU finds where room is short, and is all that repeats where there is enough', () => {
    const short = bounded({hbm: 60, dram: 0, ssd: 0});
    expect(short.bounds.belady!).toBeGreaterThan(own(short) + 0.02);
    const enough = bounded({hbm: 8000, dram: 0, ssd: 0});
    expect(enough.bounds.belady).toBe(enough.bounds.infinite);
  });
});
