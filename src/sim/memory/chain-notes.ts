import {NO_BLOCK} from '../core/ids.js';
import {widened} from '../core/widened.js';
import type {Chain} from '../workload/chain.js';

/** Where each block stands in its chain, noted when it is named for the first time; ids are prefix-inclusive, so it stands there in every chain. */
export class ChainNotes {
  #parents = new Int32Array(1024);
  /** By block: blocks before it + 1; 0: not noted. */
  #depths = new Int32Array(1024);

  /** The block before it, or NO_BLOCK. */
  parent(block: number): number {
    return this.#parents[block];
  }

  /** Blocks before it. */
  depth(block: number): number {
    return this.#depths[block] - 1;
  }

  /** Notes blocks [from, to) of a chain. */
  note({bases, counts}: Chain, from: number, to: number): void {
    let parent = NO_BLOCK;
    for (let run = 0, first = 0; first < to; first += counts[run++]) {
      const base = bases[run];
      const stop = Math.min(first + counts[run], to);
      if (base + stop - first > this.#depths.length) this.#grow(base + counts[run]);
      for (let index = Math.max(first, from); index < stop; index++) {
        const id = base + index - first;
        if (this.#depths[id] !== 0) continue;
        this.#depths[id] = index + 1;
        this.#parents[id] = index === first ? parent : id - 1;
      }
      parent = base + counts[run] - 1;
    }
  }

  /** The ids will stand for other blocks. */
  forget(base: number, count: number): void {
    this.#depths.fill(0, base, base + count);
  }

  #grow(ids: number): void {
    let length = this.#depths.length;
    while (length < ids) length *= 2;
    this.#parents = widened(this.#parents, length);
    this.#depths = widened(this.#depths, length);
  }
}
