import {expect, it} from 'vitest';
import {stream} from '../../../src/sim/core/random.js';
import {IdPool} from '../../../src/sim/workload/block-ids.js';
import {NO_OWNER} from '../../../src/sim/workload/workload.js';

it('hands out ranges one after the other, and says whose an id is', () => {
  const pool = new IdPool();
  expect(pool.share(3)).toBe(0);
  expect(pool.allocate(0, 2)).toBe(3);
  expect(pool.limit).toBe(5);
  expect([0, 2, 3, 4].map((id) => pool.owner(id))).toEqual([NO_OWNER, NO_OWNER, 0, 0]);
});

it('gives a range that came back to the next session that it fits', () => {
  const pool = new IdPool();
  pool.allocate(0, 5);
  pool.allocate(1, 7);
  expect(pool.release(0)).toEqual({base: 0, count: 5});
  expect(pool.allocate(2, 7)).toBe(12); // too small
  expect(pool.allocate(3, 5)).toBe(0);
  expect(pool.owner(4)).toBe(3);
});

it('long ranges are rounded up, so that those of about one length fit each other', () => {
  const pool = new IdPool();
  pool.allocate(0, 33);
  expect(pool.release(0)).toEqual({base: 0, count: 40});
  expect(pool.allocate(1, 40)).toBe(0);
  let [worst, least] = [0, 0];
  for (let count = 1; count < 5000; count++) {
    pool.allocate(2, count);
    const got = pool.release(2).count;
    worst = Math.max(worst, (got - count) / got);
    least = Math.min(least, got - count);
  }
  expect(least).toBe(0); // never too short
  expect(worst).toBeLessThan(0.2);
});

it('a range comes back once', () => {
  const pool = new IdPool();
  pool.allocate(0, 5);
  pool.release(0);
  expect(() => pool.release(0)).toThrow('session 0 holds no ids');
  expect(() => pool.release(123_456)).toThrow('session 123456 holds no ids');
});

it('never lets two open sessions have one id, however many come and go', () => {
  const pool = new IdPool();
  const random = stream(1, 'ids');
  const open = new Map<number, {base: number; count: number}>();
  pool.share(100);
  for (let session = 0; session < 5000; session++) {
    const count = 1 + Math.floor(random() ** 3 * 300);
    open.set(session, {base: pool.allocate(session, count), count});
    while (open.size > 20) {
      const [leaving] = [...open.keys()].slice(Math.floor(random() * open.size));
      const {base, count} = open.get(leaving)!;
      const owners = new Set(Array.from({length: count}, (_, i) => pool.owner(base + i)));
      expect([...owners]).toEqual([leaving]);
      expect(pool.release(leaving).base).toBe(base);
      open.delete(leaving);
    }
  }
  expect(pool.limit).toBeLessThan(100 + 3 * 20 * 300); // without reuse: about 375,000
});
