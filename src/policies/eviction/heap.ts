import {type BlockId, NO_BLOCK} from '../../sim/core/ids.js';
import {widened} from '../../sim/core/widened.js';

/** Blocks by a key, lowest first; equal keys by a second one. Keys lie by place, so that sifting reads them one beside the other. */
export class BlockHeap {
  size = 0;
  #blocks = new Int32Array(1024);
  #keys = new Float64Array(1024);
  #ties = new Float64Array(1024);
  /** By block: its place + 1, or 0. */
  #place: Int32Array;

  constructor(blocks: number) {
    this.#place = new Int32Array(blocks);
  }

  grow(blocks: number): void {
    this.#place = widened(this.#place, blocks);
  }

  has(block: BlockId): boolean {
    return this.#place[block] !== 0;
  }

  /** The block with the lowest key, or NO_BLOCK. */
  get top(): BlockId {
    return this.size === 0 ? NO_BLOCK : this.#blocks[0];
  }

  /** The lowest key; only when there is one. */
  get topKey(): number {
    return this.#keys[0];
  }

  /** Puts a block in, or gives it other keys. */
  put(block: BlockId, key: number, tie: number): void {
    let i = this.#place[block] - 1;
    if (i < 0) {
      i = this.size++;
      if (i === this.#blocks.length) this.#widen(i * 2);
    }
    this.#settle(i, block, key, tie);
  }

  /** Takes a block out that is in. */
  drop(block: BlockId): void {
    const i = this.#place[block] - 1;
    const last = --this.size;
    this.#place[block] = 0;
    if (i !== last) this.#settle(i, this.#blocks[last], this.#keys[last], this.#ties[last]);
  }

  #settle(i: number, block: BlockId, key: number, tie: number): void {
    const blocks = this.#blocks,
      keys = this.#keys,
      ties = this.#ties,
      place = this.#place;
    while (i > 0) {
      const up = (i - 1) >> 2;
      if (keys[up] < key || (keys[up] === key && ties[up] <= tie)) break;
      place[(blocks[i] = blocks[up])] = i + 1;
      keys[i] = keys[up];
      ties[i] = ties[up];
      i = up;
    }
    for (let first = 4 * i + 1; first < this.size; first = 4 * i + 1) {
      let least = first;
      const end = Math.min(first + 4, this.size);
      for (let child = first + 1; child < end; child++)
        if (keys[child] < keys[least] || (keys[child] === keys[least] && ties[child] < ties[least])) least = child;
      if (key < keys[least] || (key === keys[least] && tie <= ties[least])) break;
      place[(blocks[i] = blocks[least])] = i + 1;
      keys[i] = keys[least];
      ties[i] = ties[least];
      i = least;
    }
    blocks[i] = block;
    keys[i] = key;
    ties[i] = tie;
    place[block] = i + 1;
  }

  #widen(length: number): void {
    this.#blocks = widened(this.#blocks, length);
    this.#keys = widened(this.#keys, length);
    this.#ties = widened(this.#ties, length);
  }
}
