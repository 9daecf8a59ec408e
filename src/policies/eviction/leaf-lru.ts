import {type BlockId, NO_BLOCK} from '../../sim/core/ids.js';
import {widened} from '../../sim/core/widened.js';
import {eviction} from './eviction.js';
import {BlockHeap} from './heap.js';
import type {EvictionContext, EvictionPolicy} from './policy.js';
import {Ring} from './ring.js';

/**
 * Evicts the least recently used block that no resident block follows, as SGLang's radix tree does (FORMATS §8.2): a chain never has a hole.
 *
 * When every unpinned block is followed by a pinned one, the least recently used leaves all the same.
 */
export const leafLru = eviction({
  about: 'evicts the least recently used block that no resident block follows; what SGLang does',
  needs: ['parent'],
  create: (context) => new LeafLru(context),
});

class LeafLru implements EvictionPolicy {
  readonly #parent: (block: BlockId) => BlockId;
  readonly #unpinned: Ring;
  /** Unpinned blocks that no resident block follows, by their last read. */
  readonly #leaves: BlockHeap;
  /** By block: resident blocks that follow it. */
  #followers: Int32Array;
  /** By block: the call of its last read, or 0 while it is pinned or absent. */
  #readAt: Float64Array;
  #calls = 0;

  constructor({blocks, parent}: EvictionContext) {
    this.#parent = parent!;
    this.#unpinned = new Ring(blocks);
    this.#leaves = new BlockHeap(blocks);
    this.#followers = new Int32Array(blocks);
    this.#readAt = new Float64Array(blocks);
  }

  insert(block: BlockId): void {
    const parent = this.#parent(block);
    if (parent === NO_BLOCK) return;
    if (this.#followers[parent]++ === 0 && this.#leaves.has(parent)) this.#leaves.drop(parent);
  }

  touch(block: BlockId): void {
    this.#unpinned.unlink(block);
    this.unpin(block);
  }

  pin(block: BlockId): void {
    this.#unpinned.unlink(block);
    this.#readAt[block] = 0;
    if (this.#leaves.has(block)) this.#leaves.drop(block);
  }

  unpin(block: BlockId): void {
    this.#unpinned.append(block);
    this.#readAt[block] = ++this.#calls;
    if (this.#followers[block] === 0) this.#leaves.put(block, this.#calls, 0);
  }

  evict(block: BlockId): void {
    this.remove(block);
  }

  remove(block: BlockId): void {
    this.pin(block);
    const parent = this.#parent(block);
    if (parent === NO_BLOCK) return;
    if (--this.#followers[parent] === 0 && this.#readAt[parent] > 0) this.#leaves.put(parent, this.#readAt[parent], 0);
  }

  forget(base: BlockId, count: number): void {
    this.#followers.fill(0, base, base + count);
  }

  grow(blocks: number): void {
    this.#unpinned.grow(blocks);
    this.#leaves.grow(blocks);
    this.#followers = widened(this.#followers, blocks);
    this.#readAt = widened(this.#readAt, blocks);
  }

  victim(): BlockId {
    return this.#leaves.size > 0 ? this.#leaves.top : this.#unpinned.oldest;
  }
}
