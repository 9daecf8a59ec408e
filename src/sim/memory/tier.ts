import type {EvictionPolicy} from '../../policies/eviction/policy.js';
import {NO_BLOCK} from '../core/ids.js';
import {widened} from '../core/widened.js';
import type {BlockOwners} from './block-pool.js';
import type {TierConfig} from './hierarchy-config.js';
import type {StoreSource} from './store-queue.js';

/**
 * A memory below HBM that keeps whole blocks for reuse.
 *
 * A block is absent, *storing* (its place is taken, it cannot be read yet) or resident; a resident block that a transfer reads is pinned and cannot leave.
 */
export class Tier implements StoreSource {
  readonly name: string;
  /** Blocks. */
  readonly capacity: number;
  #used = 0;
  /** Places taken at which it is drained, and to which. */
  readonly #high: number;
  readonly #low: number;
  evictions = 0;
  /** Blocks that found no place because everything was pinned. */
  refused = 0;
  /** Blocks that passed through a place here between two uses, for each that was asked for after it had left. */
  readonly distances: number[] = [];
  /** Places taken so far. */
  #taken = 0;
  /** By block: places taken when it was evicted, or 0. */
  #leftAt = new Uint32Array(1024);
  readonly #policy: EvictionPolicy;
  readonly #owners: BlockOwners;
  /** Told of each block that leaves to make room. */
  readonly #onVictim: (id: number) => void;
  readonly #onUsed: (used: number) => void;
  #state = new Uint8Array(1024);
  #pins = new Uint16Array(1024);

  /** `onUsed` hears the number of places taken whenever it changes. With a `watermark`, blocks leave in bulk once so many places are taken. */
  constructor(
    name: string,
    capacity: number,
    policy: EvictionPolicy,
    owners: BlockOwners,
    onVictim: (id: number) => void,
    onUsed: (used: number) => void,
    watermark: TierConfig['watermark'] = null,
  ) {
    this.#high = watermark?.high ?? Number.POSITIVE_INFINITY;
    this.#low = watermark?.low ?? 0;
    this.name = name;
    this.capacity = capacity;
    this.#policy = policy;
    this.#owners = owners;
    this.#onVictim = onVictim;
    this.#onUsed = onUsed;
  }

  /** Places taken: resident and storing. */
  get used(): number {
    return this.#used;
  }

  /** A block that is not here was asked for: if it has been evicted, its use before was at least as many blocks ago as have a place here and came since. */
  asked(id: number): void {
    const left = id < this.#leftAt.length ? this.#leftAt[id] : 0;
    if (left > 0) this.distances.push(this.capacity + this.#taken - left);
  }

  /** Places that hold nothing. */
  get empty(): number {
    return this.capacity - this.#used;
  }

  has(id: number): boolean {
    return this.#state[id] === RESIDENT;
  }

  /** Whether the block is here or on its way. */
  hasOrStores(id: number): boolean {
    return id < this.#state.length && this.#state[id] !== ABSENT;
  }

  /** Whether a place could be had for a block, by eviction if need be. */
  hasRoom(id: number): boolean {
    return this.#used < this.capacity || this.#policy.victim(id) !== NO_BLOCK;
  }

  /** Takes a place for a block that will be written, evicting if need be; false when everything is pinned. */
  reserve(id: number): boolean {
    if (id >= this.#state.length) this.#grow(id + 1);
    if (this.#used >= this.capacity && !this.#makeRoom(id)) {
      this.refused++;
      return false;
    }
    this.#onUsed(++this.#used);
    this.#taken++;
    this.#state[id] = STORING;
    this.#owners.entered(id);
    if (this.#used >= this.#high) this.makeEmpty(this.capacity - this.#low);
    return true;
  }

  /** Evicts until so many places hold nothing; false when too much is pinned, though some may have left. */
  makeEmpty(places: number): boolean {
    while (this.empty < places) if (!this.#makeRoom(NO_BLOCK)) return false;
    return true;
  }

  /** The block that was being written does not come: its place is free. */
  abandon(id: number): void {
    this.#leave(id);
  }

  /** The block that was being written can be read. */
  stored(id: number): void {
    this.#state[id] = RESIDENT;
    this.#policy.insert(id);
    this.#policy.unpin(id);
  }

  /** A resident block was used in a memory above. */
  touch(id: number): void {
    if (id < this.#state.length && this.#state[id] === RESIDENT && this.#pins[id] === 0) this.#policy.touch(id);
  }

  /** A transfer begins to read a resident block. */
  pin(id: number): void {
    if (this.#pins[id]++ === 0) this.#policy.pin(id);
  }

  unpin(id: number): void {
    if (--this.#pins[id] > 0) return;
    this.#policy.unpin(id);
    if (this.#state[id] === MOVED) this.#remove(id);
  }

  isIdle(id: number): boolean {
    return this.#state[id] === RESIDENT && this.#pins[id] === 0;
  }

  /** The resident block that would leave next, or NO_BLOCK. */
  victim(): number {
    return this.#policy.victim(NO_BLOCK);
  }

  /** A resident block that nobody reads leaves. */
  drop(id: number): void {
    this.#policy.evict(id);
    this.evictions++;
    this.#leftAt[id] = this.#taken;
    this.#leave(id);
  }

  /** A resident block leaves because it lies above now; at once, or when the last transfer has read it. */
  remove(id: number): void {
    if (this.#pins[id] === 0) this.#remove(id);
    else this.#state[id] = MOVED;
  }

  /** A range of ids goes back to its owner; none of them is here. */
  forget(base: number, count: number): void {
    this.#state.fill(ABSENT, base, base + count);
    this.#leftAt.fill(0, base, base + count);
    const known = Math.min(base + count, this.#state.length) - base;
    if (known > 0) this.#policy.forget(base, known);
  }

  audit(): void {
    const used = this.#state.reduce((sum, state) => sum + (state === ABSENT ? 0 : 1), 0);
    if (used !== this.used || used > this.capacity)
      throw new Error(`${this.name}: ${this.used} of ${this.capacity} blocks used, counted ${used}`);
  }

  #makeRoom(incoming: number): boolean {
    const victim = this.#policy.victim(incoming);
    if (victim === NO_BLOCK) return false;
    this.#onVictim(victim);
    this.drop(victim);
    return true;
  }

  #remove(id: number): void {
    this.#policy.remove(id);
    this.#leave(id);
  }

  #leave(id: number): void {
    this.#state[id] = ABSENT;
    this.#onUsed(--this.#used);
    this.#owners.left(id);
  }

  #grow(ids: number): void {
    let length = this.#state.length;
    while (length < ids) length *= 2;
    this.#state = widened(this.#state, length);
    this.#pins = widened(this.#pins, length);
    this.#leftAt = widened(this.#leftAt, length);
    this.#policy.grow(length);
  }
}

const ABSENT = 0;
const STORING = 1;
const RESIDENT = 2;
/** Lies above now, and is still being read. */
const MOVED = 3;
