import {type BlockId, NO_BLOCK} from '../../sim/core/ids.js';
import {eviction} from './eviction.js';
import {QueuedPolicy} from './queued.js';
import {NOWHERE} from './queues.js';

/**
 * Keeps blocks read once and blocks read again in two lists by recency, and learns from the blocks that come back how much room each should have.
 *
 * Megiddo and Modha, ARC: a self-tuning, low overhead replacement cache, FAST 2003.
 */
export const arc = eviction({
  about: 'balances recency and frequency by what comes back after it left',
  create: ({blocks, capacity}) => new Arc(blocks, capacity),
});

const ONCE = 0;
const AGAIN = 1;
/** Blocks that left from ONCE and AGAIN. */
const ONCE_LEFT = 2;
const AGAIN_LEFT = 3;

class Arc extends QueuedPolicy {
  readonly #capacity: number;
  /** Room that ONCE should have: the paper's p. */
  #target = 0;
  /** The block for which the target was moved last, so that a second question does not move it again. */
  #asked: BlockId = NO_BLOCK;

  constructor(blocks: number, capacity: number) {
    super(blocks, 4, ONCE_LEFT);
    this.#capacity = capacity;
  }

  protected enter(block: BlockId, ghost: number): number {
    if (ghost === NOWHERE) return ONCE;
    if (this.#asked !== block) this.#adapt(ghost, 1);
    this.#asked = NO_BLOCK;
    return AGAIN;
  }

  protected read(block: BlockId): void {
    this.queues.move(AGAIN, block);
  }

  victim(incoming: BlockId): BlockId {
    const ghost = this.#ghostOf(incoming);
    if (incoming !== this.#asked) {
      if (ghost !== NOWHERE) this.#adapt(ghost, 0);
      this.#asked = incoming;
    }
    const [once, again] = this.queues.sizes;
    const fromOnce = once > 0 && (once > this.#target || (once === this.#target && ghost === AGAIN_LEFT) || again === 0);
    return this.oldest(fromOnce ? ONCE : AGAIN);
  }

  protected override left(block: BlockId, queue: number): void {
    const {sizes} = this.queues;
    if (this.#ghostOf(this.#asked) === NOWHERE) {
      const once = sizes[ONCE] + (queue === ONCE ? 1 : 0);
      const again = sizes[AGAIN] + (queue === AGAIN ? 1 : 0);
      if (once + sizes[ONCE_LEFT] >= this.#capacity) {
        if (sizes[ONCE_LEFT] === 0) return;
        this.queues.unlink(this.queues.oldest(ONCE_LEFT));
      } else if (once + again + sizes[ONCE_LEFT] + sizes[AGAIN_LEFT] >= 2 * this.#capacity && sizes[AGAIN_LEFT] > 0)
        this.queues.unlink(this.queues.oldest(AGAIN_LEFT));
    }
    this.queues.append(queue === ONCE ? ONCE_LEFT : AGAIN_LEFT, block);
  }

  #ghostOf(block: BlockId): number {
    if (block < 0) return NOWHERE;
    const queue = this.queues.of(block);
    return queue >= ONCE_LEFT ? queue : NOWHERE;
  }

  /** Moves the target towards the list that would have kept the block; `gone` is 1 when the block is out of its list of those that left. */
  #adapt(ghost: number, gone: number): void {
    const {sizes} = this.queues;
    const onceLeft = sizes[ONCE_LEFT] + (ghost === ONCE_LEFT ? gone : 0);
    const againLeft = sizes[AGAIN_LEFT] + (ghost === AGAIN_LEFT ? gone : 0);
    if (ghost === ONCE_LEFT) this.#target = Math.min(this.#capacity, this.#target + Math.max(1, againLeft / onceLeft));
    else this.#target = Math.max(0, this.#target - Math.max(1, onceLeft / againLeft));
  }
}
