import {type BlockId, NO_BLOCK} from '../../sim/core/ids.js';
import {widened} from '../../sim/core/widened.js';
import {eviction} from './eviction.js';
import {QueuedPolicy} from './queued.js';

/**
 * Evicts the block inserted first whose counter of reads is 0; those passed over lose one and go to the young end.
 *
 * Corbató, A paging experiment with the Multics system, 1968: second chance. A counter has one bit unless said.
 */
export const clock = eviction({
  about: 'evicts the oldest block that was not read since it was last passed over',
  params: {bits: {kind: 'count', default: 1, about: 'bits of the counter of reads'}},
  create: ({blocks}, {bits}) => new Clock(blocks, Math.min(255, 2 ** bits - 1)),
});

class Clock extends QueuedPolicy {
  readonly #most: number;
  #reads: Uint8Array;

  constructor(blocks: number, most: number) {
    super(blocks, 1);
    this.#most = most;
    this.#reads = new Uint8Array(blocks);
  }

  protected enter(block: BlockId): number {
    this.#reads[block] = 0;
    return 0;
  }

  protected read(block: BlockId): void {
    if (this.#reads[block] < this.#most) this.#reads[block]++;
  }

  victim(): BlockId {
    if (this.queues.sizes[0] === 0) return NO_BLOCK;
    // Amortised O(1): each step takes one off a counter that a read put there.
    let block = this.queues.oldest(0);
    while (this.#reads[block] > 0) {
      this.#reads[block]--;
      this.queues.move(0, block);
      block = this.queues.oldest(0);
    }
    return block;
  }

  override grow(blocks: number): void {
    super.grow(blocks);
    this.#reads = widened(this.#reads, blocks);
  }
}
