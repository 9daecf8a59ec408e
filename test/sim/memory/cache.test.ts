import {describe, expect, it} from 'vitest';
import {factoryOf} from '../../../src/policies/eviction/eviction.js';
import {evictionPolicies} from '../../../src/policies/eviction/index.js';
import {NO_BLOCK} from '../../../src/sim/core/ids.js';
import {stream} from '../../../src/sim/core/random.js';
import {BlockCache, nextUses} from '../../../src/sim/memory/cache.js';
import {hitCandidates, hitTable} from '../../../src/sim/memory/candidates.js';
import {readTrace} from '../../../src/sim/traces/index.js';
import {noSharedData, sharedData} from '../../support/shared-data.js';

const accessesOf = (letters: string) => accessesTo(Int32Array.from(letters, (letter) => letter.charCodeAt(0) - 97));

/** A trace of one block a request, one a second. */
function accessesTo(ids: Int32Array) {
  const rows = ids.length;
  return {
    rows,
    ids,
    distinct: Math.max(...ids) + 1,
    blockSize: 1,
    sessions: null,
    times: Float64Array.from(ids, (_, row) => row * 1e9),
    inputs: new Int32Array(rows).fill(1),
    offsets: Int32Array.from({length: rows + 1}, (_, row) => row),
  };
}

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
        const [{hits}] = hitTable(accessesTo(Int32Array.from(ids)), candidates, [size]);
        expect(hits[0], `seed ${seed}, ${size} blocks`).toBe(naive[policy](ids, size));
      }
    }
  });

  /** Policies that need no more than a trace tells. */
  const known = new Map(Object.entries(hitCandidates).filter(([, {policy}]) => !policy.needs({}).some((fact) => fact === 'recompute')));

  it('no policy hits more than Belady, none more than Belady with bypass, and none more than the infinite cache', () => {
    expect(known.size).toBeGreaterThan(20);
    for (let seed = 1; seed <= 10; seed++) {
      const random = stream(seed, 'cache-bounds');
      const accesses = accessesTo(Int32Array.from({length: 3000}, () => Math.floor(random() ** 2 * 200)));
      const hits = Object.fromEntries(hitTable(accesses, known, [40]).map((row) => [row.policy, row.hits[0]]));
      for (const [name, count] of Object.entries(hits)) {
        if (name !== 'infinite' && name !== 'belady-bypass') expect(count, name).toBeLessThanOrEqual(hits.belady);
        expect(count, name).toBeLessThanOrEqual(hits.infinite);
      }
      expect(hits['belady-bypass']).toBeGreaterThan(hits.belady);
    }
  });

  it('more room never hurts lru: the smaller cache is part of the larger one at every access', () => {
    const random = stream(3, 'inclusion');
    const ids = Int32Array.from({length: 4000}, () => Math.floor(random() ** 2 * 150));
    const lru = (room: number) => new BlockCache(factoryOf('lru', evictionPolicies.lru), room, 150);
    const [small, large] = [lru(20), lru(31)];
    for (let access = 0; access < ids.length; access++) {
      for (const cache of [small, large]) cache.read(ids, access, access + 1);
      for (let block = 0; block < 150; block++) if (small.has(block) && !large.has(block)) expect.fail(`access ${access}: ${block}`);
    }
    expect(large.hits).toBeGreaterThan(small.hits);
  });

  it.each([...known.keys()].filter((name) => name !== 'infinite'))('%s never holds more than its room', (name) => {
    const {policy, room} = known.get(name)!;
    const random = stream(4, 'room');
    const ids = Int32Array.from({length: 3000}, () => Math.floor(random() ** 2 * 100));
    const facts = {now: () => 0, parent: () => NO_BLOCK, session: () => 0, depth: () => 0};
    const cache = new BlockCache(factoryOf(name, policy), room(13), 100, facts, true);
    const future = nextUses({ids, distinct: 100});
    for (let access = 0; access < ids.length; access++) {
      cache.read(ids, access, access + 1, future);
      let held = 0;
      for (let block = 0; block < 100; block++) if (cache.has(block)) held++;
      if (held > room(13)) expect.fail(`access ${access}: ${held} blocks`);
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
  const oracle = (policy: string) =>
    new TextDecoder()
      .decode(sharedData('cache_oracles.csv'))
      .split('\n')
      .map((line) => line.replace(/^"[^"]*",/, '').split(','))
      .filter(([name]) => name === policy)
      .map(([, size, , hits]) => ({size: Number(size), hits: Number(hits)}));
  const trace = () => readTrace(sharedData('traces/mooncake_conversation.jsonl.gz'), 'm');
  const counted = (policy: string, sizes: readonly number[]) =>
    hitTable(trace(), new Map([[policy, hitCandidates[policy]]]), sizes)[0].hits;

  it.each(['lru', 'fifo', 'belady', 'sieve', 'lfu', 'clock', 's3-fifo', 'arc', '2q', 'lirs'])(
    '%s hits exactly as often as the recorded oracle, at its ten sizes',
    (policy) => {
      const rows = oracle(policy);
      expect(rows).toHaveLength(10);
      expect(
        counted(
          policy,
          rows.map(({size}) => size),
        ),
      ).toEqual(rows.map(({hits}) => hits));
    },
  );

  it('slru does so at nine sizes; at 8,138 blocks, which have no whole quarter, it has one more, as no hit of it evicts', () => {
    const rows = oracle('slru');
    const sizes = rows.map(({size}) => size);
    expect(counted('slru', sizes)).toEqual(rows.map(({size, hits}) => hits + (size === 8138 ? 1 : 0)));
    const {ids} = trace();
    expect(segmented(ids, 8138, false)).toBe(counted('slru', [8138])[0]);
    expect(segmented(ids, 8138, true)).toBe(rows.find(({size}) => size === 8138)!.hits);
  });

  /** SLRU of four segments, plainly. With `hitsEvict`, as libCacheSim has it, the lowest segment drops what segments above let down into it beyond its quarter, though there is room in all. */
  function segmented(ids: Int32Array, capacity: number, hitsEvict: boolean): number {
    const room = Math.floor(capacity / 4);
    const segments = [0, 1, 2, 3].map(() => new Set<number>());
    const where = new Map<number, number>();
    let hits = 0;
    const leave = (segment: number) => {
      const [block] = segments[segment];
      segments[segment].delete(block);
      where.delete(block);
      return block;
    };
    const put = (block: number, segment: number) => {
      segments[segment].add(block);
      where.set(block, segment);
    };
    for (const block of ids) {
      const segment = where.get(block);
      if (segment !== undefined) {
        hits++;
        segments[segment].delete(block);
        const up = Math.min(segment + 1, 3);
        put(block, up);
        for (let over = up; over > 0 && segments[over].size > room; over--) put(leave(over), over - 1);
        while (hitsEvict && segments[0].size > room && up > segment) leave(0);
      } else {
        if (where.size === capacity) leave(segments.findIndex(({size}) => size > 0));
        put(
          block,
          Math.max(
            0,
            segments.findIndex(({size}) => size < room),
          ),
        );
      }
    }
    return hits;
  }

  it('no policy beats Belady at any size, and with a bypass Belady has at least as much', () => {
    const sizes = [500, 2000, 8138];
    const [belady, bypass] = ['belady', 'belady-bypass'].map((name) => counted(name, sizes));
    for (const [i, hits] of belady.entries()) expect(bypass[i]).toBeGreaterThanOrEqual(hits);
    for (const name of ['ewma', 'w-tinylfu', 'leaf-lru', 'predicted'])
      for (const [i, hits] of counted(name, sizes).entries()) expect(hits, name).toBeLessThanOrEqual(belady[i]);
  });
});
