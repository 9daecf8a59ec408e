import type {PrefetchPolicy, Prompt, QueueRules} from '../../policies/prefetch/policy.js';
import {NO_BLOCK} from '../core/ids.js';
import {LinkedList} from '../core/linked-list.js';
import type {SimTime} from '../core/time.js';
import type {Fetch, Fetches, FetchOrder} from '../memory/fetches.js';
import type {Chain} from '../workload/chain.js';
import type {Request} from './request.js';
import type {RequestBlocks} from './request-blocks.js';

/** A prompt with its blocks. */
export interface Known extends Prompt {
  readonly chain: Chain;
  /** Blocks from the head that are here or have been fetched for it. */
  fetched: number;
}

/** What a prefetcher works with; all of it belongs to one replica. */
export interface PrefetcherParts {
  readonly policy: PrefetchPolicy<Known>;
  readonly queue: QueueRules | null;
  readonly fetches: Fetches;
  readonly blocks: RequestBlocks;
  /** Tokens a block. */
  readonly blockSize: number;
  /** Tokens of the nearest memory less those of HBM. */
  readonly extraTokens: number;
  /** The session that alone uses a block, or −1. */
  readonly owner: (id: number) => number;
  /** Who runs next of those that wait. */
  readonly head: () => Request | null;
  /** A request has waited for its fetch long enough: it joins the queue. */
  readonly enqueue: (request: Request, now: SimTime) => void;
  /** `wake` is to be called at that time. */
  readonly wakeAt: (at: SimTime) => void;
}

/**
 * Fetches blocks of one replica before they are asked for: asks the policy what, and sees to it that nothing is harmed by it.
 *
 * It acts when a request comes or ends, when a fetch ends, and when it asked to be woken, never when a step ends: so what it does is the same with steps run ahead.
 */
export class Prefetcher {
  /** Requests that wait for their fetch, in order of arrival; they count as waiting. */
  readonly staged = new LinkedList<Request>();
  readonly #parts: PrefetcherParts;
  /** By request: until when it waits for its fetch. */
  readonly #deadlines = new Map<Request, SimTime>();
  /** Whether the policy was told something since it was asked last. */
  #told = false;
  /** Whether there was no room for what it wished for. */
  #short = false;
  /** The earliest time at which `wake` will be called; Infinity: none. */
  #wakesAt: SimTime = Number.POSITIVE_INFINITY;

  constructor(parts: PrefetcherParts) {
    this.#parts = parts;
    const {policy, fetches, owner} = parts;
    fetches.heed((id) => {
      const session = owner(id);
      return session < 0 ? Number.POSITIVE_INFINITY : policy.expected(session);
    });
  }

