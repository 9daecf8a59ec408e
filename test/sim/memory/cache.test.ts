import {describe, expect, it} from 'vitest';
import {stream} from '../../../src/sim/core/random.js';
import {cacheHits, hitCandidates, hitTable, nextUses} from '../../../src/sim/memory/cache.js';
import {readTrace} from '../../../src/sim/traces/index.js';
import {noSharedData, sharedData} from '../../support/shared-data.js';

const accessesOf = (letters: string) => {
  const ids = Int32Array.from(letters, (letter) => letter.charCodeAt(0) - 97);
  return {ids, distinct: Math.max(...ids) + 1};
};

function hits(letters: string, policy: string, size: number): number {
  return hitTable(accessesOf(letters), new Map([[policy, hitCandidates[policy]]]), [size])[0].hits[0];
}

it('counts a hit for each access to a block that is there, and brings the others in at once', () => {
  expect(hits('aab', 'lru', 1)).toBe(1);
  expect(hits('abab', 'lru', 1)).toBe(0);
  expect(hits('abab', 'lru', 2)).toBe(2);
});

it('tells the policies apart where they differ', () => {
  // Two blocks: lru keeps the a just read and loses b; fifo loses a; belady, seeing that b comes no more, keeps a and c.
  expect(hits('abacac', 'lru', 2)).toBe(3);
  expect(hits('abacac', 'fifo', 2)).toBe(2);
  expect(hits('abacac', 'belady', 2)).toBe(3);
  expect(hits('abcabc', 'lru', 2)).toBe(0);
  expect(hits('abcabc', 'belady', 2)).toBe(2);
});

it('the bounds: nothing stays, nothing leaves', () => {
  expect(hits('abcabc', 'none', 2)).toBe(0);
  expect(hits('abcabc', 'infinite', 2)).toBe(3);
});

it('the next use of an access is the next access to its block', () => {
  expect([...nextUses(accessesOf('abaab'))]).toEqual([2, 4, 3, Infinity, Infinity]);
});

describe('on random traces', () => {
  const naive: Record<string, (ids: readonly number[], size: number) => number> = {
    lru: (ids, size) => modelled(ids, size, (cached, i) => oldest(cached, (block) => ids.lastIndexOf(block, i - 1))),
    fifo: (ids, size) => modelled(ids, size, (cached) => cached[0]),
    belady: (ids, size) => modelled(ids, size, (cached, i) => oldest(cached, (block) => -(ids.indexOf(block, i) + 1 || Infinity))),
  };

  it.each(Object.keys(naive))('%s hits exactly as a model of ten lines', (policy) => {
    for (let seed = 1; seed <= 30; seed++) {
      const random = stream(seed, 'cache-test');
      const distinct = 5 + Math.floor(random() * 40);
      const ids = Array.from({length: 400}, () => Math.floor(random() * random() * distinct));
      const candidates = new Map([[policy, hitCandidates[policy]]]);
      for (const size of [1, 2, 5, 17, 64]) {
        const [{hits}] = hitTable({ids: Int32Array.from(ids), distinct}, candidates, [size]);
        expect(hits[0], `seed ${seed}, ${size} blocks`).toBe(naive[policy](ids, size));
      }
    }
  });

  it('no policy hits more than Belady, and none fewer with the infinite cache than Belady', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const random = stream(seed, 'cache-bounds');
      const accesses = {ids: Int32Array.from({length: 3000}, () => Math.floor(random() ** 2 * 200)), distinct: 200};
      const future = nextUses(accesses);
      const best = cacheHits(accesses, hitCandidates['belady'].create, 40, future);
      for (const [name, {create, needsFuture, room}] of Object.entries(hitCandidates)) {
        const count = cacheHits(accesses, create, room(40), needsFuture ? future : null);
        if (name === 'infinite') expect(count).toBeGreaterThanOrEqual(best);
        else expect(count, name).toBeLessThanOrEqual(best);
      }
    }
  });

  /** A cache as a list in order of entry; `leaves` names the one that goes. */
  function modelled(ids: readonly number[], size: number, leaves: (cached: readonly number[], access: number) => number): number {
    const cached: number[] = [];
    let count = 0;
    for (const [i, id] of ids.entries()) {
      if (cached.includes(id)) count++;
      else {
        if (cached.length === size) cached.splice(cached.indexOf(leaves(cached, i)), 1);
        cached.push(id);
      }
    }
    return count;
  }

  function oldest(cached: readonly number[], worth: (block: number) => number): number {
    return cached.reduce((least, block) => (worth(block) < worth(least) ? block : least));
  }
});

describe.skipIf(noSharedData !== null)(`the Mooncake trace${noSharedData === null ? '' : ` (skipped: ${noSharedData})`}`, () => {
  it.each(['lru', 'fifo', 'belady', 'sieve', 'lfu'])('%s hits exactly as often as the recorded oracle, at its ten sizes', (policy) => {
    const rows = new TextDecoder()
      .decode(sharedData('cache_oracles.csv'))
      .split('\n')
      .map((line) => line.replace(/^"[^"]*",/, '').split(','))
      .filter(([name]) => name === policy);
    expect(rows).toHaveLength(10);
    const sizes = rows.map(([, size]) => Number(size));
    const trace = readTrace(sharedData('traces/mooncake_conversation.jsonl.gz'), 'm');
    expect(hitTable(trace, new Map([[policy, hitCandidates[policy]]]), sizes)[0].hits).toEqual(rows.map(([, , , count]) => Number(count)));
  });
});
