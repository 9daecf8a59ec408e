import type {BlockId} from '../../sim/core/ids.js';
import {widened} from '../../sim/core/widened.js';
import {eviction} from './eviction.js';
import {BlockHeap} from './heap.js';
import {listed} from './listed.js';
import type {EvictionContext, EvictionPolicy} from './policy.js';

/**
 * Evicts by the predicted next use: last use + a gap that is known before (FACTS: predicted).
 *
 * `global` adds the mean gap of all blocks. That is one number for all, so it orders as recency does and is LRU; it stands here because it was published as a policy of its own (S139).
 * `session` adds a moving average of the think time of the block's session (α = 0.2, FACTS): blocks that are overdue go first, the longest overdue of them, as their session may have ended;
 * then the one predicted latest. Blocks of several sessions have the mean think time.
 */
export const predicted = eviction({
  about: 'evicts by the predicted next use: overdue blocks, then the one predicted latest; with the global mean it is lru',
  params: {gap: {kind: 'name', default: 'global', names: ['global', 'session'], about: 'whose mean gap is added to the last use'}},
  needs: ({gap}) => (gap === 'session' ? ['session', 'now'] : []),
  create: (context, {gap}) => (gap === 'session' ? new BySession(context) : byRecency(context)),
});

const byRecency = listed({onRead: 'move'});
const ALPHA = 0.2;

class BySession implements EvictionPolicy {
  readonly #now: () => number;
  readonly #session: (block: BlockId) => number;
  /** Unpinned blocks by their predicted use: the earliest, the latest on top. */
  readonly #earliest: BlockHeap;
  readonly #latest: BlockHeap;
  /** By session: when its last use ended, its think time (0: not known), its pinned blocks. */
  #usedAt = new Float64Array(1024).fill(NaN);
  #think = new Float64Array(1024);
  #active = new Int32Array(1024);
  #sum = 0;
  #count = 0;
  #calls = 0;

  constructor({blocks, now, session}: EvictionContext) {
    this.#now = now!;
    this.#session = session!;
    this.#earliest = new BlockHeap(blocks);
    this.#latest = new BlockHeap(blocks);
  }

  insert(block: BlockId): void {
    this.#begin(this.#session(block));
  }

  touch(block: BlockId): void {
    this.#begin(this.#session(block));
    this.unpin(block);
  }

  pin(block: BlockId): void {
    this.#drop(block);
    this.#begin(this.#session(block));
  }

  unpin(block: BlockId): void {
    const now = this.#now();
    const session = this.#session(block);
    if (session >= 0) {
      this.#active[session]--;
      this.#usedAt[session] = now;
    }
    const mean = this.#count === 0 ? 0 : this.#sum / this.#count;
    const use = now + ((session >= 0 && this.#think[session]) || mean);
    this.#calls++;
    this.#earliest.put(block, use, this.#calls);
    this.#latest.put(block, -use, this.#calls);
  }

  evict(block: BlockId): void {
    this.#drop(block);
  }

  remove(block: BlockId): void {
    this.#drop(block);
  }

  forget(): void {}

  grow(blocks: number): void {
    this.#earliest.grow(blocks);
    this.#latest.grow(blocks);
  }

  victim(): BlockId {
    return this.#earliest.size > 0 && this.#earliest.topKey < this.#now() ? this.#earliest.top : this.#latest.top;
  }

  /** A session that used nothing begins to: it has thought since its last use ended. */
  #begin(session: number): void {
    if (session < 0) return;
    if (session >= this.#usedAt.length) this.#growSessions(session);
    if (this.#active[session]++ > 0) return;
    const gap = this.#now() - this.#usedAt[session];
    if (!(gap > 0)) return;
    this.#sum += gap;
    this.#count++;
    const before = this.#think[session];
    this.#think[session] = before === 0 ? gap : ALPHA * gap + (1 - ALPHA) * before;
  }

  #growSessions(session: number): void {
    const known = this.#usedAt.length;
    const length = Math.max(session + 1, known * 2);
    this.#usedAt = widened(this.#usedAt, length).fill(NaN, known);
    this.#think = widened(this.#think, length);
    this.#active = widened(this.#active, length);
  }

  #drop(block: BlockId): void {
    this.#earliest.drop(block);
    this.#latest.drop(block);
  }
}
