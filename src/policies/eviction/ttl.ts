import type {BlockId} from '../../sim/core/ids.js';
import {widened} from '../../sim/core/widened.js';
import {eviction} from './eviction.js';
import {BlockHeap} from './heap.js';
import type {EvictionContext, EvictionPolicy} from './policy.js';
import {Ring} from './ring.js';

/** Evicts the block that expired first; while none has, the least recently used one. A block expires `ttl` after it came in, unless somebody gives it an expiry of its own. */
export const ttl = eviction({
  about: 'evicts blocks that have expired, else the least recently used',
  params: {ttl: {kind: 'duration', default: 300, about: 'time from the entry of a block to its expiry'}},
  needs: ['now'],
  uses: ['expiry'],
  create: (context, {ttl: seconds}) => new Ttl(context, seconds * 1e9),
});

class Ttl implements EvictionPolicy {
  readonly #context: EvictionContext;
  readonly #life: number;
  readonly #unpinned: Ring;
  /** Unpinned blocks by their expiry. */
  readonly #byExpiry: BlockHeap;
  #expiry: Float64Array;

  constructor(context: EvictionContext, life: number) {
    this.#context = context;
    this.#life = life;
    this.#unpinned = new Ring(context.blocks);
    this.#byExpiry = new BlockHeap(context.blocks);
    this.#expiry = new Float64Array(context.blocks);
  }

  insert(block: BlockId): void {
    const {now, expiry} = this.#context;
    this.#expiry[block] = expiry === undefined ? now!() + this.#life : expiry(block);
  }

  touch(block: BlockId): void {
    this.#unpinned.unlink(block);
    this.#unpinned.append(block);
  }

  pin(block: BlockId): void {
    this.#unpinned.unlink(block);
    this.#byExpiry.drop(block);
  }

  unpin(block: BlockId): void {
    this.#unpinned.append(block);
    this.#byExpiry.put(block, this.#expiry[block], block);
  }

  evict(block: BlockId): void {
    this.pin(block);
  }

  remove(block: BlockId): void {
    this.pin(block);
  }

  forget(): void {}

  grow(blocks: number): void {
    this.#unpinned.grow(blocks);
    this.#byExpiry.grow(blocks);
    this.#expiry = widened(this.#expiry, blocks);
  }

  victim(): BlockId {
    const expired = this.#byExpiry.size > 0 && this.#byExpiry.topKey <= this.#context.now!();
    return expired ? this.#byExpiry.top : this.#unpinned.oldest;
  }
}
