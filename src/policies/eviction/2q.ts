import type {BlockId} from '../../sim/core/ids.js';
import {eviction} from './eviction.js';
import {QueuedPolicy} from './queued.js';
import {NOWHERE} from './queues.js';

/**
 * Evicts from a queue of new blocks while it is over its share, else the least recently used of those that came back after they had left it.
 *
 * Johnson and Shasha, 2Q: a low overhead high performance buffer management replacement algorithm, VLDB 1994.
 */
export const twoQ = eviction({
  about: 'evicts new blocks first; those that come back soon after stay by recency',
  params: {
    in: {kind: 'share', default: 0.25, about: 'share of the room for new blocks'},
    out: {kind: 'share', default: 0.5, about: 'blocks that are remembered after they left, as a share of the room'},
  },
  create: ({blocks, capacity}, params) => new TwoQ(blocks, Math.floor(capacity * params.in), Math.floor(capacity * params.out)),
});

const IN = 0;
const MAIN = 1;
const OUT = 2;

class TwoQ extends QueuedPolicy {
  readonly #inRoom: number;
  readonly #outRoom: number;

  constructor(blocks: number, inRoom: number, outRoom: number) {
    super(blocks, 3, OUT);
    this.#inRoom = inRoom;
    this.#outRoom = outRoom;
  }

  protected enter(_block: BlockId, ghost: number): number {
    return ghost === NOWHERE ? IN : MAIN;
  }

  protected read(block: BlockId, queue: number): void {
    if (queue === MAIN) this.queues.move(MAIN, block);
  }

  victim(incoming: BlockId): BlockId {
    this.recall(incoming);
    const [fresh, main] = this.queues.sizes;
    return this.oldest(fresh > this.#inRoom || main === 0 ? IN : MAIN);
  }

  protected override left(block: BlockId, queue: number): void {
    if (queue !== IN || this.#outRoom === 0) return;
    if (this.queues.sizes[OUT] === this.#outRoom) this.queues.unlink(this.queues.oldest(OUT));
    this.queues.append(OUT, block);
  }
}
