import type {BlockFacts, EvictionFactory, EvictionPolicy} from '../../policies/eviction/policy.js';
import {widened} from '../core/widened.js';

/** A trace's block accesses: block by block in file order, each prompt from its head to its tail. */
export interface Accesses {
  readonly ids: Int32Array;
  /** Ids are below it. */
  readonly distinct: number;
}

/**
 * A cache without a clock: each access is a hit, or the block is brought in at once, one leaving for it when there is no room.
 *
 * Nothing is pinned, and what a request brings in can be hit by its own later blocks. A policy that bypasses may keep a block out.
 */
export class BlockCache {
  hits = 0;
  readonly capacity: number;
  readonly #policy: EvictionPolicy | null;
  #resident: Uint8Array;
  /** By block: the access that uses it next, as `nextUse` tells it; empty when nobody asks. */
  readonly #next: Float64Array;
  #used = 0;

  /** `blocks` bounds the ids until `grow` is called; with `future` the policy is told each block's next use, and ids cannot grow. */
  constructor(create: EvictionFactory, capacity: number, blocks: number, facts: BlockFacts = {}, future = false) {
    this.capacity = capacity;
    this.#resident = new Uint8Array(blocks);
    const next = new Float64Array(future ? blocks : 0);
    this.#next = next;
    const known = future ? {...facts, nextUse: (block: number) => next[block]} : facts;
    this.#policy = capacity < 1 ? null : create({...known, blocks, capacity: Math.min(capacity, 2 ** 31 - 1)});
  }

  /** Whether a block is there. */
  has(block: number): boolean {
    return this.#resident[block] === 1;
  }

  /** Ids may now be as large as `blocks - 1`. */
  grow(blocks: number): void {
    if (blocks <= this.#resident.length) return;
    const length = Math.max(blocks, 2 * this.#resident.length);
    this.#resident = widened(this.#resident, length);
    this.#policy?.grow(length);
  }

  /** Reads the blocks ids[from … to); `future` has the next use of each access when the policy asks for it. */
  read(ids: Int32Array, from: number, to: number, future: Float64Array | null = null): void {
    const policy = this.#policy;
    if (policy === null) return;
    const resident = this.#resident,
      next = this.#next;
    const {capacity} = this;
    let used = this.#used,
      hits = 0;
    for (let access = from; access < to; access++) {
      const block = ids[access];
      if (future !== null) next[block] = future[access];
      if (resident[block] === 1) {
        hits++;
        policy.touch(block);
        continue;
      }
      if (used < capacity) used++;
      else {
        const victim = policy.victim(block);
        if (victim === block) continue;
        policy.evict(victim);
        resident[victim] = 0;
      }
      resident[block] = 1;
      policy.insert(block);
      policy.unpin(block);
    }
    this.#used = used;
    this.hits += hits;
  }
}

/** For each access the number of the next one to the same block, or Infinity. */
export function nextUses({ids, distinct}: Accesses): Float64Array {
  const next = new Float64Array(ids.length);
  const latest = new Float64Array(distinct).fill(Infinity);
  for (let access = ids.length - 1; access >= 0; access--) {
    next[access] = latest[ids[access]];
    latest[ids[access]] = access;
  }
  return next;
}
