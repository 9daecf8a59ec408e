import {describe, expect, it} from 'vitest';
import {kolmogorovDistance} from '../../../src/sim/traces/kolmogorov.js';
import {threadsOf} from '../../../src/sim/traces/threads.js';
import {type MadeRow, madeTrace} from '../../support/made-trace.js';

const linked = (rows: readonly MadeRow[]) => [...threadsOf(madeTrace(rows)).before];
const ids = (...chains: number[][]) => chains.map((chain, at): MadeRow => ({at, ids: chain}));

describe('conversations in block ids', () => {
  it('a prompt that begins with a whole earlier one is its next turn', () => {
    expect(linked(ids([0, 1], [5, 6], [0, 1, 2], [5, 6, 7]))).toEqual([-1, -1, 0, 1]);
    expect([...threadsOf(madeTrace(ids([0, 1], [5, 6], [0, 1, 2], [5, 6, 7]))).of]).toEqual([0, 1, 0, 1]);
  });

  it('a prompt that shares only a part of an earlier one is none', () => {
    expect(linked(ids([0, 1, 2], [0, 1, 3]))).toEqual([-1, -1]);
  });

  it('the block in which a prompt ends need not come again', () => {
    const rows = [
      {at: 0, ids: [0, 1, 2], input: 10},
      {at: 1, ids: [0, 1, 3, 4]},
    ];
    expect(linked(rows)).toEqual([-1, 0]);
    expect(linked([{...rows[0], input: 12}, rows[1]])).toEqual([-1, -1]);
  });

  it('a prompt has one next turn: the first that extends it', () => {
    expect(linked(ids([0, 1], [0, 1, 2], [0, 1, 3]))).toEqual([-1, 0, -1]);
  });

  it('of several prompts that it extends, the longest is the one before', () => {
    expect(linked(ids([0], [0, 1, 2], [0, 1], [0, 1, 2, 3]))).toEqual([-1, 0, -1, 1]);
  });

  it('the same prompt again is a next turn', () => {
    expect(linked(ids([0, 1], [0, 1], [0, 1]))).toEqual([-1, 0, 1]);
  });

  it('where a trace has sessions, the one before is of the same one', () => {
    const rows = [
      {at: 0, ids: [0, 1], session: 0},
      {at: 1, ids: [0, 1, 2], session: 1},
      {at: 2, ids: [0, 1, 3], session: 0},
    ];
    expect(linked(rows)).toEqual([-1, -1, 0]);
  });

  it('a text that more than eight texts follow is a system prompt, which nobody continues', () => {
    const followed = (count: number) =>
      linked([{at: 0, ids: [0]}, ...Array.from({length: count}, (_, i) => ({at: i + 1, ids: [0, i + 1]}))]);
    expect(followed(8)[1]).toBe(0);
    expect(followed(9)[1]).toBe(-1);
  });

  it('a prompt without a whole block is nothing to continue', () => {
    expect(
      linked([
        {at: 0, ids: [], input: 3},
        {at: 1, ids: [0]},
      ]),
    ).toEqual([-1, -1]);
  });
});

describe('Kolmogorov-Smirnov distance', () => {
  it.each([
    ['equal samples, in any order', [3, 1, 2], [1, 2, 3], 0],
    ['samples apart', [1, 2], [3, 4], 1],
    ['one value of four elsewhere', [1, 2, 3, 4], [1, 2, 3, 9], 0.25],
    ['the same shares of another number of values', [1, 2], [1, 1, 2, 2], 0],
    ['half at 0 against a quarter', [0, 0, 1, 1], [0, 1, 1, 1], 0.25],
  ])('%s', (_what, a, b, distance) => {
    expect(kolmogorovDistance(a, b)).toBe(distance);
    expect(kolmogorovDistance(b, a)).toBe(distance);
  });
});
