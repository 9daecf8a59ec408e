import {expect, it} from 'vitest';
import {NO_BLOCK} from '../../../src/sim/core/ids.js';
import {ChainNotes} from '../../../src/sim/memory/chain-notes.js';

it('notes where blocks stand in a chain of several runs, piece by piece', () => {
  const notes = new ChainNotes();
  const chain = {bases: [4, 2000], counts: [2, 3], blocks: 5};
  notes.note(chain, 0, 1);
  notes.note(chain, 1, 4);
  const of = (id: number) => [notes.parent(id), notes.depth(id)];
  expect([4, 5, 2000, 2001].map(of)).toEqual([
    [NO_BLOCK, 0],
    [4, 1],
    [5, 2],
    [2000, 3],
  ]);
  expect(notes.depth(2002)).toBe(-1); // not named yet
});

it('keeps what was noted first, until the ids stand for other blocks', () => {
  const notes = new ChainNotes();
  notes.note({bases: [8], counts: [2], blocks: 2}, 0, 2);
  notes.note({bases: [3, 9], counts: [1, 1], blocks: 2}, 0, 2); // a trace whose ids are not prefix-inclusive
  expect([notes.parent(9), notes.depth(9)]).toEqual([8, 1]);
  notes.forget(8, 2);
  notes.note({bases: [3, 9], counts: [1, 1], blocks: 2}, 0, 2);
  expect([notes.parent(9), notes.depth(9)]).toEqual([3, 1]);
});
