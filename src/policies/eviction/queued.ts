import {type BlockId, NO_BLOCK} from '../../sim/core/ids.js';
import {widened} from '../../sim/core/widened.js';
import type {EvictionPolicy} from './policy.js';
import {NOWHERE, Queues} from './queues.js';

/**
 * A policy that keeps its blocks in queues: it says where a block enters, what a read does, and who goes.
 *
 * A pinned block is out of its queue and comes back at the young end of the same one, as if just read. Queues from `resident` on hold blocks that have left.
 */
export abstract class QueuedPolicy implements EvictionPolicy {
  protected readonly queues: Queues;
  readonly #resident: number;
  /** A block taken out of the queue of those that left, because a victim was asked for it, and that queue. */
  #returning: BlockId = NO_BLOCK;
  #returnsFrom = NOWHERE;
  /** By pinned block: the queue it comes back to, and ENTERS when it has not been in one. */
  #home: Uint8Array;

  /** `count` queues, of which those from `resident` on hold blocks that have left. */
  constructor(blocks: number, count: number, resident = count) {
    this.queues = new Queues(count, blocks);
    this.#resident = resident;
    this.#home = new Uint8Array(blocks);
  }

  /** A block comes in; says which queue it enters. `ghost` is the queue that it stood in after it had left, or NOWHERE; it is out of it. */
  protected abstract enter(block: BlockId, ghost: number): number;
  /** A block that stands in `queue` was read. */
  protected abstract read(block: BlockId, queue: number): void;
  /** A block has entered its queue. */
  protected entered(_block: BlockId, _queue: number): void {}
  /** A victim has left `queue`; it may be put into a queue of those that left. */
  protected left(_block: BlockId, _queue: number): void {}
  abstract victim(incoming: BlockId): BlockId;

  insert(block: BlockId): void {
    this.recall(block);
    const ghost = this.#returning === block ? this.#returnsFrom : NOWHERE;
    this.#returning = NO_BLOCK;
    this.#home[block] = this.enter(block, ghost) | ENTERS;
  }

  touch(block: BlockId): void {
    this.read(block, this.queues.of(block));
  }

  pin(block: BlockId): void {
    this.#home[block] = this.queues.of(block);
    this.queues.unlink(block);
  }

  unpin(block: BlockId): void {
    const home = this.#home[block];
    const queue = home & ~ENTERS;
    this.queues.append(queue, block);
    if (home & ENTERS) this.entered(block, queue);
    else this.read(block, queue);
  }

  evict(block: BlockId): void {
    const queue = this.queues.of(block);
    this.queues.unlink(block);
    this.left(block, queue);
  }

  remove(block: BlockId): void {
    this.queues.unlink(block);
  }

  forget(base: BlockId, count: number): void {
    if (this.#resident === this.queues.sizes.length) return;
    for (let block = base; block < base + count; block++) if (this.queues.of(block) !== NOWHERE) this.queues.unlink(block);
  }

  grow(blocks: number): void {
    this.queues.grow(blocks);
    this.#home = widened(this.#home, blocks);
  }

  /** Takes a block that comes back out of the queue of those that left, before its victim joins that queue and pushes one out. */
  protected recall(incoming: BlockId): void {
    if (incoming === NO_BLOCK) return;
    const queue = this.queues.of(incoming);
    if (!(queue >= this.#resident)) return; // NaN: an id that was never here
    this.queues.unlink(incoming);
    this.#returning = incoming;
    this.#returnsFrom = queue;
  }

  /** The oldest block of a queue, or NO_BLOCK. */
  protected oldest(queue: number): BlockId {
    return this.queues.sizes[queue] === 0 ? NO_BLOCK : this.queues.oldest(queue);
  }
}

const ENTERS = 128;
