import {type BlockId, NO_BLOCK} from '../../sim/core/ids.js';
import {widened} from '../../sim/core/widened.js';
import {eviction} from './eviction.js';
import {BlockHeap} from './heap.js';
import type {EvictionContext, EvictionPolicy} from './policy.js';
import {Ring} from './ring.js';
import {SessionLists} from './session-lists.js';

/**
 * Evicts the deepest block of a session that would still meet its goal for the time to first token without it, the least recently used of such sessions; when there is none, as LRU.
 *
 * What a session lacks is computed again at its next turn: a session within the budget loses nothing that its goal would show. Tail-Optimized LRU, arXiv 2510.15152, 2025.
 */
export const tailLru = eviction({
  about: 'evicts the deepest block of a session that meets its TTFT goal without it, else the least recently used',
  params: {ttft: {kind: 'duration', default: 0.5, about: 'what computing the lost blocks of a session may take'}},
  needs: ['session', 'depth', 'recompute'],
  create: (context, {ttft}) => new TailLru(context, ttft),
});

class TailLru implements EvictionPolicy {
  readonly #context: EvictionContext;
  readonly #budget: number;
  readonly #unpinned: Ring;
  /** Unpinned blocks of each session, by depth. */
  readonly #chains: SessionLists;
  /** Sessions that can lose their deepest block, by their last use. */
  readonly #safe = new BlockHeap(1024);
  /** By session: seconds that computing what was evicted would take; its last use. */
  #lacking = new Float64Array(1024);
  #usedAt = new Float64Array(1024);
  /** By block: 1 when it was evicted and has not come back. */
  #lost: Uint8Array;
  #calls = 0;

  constructor(context: EvictionContext, budget: number) {
    this.#context = context;
    this.#budget = budget;
    this.#unpinned = new Ring(context.blocks);
    this.#chains = new SessionLists(context.blocks, context.depth!);
    this.#lost = new Uint8Array(context.blocks);
  }

  insert(block: BlockId): void {
    const session = this.#sessionOf(block);
    if (session >= 0 && this.#lost[block]) this.#lacking[session] -= this.#context.recompute!(block);
    this.#lost[block] = 0;
  }

  touch(block: BlockId): void {
    this.#unpinned.unlink(block);
    this.#unpinned.append(block);
    const session = this.#sessionOf(block);
    if (session < 0) return;
    this.#usedAt[session] = ++this.#calls;
    this.#judge(session);
  }

  pin(block: BlockId): void {
    this.#unpinned.unlink(block);
    const session = this.#sessionOf(block);
    if (session < 0) return;
    this.#chains.unlink(session, block);
    this.#judge(session);
  }

  unpin(block: BlockId): void {
    this.#unpinned.append(block);
    const session = this.#sessionOf(block);
    if (session < 0) return;
    this.#chains.add(session, block);
    this.#usedAt[session] = ++this.#calls;
    this.#judge(session);
  }

  evict(block: BlockId): void {
    const session = this.#sessionOf(block);
    if (session >= 0) this.#lacking[session] += this.#context.recompute!(block);
    this.#lost[block] = 1;
    this.pin(block);
  }

  remove(block: BlockId): void {
    this.pin(block);
  }

  forget(base: BlockId, count: number): void {
    for (let block = base; block < base + count; block++) {
      if (this.#lost[block] === 0) continue;
      this.#lost[block] = 0;
      const session = this.#context.session!(block);
      if (session >= 0 && session < this.#lacking.length) this.#lacking[session] = 0;
    }
  }

  grow(blocks: number): void {
    this.#unpinned.grow(blocks);
    this.#chains.grow(blocks);
    this.#lost = widened(this.#lost, blocks);
  }

  victim(): BlockId {
    return this.#safe.size > 0 ? this.#chains.deepest(this.#safe.top) : this.#unpinned.oldest;
  }

  #sessionOf(block: BlockId): number {
    const session = this.#context.session!(block);
    if (session >= this.#lacking.length) {
      const length = Math.max(session + 1, this.#lacking.length * 2);
      this.#lacking = widened(this.#lacking, length);
      this.#usedAt = widened(this.#usedAt, length);
      this.#safe.grow(length);
    }
    return session;
  }

  /** Finds out anew whether a session can lose its deepest block. */
  #judge(session: number): void {
    const deepest = this.#chains.deepest(session);
    const safe = deepest !== NO_BLOCK && this.#lacking[session] + this.#context.recompute!(deepest) <= this.#budget;
    if (safe) this.#safe.put(session, this.#usedAt[session], 0);
    else if (this.#safe.has(session)) this.#safe.drop(session);
  }
}