  /** A request reaches the engine. Returns whether it waits for a fetch before it joins the queue. */
  queued(request: Request, now: SimTime): boolean {
    const {chain} = request;
    if (chain === null || chain.blocks === 0) return false;
    const {policy, blockSize} = this.#parts;
    policy.queued(this.#known(request.session, chain, Math.min(Math.floor(request.input / blockSize), chain.blocks)), now);
    for (const fetch of this.#parts.fetches.underWay) if ((fetch.owner as Known).session === request.session) this.#asked.add(fetch);
    this.#told = true;
    return this.#fetchQueued(request, chain, now);
  }

  /** Fetches whose session has a request here: they are not given up. */
  readonly #asked = new WeakSet<Fetch>();

  /** A request has finished; its first `blocks` blocks are whole. */
  ended({session, chain}: Request, blocks: number, now: SimTime): void {
    this.#told = true; // its places can be had, whoever it was
    if (chain === null || Math.min(blocks, chain.blocks) === 0) return;
    this.#parts.policy.ended(this.#known(session, chain, Math.min(blocks, chain.blocks)), now);
  }

  /** A request will arrive at `at`. */
  foreseen({session, chain, input}: {session: number; chain: Chain | null; input: number}, at: SimTime): void {
    const blocks = Math.floor((input - 1) / this.#parts.blockSize);
    if (chain === null || Math.min(blocks, chain.blocks) === 0) return;
    this.#parts.policy.foreseen(this.#known(session, chain, Math.min(blocks, chain.blocks)), at);
    this.#told = true;
  }

  /** The session's own block ids will stand for others. */
  forget(session: number): void {
    this.#parts.policy.forget(session);
  }

  /** It asked to be called now. */
  wake(now: SimTime): void {
    if (now >= this.#wakesAt) this.#wakesAt = Number.POSITIVE_INFINITY;
    for (let request = this.staged.oldest; request !== null; ) {
      const next = request.younger;
      if (this.#deadlines.get(request)! <= now) this.#release(request, now);
      request = next;
    }
    this.#told = true;
  }

  /** A fetch has brought its blocks. */
  fetched(fetch: Fetch, now: SimTime): void {
    if (this.#parts.queue !== null) {
      const request = fetch.owner as Request;
      const more = this.#parts.fetches.underWay.some(({owner}) => owner === request);
      if (!more && this.#deadlines.has(request)) this.#release(request, now);
    }
    this.#told = true;
  }

  /** Blocks are written below: places that they held can be had. */
  stored(): void {
    if (this.#short) this.#told = true;
  }

  /** A request is to run: what it has fetched by now is all that it gets. */
  stop(request: Request, now: SimTime): void {
    if (this.#parts.queue === null) return;
    const {fetches} = this.#parts;
    for (const fetch of [...fetches.underWay]) if (fetch.owner === request) fetches.cancel(fetch, now);
  }

  /** A waiting request leaves. Returns whether it waited here. */
  unstage(request: Request, now: SimTime): boolean {
    this.stop(request, now);
    if (!this.#deadlines.delete(request)) return false;
    this.staged.remove(request);
    return true;
  }

  /** Running requests lack so many places: fetches that nobody waits for give theirs back, the latest first. */
  giveBack(places: number, now: SimTime): void {
    const {fetches} = this.#parts;
    if (fetches.to !== 'hbm') return;
    let left = places;
    for (let i = fetches.underWay.length - 1; i >= 0 && left > 0; i--) {
      const fetch = fetches.underWay[i];
      if (fetch.waiters.length > 0) continue;
      left -= fetch.ids.length;
      fetches.cancel(fetch, now);
    }
  }

  /** What lies beyond the nearest memory comes there, if the rules say so. */
  #fetchQueued(request: Request, chain: Chain, now: SimTime): boolean {
    const {queue, fetches, blockSize, extraTokens} = this.#parts;
    if (queue === null) return false;
    const blocks = Math.floor((request.input - 1) / blockSize);
    const here = fetches.near(chain, blocks);
    if (here.broken) return false;
    const ids = fetches.beyond(chain, here.blocks, blocks);
    const missing = request.input - here.blocks * blockSize;
    const underWay = fetches.underWay.reduce((sum, {ids}) => sum + ids.length, 0) * blockSize;
    if (!queue.begins({missing, found: ids.length * blockSize, underWay, extra: extraTokens})) return false;
    fetches.keep(chain, here.blocks);
    let begun = 0;
    while (begun < ids.length) {
      const fetch = fetches.startNear(ids.slice(begun), blocks - here.blocks - begun, {at: now, owner: request}, now); // from one memory each
      if (fetch === null) break;
      begun += fetch.ids.length;
    }
    if (begun === 0) return false;
    const patience = queue.patience(missing);
    if (patience === 0) return false;
    this.staged.push(request);
    this.#deadlines.set(request, now + patience);
    return true;
  }

  #release(request: Request, now: SimTime): void {
    this.#deadlines.delete(request);
    this.staged.remove(request);
    this.#parts.enqueue(request, now);
  }

  /** Begins what the policy wishes for and is not here, and gives up what it wishes for no more. Called once per time, after what is asked for has been given way to. */
  act(now: SimTime): void {
    if (!this.#told) return;
    this.#told = false;
    const {policy, fetches, queue} = this.#parts;
    if (queue === null) {
      this.#short = false;
      const wishes: {prompt: Known; blocks: number; at: SimTime}[] = []; // first all: what a fetch evicts may be the last of a session
      policy.wishes(now, (prompt, blocks, at) => wishes.push({prompt, blocks, at}));
      const wished = new Set<object>(wishes.map(({prompt}) => prompt));
      for (const {prompt, blocks, at} of wishes) {
        if (fetches.underWay.some(({owner}) => owner === prompt)) continue;
        const room = this.#room();
        if (room <= 0) this.#short = true;
        else this.#fetch({chain: prompt.chain, from: prompt.fetched, to: blocks, at, room, owner: prompt}, now);
      }
      for (const fetch of [...fetches.underWay]) {
        const {owner, waiters} = fetch;
        if (!wished.has(owner) && waiters.length === 0 && !this.#asked.has(fetch) && fetches.isWaiting(fetch)) fetches.cancel(fetch, now);
      }
    }
    this.#setWake(now);
  }

  #fetch(order: FetchOrder & {readonly owner: Known}, now: SimTime): void {
    const started = this.#parts.fetches.start(order, now);
    if (started !== null) order.owner.fetched = started.end;
  }

  /** Places that a fetch may take: in HBM none that running requests were promised or the next one needs. */
  #room(): number {
    const {fetches, blocks, head} = this.#parts;
    if (fetches.to === 'near') return Number.POSITIVE_INFINITY;
    const next = head();
    return blocks.unpromised - (next === null ? 0 : blocks.toAdmit(next));
  }

  #setWake(now: SimTime): void {
    let at = this.#parts.policy.wakeAt(now);
    for (const deadline of this.#deadlines.values()) at = Math.min(at, deadline);
    if (at >= this.#wakesAt || at === Number.POSITIVE_INFINITY) return;
    this.#wakesAt = at;
    this.#parts.wakeAt(at);
  }

  #known(session: number, chain: Chain, blocks: number): Known {
    const {bases, counts} = chain;
    let shared = 0;
    for (let run = 0; run < bases.length && shared < blocks && this.#parts.owner(bases[run]) < 0; run++) shared += counts[run];
    return {session, chain, fetched: 0, blocks, shared: Math.min(shared, blocks), head: bases[0] ?? NO_BLOCK};
  }
}
