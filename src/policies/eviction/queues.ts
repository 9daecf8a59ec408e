import type {BlockId} from '../../sim/core/ids.js';
import {widened} from '../../sim/core/widened.js';

/** No queue. */
export const NOWHERE = -1;

/**
 * Several lists of blocks, each from its oldest to its youngest; a block stands in one of them at most.
 *
 * Places 0 … count - 1 are the lists' sentinels, between the youngest and the oldest, and block b stands at b + count, so that the arrays can grow.
 */
export class Queues {
  readonly sizes: Int32Array;
  readonly #count: number;
  #younger: Int32Array;
  #older: Int32Array;
  /** By block: its queue + 1, or 0. */
  #where: Uint8Array;

  constructor(count: number, blocks: number) {
    this.#count = count;
    this.sizes = new Int32Array(count);
    this.#younger = new Int32Array(blocks + count);
    this.#older = new Int32Array(blocks + count);
    this.#where = new Uint8Array(blocks);
    for (let queue = 0; queue < count; queue++) this.#younger[queue] = this.#older[queue] = queue;
  }

  grow(blocks: number): void {
    this.#younger = widened(this.#younger, blocks + this.#count);
    this.#older = widened(this.#older, blocks + this.#count);
    this.#where = widened(this.#where, blocks);
  }

  /** The queue that a block stands in, or NOWHERE. */
  of(block: BlockId): number {
    return this.#where[block] - 1;
  }

  /** Puts a block that stands in no queue at the young end of one. */
  append(queue: number, block: BlockId): void {
    const place = block + this.#count;
    const youngest = this.#older[queue];
    this.#older[place] = youngest;
    this.#younger[place] = queue;
    this.#younger[youngest] = place;
    this.#older[queue] = place;
    this.#where[block] = queue + 1;
    this.sizes[queue]++;
  }

  /** Takes a block out of the queue that it stands in. */
  unlink(block: BlockId): void {
    const place = block + this.#count;
    const younger = this.#younger[place],
      older = this.#older[place];
    this.#older[younger] = older;
    this.#younger[older] = younger;
    this.sizes[this.#where[block] - 1]--;
    this.#where[block] = 0;
  }

  /** Moves a block to the young end of a queue, the same one or another. */
  move(queue: number, block: BlockId): void {
    this.unlink(block);
    this.append(queue, block);
  }

  /** The oldest block of a queue, or a number below 0 when it is empty. */
  oldest(queue: number): BlockId {
    return this.#younger[queue] - this.#count;
  }
}
