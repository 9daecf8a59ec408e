import type {EvictionPolicy} from '../../policies/eviction/policy.js';
import {NO_BLOCK} from '../core/ids.js';
import {widened} from '../core/widened.js';
import type {Chain} from '../workload/chain.js';
import type {AccessLog} from './access-log.js';
import type {StoreSource} from './store-queue.js';

/** What a lookup found; written over by the next one. */
export interface Lookup {
  /** Blocks of the chain, from its head, that are resident. */
  hits: number;
  /** How many of them nobody uses now: taking them uses up free room. */
  idle: number;
  /** Blocks from the head that were ever published: what an infinite cache would hold. */
  seen: number;
}

/** The blocks that one request holds. */
export interface Holding {
  chain: Chain | null;
  /** Blocks of the chain, from its head, that were hit or published. */
  published: number;
  /** Indices below `published` that the request computed although an equal block was resident: they are private. */
  duplicates: number[] | null;
}

/**
 * The KV blocks of one replica's HBM: how many are held, which full ones are kept for reuse, and who leaves when room is needed.
 *
 * As vLLM V1 does it (FORMATS §8.1): a freed block with a name waits at the young end of the free list, tail of its chain first, and is evicted only when an allocation needs it; blocks without a name are used first.
 * A block is *held* while a request uses it, *cached* while it is only kept. held + cached ≤ capacity.
 */
export class BlockPool implements StoreSource {
  readonly capacity: number;
  /** Places that requests hold: private ones, and each shared block once. */
  held = 0;
  /** Resident blocks that nobody holds. */
  cached = 0;
  evictions = 0;
  duplicates = 0;
  /** Rises whenever a block becomes resident or is awaited, or without sharing is free again: while it stands still, no lookup can find more than before. */
  additions = 0;
  /** Rises whenever blocks that were hits are taken over, so that others find less than before. */
  takeovers = 0;
  readonly found: Lookup = {hits: 0, idle: 0, seen: 0};
  readonly #policy: EvictionPolicy;
  readonly #owners: BlockOwners | null;
  readonly #notes: NamedBlocks | null;
  /** Whether a block that somebody holds is no hit for others: each request has its own copy, and takes over what nobody uses. */
  readonly #exclusive: boolean;
  /** Where lookups and new blocks are written down; null: nowhere. Set before the run. */
  accesses: AccessLog | null = null;
  /** Told of each block that leaves to make room. */
  onVictim: ((id: number) => void) | null = null;
  /** By block id: RESIDENT | SEEN. */
  #state = new Uint8Array(1024);
  /** By block id: how many requests hold it. */
  #pins = new Uint16Array(1024);

  /** `policy` is told of every resident block; `owners` of those that come and leave, `notes` of every block that is named, before the policy is. */
  constructor(capacity: number, policy: EvictionPolicy, owners: BlockOwners | null, notes: NamedBlocks | null = null, exclusive = false) {
    this.capacity = capacity;
    this.#policy = policy;
    this.#owners = owners;
    this.#notes = notes;
    this.#exclusive = exclusive;
  }

  /** Places that can be had, by eviction if need be. */
  get free(): number {
    return this.capacity - this.held;
  }

  /** Places that hold nothing. */
  get empty(): number {
    return this.capacity - this.held - this.cached;
  }

