import {type BlockId, NO_BLOCK} from '../../sim/core/ids.js';
import {widened} from '../../sim/core/widened.js';
import {eviction} from './eviction.js';
import type {EvictionPolicy} from './policy.js';
import {NOWHERE, Queues} from './queues.js';

/**
 * Keeps the blocks with the shortest distance between their last two reads (LIR); the others (HIR) share a small rest of the room and leave first.
 *
 * Jiang and Zhang, LIRS: an efficient low inter-reference recency set replacement policy, SIGMETRICS 2002. A pinned block is out of the stack and comes back as read.
 */
export const lirs = eviction({
  about: 'evicts blocks whose last two reads lie far apart, or that were read once',
  params: {
    rest: {kind: 'share', default: 0.01, about: 'share of the room for blocks that have not shown a short distance'},
    stack: {kind: 'number', default: 2, about: 'blocks that the stack remembers at most, as a multiple of the room'},
  },
  create: ({blocks, capacity}, {rest, stack}) =>
    new Lirs(blocks, capacity - Math.max(1, Math.floor(capacity * rest)), Math.floor(capacity * stack)),
});

/** Lists of blocks beside the stack: resident HIR, and blocks that left and are in the stack still. */
const REST = 0;
const LEFT = 1;

/** What a block is, or was when it was pinned; IN_STACK is added to the latter. */
const NONE = 0;
const LIR = 1;
const HIR = 2;
const ENTERS = 3;
const IN_STACK = 4;

class Lirs implements EvictionPolicy {
  readonly #room: number;
  readonly #stackRoom: number;
  readonly #stack: Queues;
  readonly #lists: Queues;
  #kind: Uint8Array;
  #lir = 0;

  constructor(blocks: number, room: number, stackRoom: number) {
    this.#room = room;
    this.#stackRoom = stackRoom;
    this.#stack = new Queues(1, blocks);
    this.#lists = new Queues(2, blocks);
    this.#kind = new Uint8Array(blocks);
  }

  insert(block: BlockId): void {
    const returns = this.#lists.of(block) === LEFT;
    if (returns) {
      this.#lists.unlink(block);
      this.#stack.unlink(block);
    }
    this.#kind[block] = ENTERS | (returns ? IN_STACK : 0);
  }

  touch(block: BlockId): void {
    const inStack = this.#stack.of(block) !== NOWHERE;
    if (inStack) this.#stack.unlink(block);
    if (this.#kind[block] === LIR) this.#stack.append(0, block);
    else {
      this.#lists.unlink(block);
      this.#readHir(block, inStack);
    }
    this.#prune();
    this.#limit();
  }

  pin(block: BlockId): void {
    if (this.#stack.of(block) !== NOWHERE) {
      this.#stack.unlink(block);
      this.#kind[block] |= IN_STACK;
      this.#prune();
    }
    if (this.#lists.of(block) === REST) this.#lists.unlink(block);
  }

  unpin(block: BlockId): void {
    const inStack = (this.#kind[block] & IN_STACK) !== 0;
    const kind = this.#kind[block] & ~IN_STACK;
    this.#kind[block] = kind;
    if (kind === LIR) this.#stack.append(0, block);
    else if (kind === ENTERS && !inStack && this.#lir < this.#room) this.#becomeLir(block);
    else this.#readHir(block, inStack);
    this.#prune();
    this.#limit();
  }

  evict(block: BlockId): void {
    const hir = this.#kind[block] === HIR;
    const inStack = this.#stack.of(block) !== NOWHERE;
    if (!hir) {
      this.remove(block);
      return;
    }
    this.#lists.unlink(block);
    this.#kind[block] = NONE;
    if (!inStack) return;
    this.#lists.append(LEFT, block);
  }

  remove(block: BlockId): void {
    if (this.#kind[block] === LIR) this.#lir--;
    else this.#lists.unlink(block);
    this.#kind[block] = NONE;
    if (this.#stack.of(block) === NOWHERE) return;
    this.#stack.unlink(block);
    this.#prune();
  }

  forget(base: BlockId, count: number): void {
    for (let block = base; block < base + count; block++) if (this.#lists.of(block) === LEFT) this.#forgetLeft(block);
  }

  grow(blocks: number): void {
    this.#stack.grow(blocks);
    this.#lists.grow(blocks);
    this.#kind = widened(this.#kind, blocks);
  }

  victim(): BlockId {
    if (this.#lists.sizes[REST] > 0) return this.#lists.oldest(REST);
    return this.#stack.sizes[0] > 0 ? this.#stack.oldest(0) : NO_BLOCK;
  }

  /** A read of a block that is no LIR, out of both lists: one whose last read the stack remembers has shown a short distance. */
  #readHir(block: BlockId, inStack: boolean): void {
    if (inStack) {
      this.#becomeLir(block);
      if (this.#lir > this.#room) this.#demote();
      return;
    }
    this.#kind[block] = HIR;
    this.#stack.append(0, block);
    this.#lists.append(REST, block);
  }

  #becomeLir(block: BlockId): void {
    this.#kind[block] = LIR;
    this.#lir++;
    this.#stack.append(0, block);
  }

  /** The LIR block read longest ago becomes HIR. */
  #demote(): void {
    this.#prune();
    const block = this.#stack.oldest(0);
    this.#stack.unlink(block);
    this.#kind[block] = HIR;
    this.#lir--;
    this.#lists.append(REST, block);
  }

  /** The oldest block of the stack is LIR: what is older than all of them has no short distance. */
  #prune(): void {
    while (this.#stack.sizes[0] > 0) {
      const block = this.#stack.oldest(0);
      if (this.#kind[block] === LIR) return;
      this.#stack.unlink(block);
      if (this.#lists.of(block) === LEFT) this.#lists.unlink(block);
    }
  }

  /** Of the blocks that left, the stack forgets those that did so first. */
  #limit(): void {
    while (this.#stack.sizes[0] > this.#stackRoom && this.#lists.sizes[LEFT] > 0) this.#forgetLeft(this.#lists.oldest(LEFT));
  }

  #forgetLeft(block: BlockId): void {
    this.#lists.unlink(block);
    this.#stack.unlink(block);
  }
}
