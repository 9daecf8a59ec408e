import {type BlockId, NO_BLOCK} from '../../sim/core/ids.js';
import {widened} from '../../sim/core/widened.js';

/** A list of blocks for each session, by their depth in its chain. Blocks are added in order of depth, up or down, at no cost; elsewhere each place passed costs a step. */
export class SessionLists {
  readonly #depth: (block: BlockId) => number;
  /** By session: its deepest block + 1, its shallowest + 1; 0: none. */
  #deepest = new Int32Array(1024);
  #shallowest = new Int32Array(1024);
  /** By block: the next deeper + 1, the next shallower + 1; 0: none. */
  #deeper: Int32Array;
  #shallower: Int32Array;

  constructor(blocks: number, depth: (block: BlockId) => number) {
    this.#depth = depth;
    this.#deeper = new Int32Array(blocks);
    this.#shallower = new Int32Array(blocks);
  }

  grow(blocks: number): void {
    this.#deeper = widened(this.#deeper, blocks);
    this.#shallower = widened(this.#shallower, blocks);
  }

  /** The deepest block of a session, or NO_BLOCK. */
  deepest(session: number): BlockId {
    return session < this.#deepest.length ? this.#deepest[session] - 1 : NO_BLOCK;
  }

  /** Puts a block that is in no list into that of its session. */
  add(session: number, block: BlockId): void {
    if (session >= this.#deepest.length) {
      const length = Math.max(session + 1, this.#deepest.length * 2);
      this.#deepest = widened(this.#deepest, length);
      this.#shallowest = widened(this.#shallowest, length);
    }
    const depth = this.#depth(block);
    let deeper = 0,
      shallower = this.#deepest[session];
    const least = this.#shallowest[session];
    if (least !== 0 && this.#depth(least - 1) >= depth) [deeper, shallower] = [least, 0];
    while (shallower !== 0 && this.#depth(shallower - 1) > depth) [deeper, shallower] = [shallower, this.#shallower[shallower - 1]];
    this.#deeper[block] = deeper;
    this.#shallower[block] = shallower;
    if (deeper === 0) this.#deepest[session] = block + 1;
    else this.#shallower[deeper - 1] = block + 1;
    if (shallower === 0) this.#shallowest[session] = block + 1;
    else this.#deeper[shallower - 1] = block + 1;
  }

  unlink(session: number, block: BlockId): void {
    const deeper = this.#deeper[block],
      shallower = this.#shallower[block];
    if (deeper === 0) this.#deepest[session] = shallower;
    else this.#shallower[deeper - 1] = shallower;
    if (shallower === 0) this.#shallowest[session] = deeper;
    else this.#deeper[shallower - 1] = deeper;
  }
}