  /** Looks `chain` up from its head, at most `limit` blocks; the answer is in `found`. Changes nothing. */
  lookup(chain: Chain, limit: number): void {
    const {bases, counts} = chain;
    const found = this.found;
    let hits = 0,
      idle = 0,
      seen = 0;
    let hitting = true;
    scan: for (let run = 0; run < bases.length && seen < limit; run++) {
      const base = bases[run];
      const end = Math.min(counts[run], limit - seen);
      if (base + end > this.#state.length) this.#grow(base + counts[run]);
      for (let i = base; i < base + end; i++) {
        const state = this.#state[i];
        if ((state & SEEN) === 0) break scan;
        seen++;
        if (!hitting) continue;
        if ((state & RESIDENT) === 0 || (this.#exclusive && this.#pins[i] > 0)) hitting = false;
        else {
          hits++;
          if (this.#pins[i] === 0) idle++;
        }
      }
    }
    found.hits = hits;
    found.idle = idle;
    found.seen = seen;
  }

  /** Holds the first `hits` blocks of the chain, all resident. */
  hold(holding: Holding, hits: number): void {
    if (this.#exclusive) this.takeovers++;
    const {bases, counts} = holding.chain!;
    let left = hits;
    for (let run = 0; left > 0; run++) {
      const end = bases[run] + Math.min(counts[run], left);
      left -= end - bases[run];
      for (let id = bases[run]; id < end; id++) {
        if (this.#pins[id]++ === 0) {
          this.#policy.pin(id);
          this.cached--;
          this.held++;
        }
      }
    }
    holding.published = hits;
  }

  /** Takes `places` for blocks to be computed, evicting where there is no empty one. The caller has checked `free`. */
  take(places: number): void {
    this.held += places;
    for (let over = this.held + this.cached - this.capacity; over > 0; over--) this.#evict();
  }

  /** Names the full blocks below `full` that the request computed: from now on others can hit them. */
  publish(holding: Holding, full: number): void {
    const chain = holding.chain;
    if (chain === null) return;
    const end = Math.min(full, chain.blocks);
    let index = holding.published;
    if (index >= end) return;
    this.#notes?.note(chain, index, end);
    const {bases, counts} = chain;
    let run = 0,
      first = 0;
    while (index >= first + counts[run]) first += counts[run++];
    for (; index < end; index++) {
      if (index === first + counts[run]) first += counts[run++];
      const id = bases[run] + index - first;
      if (id >= this.#state.length) this.#grow(id + 1);
      if (this.#state[id] & (RESIDENT | LOADING)) {
        (holding.duplicates ??= []).push(index);
        this.duplicates++;
        continue;
      }
      this.#state[id] = RESIDENT | SEEN;
      this.#pins[id] = 1;
      this.#policy.insert(id);
      this.additions++;
      this.#owners?.entered(id);
    }
    holding.published = end;
  }

  /**
   * Gives back all `blocks` places of a request, tail first, after naming its full blocks below `full`.
   *
   * Private places become empty; shared blocks that nobody else holds become cached.
   */
  release(holding: Holding, blocks: number, full: number): void {
    const chain = holding.chain;
    if (chain === null) {
      this.held -= blocks;
      return;
    }
    this.publish(holding, full);
    const {bases, counts} = chain;
    const published = holding.published;
    const duplicates = holding.duplicates;
    this.held -= blocks - published;
    let run = 0,
      first = 0;
    while (run < counts.length && first + counts[run] < published) first += counts[run++];
    let d = duplicates === null ? -1 : duplicates.length - 1;
    for (let index = published - 1; index >= 0; index--) {
      while (index < first) first -= counts[--run];
      if (d >= 0 && duplicates![d] === index) {
        d--;
        this.held--;
        continue;
      }
      const id = bases[run] + index - first;
      if (--this.#pins[id] === 0) {
        this.#freed(id);
      }
    }
    holding.published = 0;
    holding.duplicates = null;
  }

  /** Blocks [from, to) of a chain were named elsewhere, from where they could come: an endless cache has them. */
  see({bases, counts}: Chain, from: number, to: number): void {
    for (let run = 0, first = 0; first < to; first += counts[run++]) {
      const end = bases[run] + Math.min(counts[run], to - first);
      if (end > this.#state.length) this.#grow(end);
      for (let id = bases[run] + Math.max(0, from - first); id < end; id++) this.#state[id] |= SEEN;
    }
  }

  /** Whether a block is resident, on its way in, or neither. */
  presence(id: number): Presence {
    if (id >= this.#state.length) return 'absent';
    const state = this.#state[id];
    return (state & RESIDENT) !== 0 ? 'resident' : (state & LOADING) !== 0 ? 'loading' : 'absent';
  }

  /** Whether nobody uses a resident block now. */
  isIdle(id: number): boolean {
    return this.#pins[id] === 0;
  }

  /** Holds one block that is resident or on its way in. */
  pin(id: number): void {
    if (this.#pins[id]++ > 0) return;
    this.#policy.pin(id);
    this.cached--;
    this.held++;
  }

  /** Gives a block back that was held by `pin`. */
  unpin(id: number): void {
    if (--this.#pins[id] === 0) this.#freed(id);
  }

  /** The resident block that would leave next, or NO_BLOCK. */
  victim(): number {
    return this.#policy.victim(NO_BLOCK);
  }

  /** A block will be brought in, into a place that was taken for it; it is held by whoever asked. */
  expect(id: number): void {
    if (id >= this.#state.length) this.#grow(id + 1);
    this.#state[id] |= LOADING;
    this.#pins[id] = 1;
    this.additions++;
  }

  /** A block that was expected is here: others can hit it. */
  arrive(id: number): void {
    this.#state[id] = RESIDENT | SEEN;
    this.#policy.insert(id);
    this.additions++;
    this.#owners?.entered(id);
  }

  /** Nobody holds the block any more; without sharing that makes it a hit. */
  #freed(id: number): void {
    this.held--;
    this.cached++;
    this.#policy.unpin(id);
    if (this.#exclusive) this.additions++;
  }

  /** A block that was expected, and that only its transfer holds, does not come: its place is free. */
  abandon(id: number): void {
    this.#state[id] &= ~LOADING;
    this.#pins[id] = 0;
    this.held--;
  }

  #evict(): void {
    const victim = this.victim();
    if (victim === NO_BLOCK) throw new Error('no block can be evicted, though room was promised');
    this.onVictim?.(victim);
    this.drop(victim);
  }

  /** A resident block that nobody holds leaves. */
  drop(id: number): void {
    this.#policy.evict(id);
    this.#state[id] &= ~RESIDENT;
    this.cached--;
    this.evictions++;
    this.#owners?.left(id);
  }

  /** A range of ids goes back to its owner: nothing is remembered of it. */
  forget(base: number, count: number): void {
    this.#state.fill(0, base, base + count);
    const known = Math.min(base + count, this.#state.length) - base;
    if (known > 0) this.#policy.forget(base, known);
    this.#notes?.forget(base, count);
    this.accesses?.forget(base, count);
  }

  #grow(ids: number): void {
    let length = this.#state.length;
    while (length < ids) length *= 2;
    this.#state = widened(this.#state, length);
    this.#pins = widened(this.#pins, length);
    this.#policy.grow(length);
  }
}

/** Hears of blocks when they are named, before the pool has them, and when their ids will stand for others. */
export interface NamedBlocks {
  note(chain: Chain, from: number, to: number): void;
  forget(base: number, count: number): void;
}

/** Who wants to know which blocks come and go, to use the ids of ended sessions again. */
export interface BlockOwners {
  entered(id: number): void;
  left(id: number): void;
}

/** Where a block stands in this memory. */
export type Presence = 'resident' | 'loading' | 'absent';

const RESIDENT = 1;
const SEEN = 2;
const LOADING = 4;
