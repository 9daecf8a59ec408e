import type {BlockId} from '../../sim/core/ids.js';
import {widened} from '../../sim/core/widened.js';

/**
 * A list of blocks from the oldest to the youngest, in two arrays indexed by block.
 *
 * Place 0 is the sentinel after the youngest and before the oldest, and block b stands at b + 1, so that the arrays can grow.
 */
export class Ring {
  #younger: Int32Array;
  #older: Int32Array;

  constructor(blocks: number) {
    this.#younger = new Int32Array(blocks + 1);
    this.#older = new Int32Array(blocks + 1);
  }

  grow(blocks: number): void {
    this.#younger = widened(this.#younger, blocks + 1);
    this.#older = widened(this.#older, blocks + 1);
  }

  /** Puts a block that is not in the ring at its young end. */
  append(block: BlockId): void {
    const place = block + 1;
    const youngest = this.#older[0];
    this.#older[place] = youngest;
    this.#younger[place] = 0;
    this.#younger[youngest] = place;
    this.#older[0] = place;
  }

  unlink(block: BlockId): void {
    const younger = this.#younger[block + 1],
      older = this.#older[block + 1];
    this.#older[younger] = older;
    this.#younger[older] = younger;
  }

  /** The oldest block, or NO_BLOCK. */
  get oldest(): BlockId {
    return this.#younger[0] - 1;
  }

  /** The next younger block, or NO_BLOCK after the youngest. */
  youngerThan(block: BlockId): BlockId {
    return this.#younger[block + 1] - 1;
  }
}
