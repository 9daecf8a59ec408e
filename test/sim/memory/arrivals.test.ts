import {describe, expect, it} from 'vitest';
import {Arrivals} from '../../../src/sim/memory/arrivals.js';
import {IdList} from '../../../src/sim/memory/id-list.js';

describe('blocks on their way', () => {
  it('come with the transfer that they were put with last, as in a Map, through thousands of random changes', () => {
    const arrivals = new Arrivals<object>();
    const map = new Map<number, object>();
    const transfers = Array.from({length: 7}, (_, i) => ({i}));
    let state = 1;
    const random = (below: number) => {
      state = (state * 48271) % 2147483647;
      return state % below;
    };
    for (let n = 0; n < 20_000; n++) {
      const id = random(3000);
      if (map.has(id)) {
        map.delete(id);
        arrivals.delete(id);
      } else {
        const transfer = transfers[random(7)];
        map.set(id, transfer);
        arrivals.set(id, transfer);
      }
      const asked = random(6000);
      expect(arrivals.get(asked)).toBe(map.get(asked));
    }
    expect([...arrivals.keys()]).toEqual([...map.keys()].sort((a, b) => a - b));
  });
});

describe('a list of ids', () => {
  it('grows, keeps its order, and begins anew when cleared', () => {
    const list = new IdList();
    for (let id = 0; id < 200; id++) list.push(3 * id);
    expect([list.length, list.at(0), list.at(63), list.at(64), list.at(199)]).toEqual([200, 0, 189, 192, 597]);
    list.clear();
    list.push(5);
    expect([list.length, list.at(0)]).toEqual([1, 5]);
  });
});
