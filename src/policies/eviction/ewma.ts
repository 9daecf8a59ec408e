import type {BlockId} from '../../sim/core/ids.js';
import {widened} from '../../sim/core/widened.js';
import {eviction} from './eviction.js';
import {BlockHeap} from './heap.js';
import type {EvictionContext, EvictionPolicy} from './policy.js';

/**
 * Evicts the block that is expected latest: last use + its gap, where gap ← α · gap + (1 − α) · previous gap; the least recently used among equals.
 *
 * A block without a gap of its own has the mean of the tier (FACTS: ewma). A use that misses is a use: the tier brings the block in and knows when it was here. `overdue: leave`
 * lets blocks that were expected before now go first, the longest overdue of them; the definition, `stay`, keeps them.
 */
export const ewma = eviction({
  about: 'evicts the block expected latest: its last use + a moving average of its gaps',
  params: {
    alpha: {kind: 'share', default: 0.2, about: 'weight of the newest gap'},
    overdue: {kind: 'name', default: 'stay', names: ['stay', 'leave'], about: 'whether blocks that were expected before now go first'},
  },
  needs: ['now'],
  create: (context, {alpha, overdue}) => new Ewma(context, alpha, overdue === 'leave'),
});

class Ewma implements EvictionPolicy {
  readonly #now: () => number;
  readonly #alpha: number;
  /** Unpinned blocks, the one expected latest on top; ties by recency. */
  readonly #latest: BlockHeap;
  /** The same, the one expected first on top; only when overdue blocks leave. */
  readonly #first: BlockHeap | null;
  /** By block: ns, and NaN before its first use. */
  #usedAt: Float64Array;
  /** By block: ns, and 0 before its second use. */
  #gaps: Float64Array;
  #sum = 0;
  #count = 0;
  #calls = 0;

  constructor({blocks, now}: EvictionContext, alpha: number, overdueLeave: boolean) {
    this.#now = now!;
    this.#alpha = alpha;
    this.#latest = new BlockHeap(blocks);
    this.#first = overdueLeave ? new BlockHeap(blocks) : null;
    this.#usedAt = new Float64Array(blocks).fill(NaN);
    this.#gaps = new Float64Array(blocks);
  }

  insert(block: BlockId): void {
    this.#learn(block);
  }

  touch(block: BlockId): void {
    this.#learn(block);
    this.unpin(block);
  }

  pin(block: BlockId): void {
    this.#drop(block);
    this.#learn(block);
  }

  unpin(block: BlockId): void {
    const now = this.#now();
    this.#usedAt[block] = now;
    const expected = now + (this.#gaps[block] || this.#mean);
    this.#latest.put(block, -expected, ++this.#calls);
    this.#first?.put(block, expected, this.#calls);
  }

  evict(block: BlockId): void {
    this.#drop(block);
  }

  remove(block: BlockId): void {
    this.#drop(block);
    this.forget(block, 1);
  }

  forget(base: BlockId, count: number): void {
    this.#usedAt.fill(NaN, base, base + count);
    this.#gaps.fill(0, base, base + count);
  }

  grow(blocks: number): void {
    const known = this.#usedAt.length;
    this.#latest.grow(blocks);
    this.#first?.grow(blocks);
    this.#usedAt = widened(this.#usedAt, blocks).fill(NaN, known);
    this.#gaps = widened(this.#gaps, blocks);
  }

  victim(): BlockId {
    const first = this.#first;
    return first !== null && first.size > 0 && first.topKey < this.#now() ? first.top : this.#latest.top;
  }

  get #mean(): number {
    return this.#count === 0 ? 0 : this.#sum / this.#count;
  }

  /** A use begins: the time since the last one ended is a gap. Several uses at one time are one. */
  #learn(block: BlockId): void {
    const gap = this.#now() - this.#usedAt[block];
    if (!(gap > 0)) return;
    this.#sum += gap;
    this.#count++;
    const before = this.#gaps[block];
    this.#gaps[block] = before === 0 ? gap : this.#alpha * gap + (1 - this.#alpha) * before;
  }

  #drop(block: BlockId): void {
    this.#latest.drop(block);
    this.#first?.drop(block);
  }
}
