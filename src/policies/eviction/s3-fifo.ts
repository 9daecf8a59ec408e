import {type BlockId, NO_BLOCK} from '../../sim/core/ids.js';
import {widened} from '../../sim/core/widened.js';
import {eviction} from './eviction.js';
import {QueuedPolicy} from './queued.js';
import {NOWHERE} from './queues.js';

/**
 * Three queues: new blocks leave a small one unless they were read twice, then the main one is a clock of two bits; who comes back soon goes straight to it.
 *
 * Yang et al., FIFO queues are all you need for cache eviction, SOSP 2023.
 */
export const s3Fifo = eviction({
  about: 'evicts new blocks from a small queue unless they were read; the others as a clock does',
  params: {
    small: {kind: 'share', default: 0.1, about: 'share of the room for new blocks'},
    ghost: {kind: 'share', default: 0.9, about: 'blocks that are remembered after they left, as a share of the room'},
    reads: {kind: 'count', default: 2, about: 'reads that move a block from the small to the main queue'},
  },
  create: ({blocks, capacity}, {small, ghost, reads}) => {
    const smallRoom = Math.floor(capacity * small);
    return new S3Fifo(blocks, capacity - smallRoom, Math.floor(capacity * ghost), Math.min(reads, MOST_READS));
  },
});

const SMALL = 0;
const MAIN = 1;
const GHOST = 2;
const MOST_READS = 255;

class S3Fifo extends QueuedPolicy {
  readonly #mainRoom: number;
  readonly #ghostRoom: number;
  readonly #threshold: number;
  #reads: Uint8Array;
  /** Whether the search for a victim has begun in the small queue: it goes on there until one has left. */
  #inSmall = false;

  constructor(blocks: number, mainRoom: number, ghostRoom: number, threshold: number) {
    super(blocks, 3, GHOST);
    this.#mainRoom = mainRoom;
    this.#ghostRoom = ghostRoom;
    this.#threshold = threshold;
    this.#reads = new Uint8Array(blocks);
  }

  protected enter(block: BlockId, ghost: number): number {
    this.#reads[block] = 0;
    return ghost === NOWHERE ? SMALL : MAIN;
  }

  protected read(block: BlockId): void {
    if (this.#reads[block] < MOST_READS) this.#reads[block]++;
  }

  victim(incoming: BlockId): BlockId {
    this.recall(incoming);
    const {sizes} = this.queues;
    while (sizes[SMALL] + sizes[MAIN] > 0) {
      const small = sizes[SMALL] > 0 && (this.#inSmall || sizes[MAIN] <= this.#mainRoom);
      this.#inSmall = small;
      const found = small ? this.#fromSmall() : this.#fromMain();
      if (found !== NO_BLOCK) return found;
    }
    return NO_BLOCK;
  }

  protected override left(block: BlockId, queue: number): void {
    this.#inSmall = false;
    if (queue !== SMALL || this.#ghostRoom === 0) return;
    if (this.queues.sizes[GHOST] === this.#ghostRoom) this.queues.unlink(this.queues.oldest(GHOST));
    this.queues.append(GHOST, block);
  }

  override grow(blocks: number): void {
    super.grow(blocks);
    this.#reads = widened(this.#reads, blocks);
  }

  /** Moves blocks that were read to the main queue, until one was not; NO_BLOCK when none is left. */
  #fromSmall(): BlockId {
    while (this.queues.sizes[SMALL] > 0) {
      const block = this.queues.oldest(SMALL);
      if (this.#reads[block] < this.#threshold) return block;
      this.#reads[block] = 0;
      this.queues.move(MAIN, block);
    }
    return NO_BLOCK;
  }

  /** Gives blocks that were read another round, until one was not. */
  #fromMain(): BlockId {
    for (;;) {
      const block = this.queues.oldest(MAIN);
      if (this.#reads[block] === 0) return block;
      this.#reads[block] = Math.min(this.#reads[block], 3) - 1;
      this.queues.move(MAIN, block);
    }
  }
}
