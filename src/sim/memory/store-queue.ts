import {NO_BLOCK} from '../core/ids.js';
import {IdList} from './id-list.js';

/** Where blocks that are to be written one memory further down lie now. */
export interface StoreSource {
  /** Places that hold nothing. */
  readonly empty: number;
  /** The block that would leave next, or NO_BLOCK. */
  victim(): number;
  /** A store begins to need a resident block: it cannot leave. */
  pin(id: number): void;
  unpin(id: number): void;
  /** Whether a block is here, and nobody uses it. */
  isIdle(id: number): boolean;
  /** A resident block that nobody uses leaves, for it lies below. */
  drop(id: number): void;
}

/** Blocks that are written together. */
export interface StoreBatch {
  readonly ids: IdList;
  /** Those of them that stay in their source until they are stored; the others have left it, and only their places are still in use. */
  readonly pinned: IdList;
  /** Those of the pinned that leave their source once they are stored, to keep places free ahead. */
  readonly leaving: IdList;
}

/**
 * What waits to be written into one memory, and what is under way.
 *
 * One batch is under way at a time, and what comes meanwhile goes together with the next: stores cannot pile up, and end in order.
 * Batches have numbers from 1 on, so whoever must wait for a store needs to remember only one.
 */
export class StoreQueue {
  /** Number of the batch that ended last. */
  ended = 0;
  /** The batch of the memory below that must have ended before what waits here may begin: it frees the places. */
  gate = 0;
  /** Blocks that will leave their source, waiting or under way. */
  leaving = 0;
  /** Blocks that wait for a place, pinned in their source, in order. */
  readonly #held = new Set<number>();
  #begun = 0;
  #waiting: StoreBatch = blank();
  #underWay: StoreBatch | null = null;
  /** The batch that ended last: its lists are used again. */
  #spare: StoreBatch = blank();

  /** Number of the batch that a block queued now goes with. */
  get next(): number {
    return this.#begun + 1;
  }

  /** Whether something waits and nothing is under way. */
  get ready(): boolean {
    return this.#underWay === null && this.#waiting.ids.length > 0;
  }

  /** Whether blocks wait, for a place or for what is under way. */
  get waits(): boolean {
    return this.#waiting.ids.length > 0 || this.#held.size > 0;
  }

  /** Queues a block that has left its source. */
  add(id: number): void {
    this.#waiting.ids.push(id);
  }

  /** Queues a block that stays in its source until it is stored, and if it is `leaving` no longer. */
  addPinned(id: number, leaving: boolean): void {
    this.#waiting.ids.push(id);
    this.#waiting.pinned.push(id);
    if (!leaving) return;
    this.#waiting.leaving.push(id);
    this.leaving++;
  }

  /** Remembers a block that finds no place; false when it waits already. */
  hold(id: number): boolean {
    if (this.#held.has(id)) return false;
    this.#held.add(id);
    return true;
  }

  /** The block that has waited longest for a place, or NO_BLOCK. */
  firstHeld(): number {
    for (const id of this.#held) return id;
    return NO_BLOCK;
  }

  /** A block waits for a place no longer. */
  release(id: number): void {
    this.#held.delete(id);
  }

  /** What waits goes under way. */
  begin(): StoreBatch {
    const batch = this.#waiting;
    this.#underWay = batch;
    this.#waiting = this.#spare;
    this.#waiting.ids.clear();
    this.#waiting.pinned.clear();
    this.#waiting.leaving.clear();
    this.#begun++;
    return batch;
  }

  /** What was under way is stored. The batch is valid until the next one begins. */
  end(): StoreBatch {
    const batch = this.#underWay!;
    this.#underWay = null;
    this.#spare = batch;
    this.ended++;
    this.leaving -= batch.leaving.length;
    return batch;
  }

  /** Blocks that are pinned in their source. */
  *pinned(): Iterable<number> {
    yield* this.#held;
    for (const {pinned} of this.#underWay === null ? [this.#waiting] : [this.#waiting, this.#underWay])
      for (let i = 0; i < pinned.length; i++) yield pinned.at(i);
  }
}

function blank(): StoreBatch {
  return {ids: new IdList(), pinned: new IdList(), leaving: new IdList()};
}
