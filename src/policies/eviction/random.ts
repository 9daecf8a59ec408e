import {type BlockId, NO_BLOCK} from '../../sim/core/ids.js';
import {type Random, stream} from '../../sim/core/random.js';
import {widened} from '../../sim/core/widened.js';
import {eviction} from './eviction.js';
import type {EvictionPolicy} from './policy.js';

/** Evicts any unpinned block, all with the same chance: what a policy must beat to be worth its book-keeping. */
export const random = eviction({
  about: 'evicts any block, all with the same chance',
  params: {seed: {kind: 'count', default: 1, about: 'of its stream of random numbers'}},
  create: ({blocks}, {seed}) => new RandomPolicy(blocks, stream(seed, 'eviction/random')),
});

class RandomPolicy implements EvictionPolicy {
  readonly #random: Random;
  readonly #unpinned: BlockId[] = [];
  /** By unpinned block. */
  #place: Int32Array;
  /** Drawn, and not gone yet. */
  #drawn: BlockId = NO_BLOCK;

  constructor(blocks: number, random: Random) {
    this.#random = random;
    this.#place = new Int32Array(blocks);
  }

  insert(): void {}

  touch(): void {}

  pin(block: BlockId): void {
    if (block === this.#drawn) this.#drawn = NO_BLOCK;
    const last = this.#unpinned.pop()!;
    if (last === block) return;
    const place = this.#place[block];
    this.#unpinned[place] = last;
    this.#place[last] = place;
  }

  unpin(block: BlockId): void {
    this.#place[block] = this.#unpinned.length;
    this.#unpinned.push(block);
  }

  evict(block: BlockId): void {
    this.pin(block);
  }

  remove(block: BlockId): void {
    this.pin(block);
  }

  forget(): void {}

  grow(blocks: number): void {
    this.#place = widened(this.#place, blocks);
  }

  victim(): BlockId {
    const {length} = this.#unpinned;
    if (this.#drawn === NO_BLOCK && length > 0) this.#drawn = this.#unpinned[Math.floor(this.#random() * length)];
    return this.#drawn;
  }
}
