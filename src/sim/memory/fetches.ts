import type {Channel} from '../core/channel.js';
import {NO_BLOCK} from '../core/ids.js';
import type {SimTime} from '../core/time.js';
import type {Chain} from '../workload/chain.js';
import type {Arrivals} from './arrivals.js';
import type {BlockPool} from './block-pool.js';
import type {Guesses} from './guesses.js';
import type {Arriving, Waiter} from './hierarchy.js';
import type {Route, TierConfig} from './hierarchy-config.js';
import type {Tier} from './tier.js';

/** Most blocks that one fetch brings: what is asked for meanwhile need not wait for longer than that. HiCache reads its storage in as many pages (FORMATS §8.2). */
const PIECE = 128;

/** A transfer of blocks that nobody waits for yet, to HBM or to the nearest memory. */
export interface Fetch extends Arriving {
  readonly kind: 'fetch';
  /** Where from. */
  readonly tier: number;
  readonly route: Route;
  readonly channel: Channel;
  readonly ids: readonly number[];
  readonly waiters: Waiter[];
  begun: boolean;
  since: SimTime;
  /** What its channel knows it by; −1 before it is given to it. */
  tag: number;
  /** Blocks that were asked for while they were under way. */
  readonly late: Set<number>;
  /** Whom it was ordered for. */
  readonly owner: object;
}

/** For whom something is fetched, and when it is expected to be used. */
export interface FetchReason {
  readonly at: SimTime;
  readonly owner: object;
}

/** Blocks [from, to) of a chain, into at most `room` places; those below `from` have been fetched before. */
export interface FetchOrder extends FetchReason {
  readonly chain: Chain;
  readonly from: number;
  readonly to: number;
  readonly room: number;
}

/** What fetches need of the hierarchy that they are part of. */
export interface FetchParts {
  readonly pool: BlockPool;
  readonly tiers: readonly Tier[];
  readonly configs: readonly TierConfig[];
  readonly blockBytes: number;
  /** Blocks of a chunk: only whole ones are read. */
  readonly chunkBlocks: number;
  /** Where a block on its way to HBM comes with. */
  readonly arriving: Arrivals<Arriving>;
  /** Which memory below has a block, or −1. */
  tierOf(id: number): number;
  channelOf(route: Route): Channel;
  each(chain: Chain, from: number, to: number, visit: (id: number) => boolean): void;
  /** A block was read from a memory: it also comes into those above that keep what is loaded from there. */
  fill(tier: number, id: number): void;
  /** Takes places in HBM, or in the nearest memory, by `take`, and sends the fetch as soon as they are free. */
  sendInto(place: 'hbm' | 'near', fetch: Fetch, take: () => void, now: SimTime): void;
  /** Takes a fetch out that has not been given to its channel yet. */
  unsend(fetch: Fetch): void;
  /** A transfer is over without having ended by itself. */
  discard(tag: number): void;
}

/** Bytes of ended fetches by the memory that they came from. */
export interface FetchTotals {
  readonly useful: number;
  readonly late: number;
  readonly wasted: number;
}

/**
 * Blocks on their way up before anybody has asked for them.
 *
 * A fetch holds its places and pins its source while it is under way. It goes last in its channel; who asks for one of its blocks waits for it, and raises it.
 */
export class Fetches {
  /** Fetches that have not ended, oldest first. */
  readonly underWay: Fetch[] = [];
  readonly to: 'hbm' | 'near';
  readonly #parts: FetchParts;
  readonly #guesses: Guesses;
  /** Blocks on their way to the nearest memory. */
  readonly #approaching = new Map<number, Fetch>();
  readonly #late: Float64Array;
  /** Bytes that crossed for blocks that did not come. */
  readonly #lost: Float64Array;
  /** When a block is expected to be used, by somebody else's book; Infinity: not at all. */
  #expected: (id: number) => SimTime = () => Number.POSITIVE_INFINITY;

  constructor(to: 'hbm' | 'near', guesses: Guesses, parts: FetchParts) {
    this.to = to;
    this.#guesses = guesses;
    this.#parts = parts;
    this.#late = new Float64Array(parts.tiers.length);
    this.#lost = new Float64Array(parts.tiers.length);
  }

  /** From now on only blocks leave for a fetch that are `expected` later than what it brings. */
  heed(expected: (id: number) => SimTime): void {
    this.#expected = (id) => {
      const own = expected(id);
      const guessed = this.#guesses.expected(id);
      return own === Number.POSITIVE_INFINITY && !Number.isNaN(guessed) ? guessed : own;
    };
  }

  /** Fetches a first piece of what is missing; null when nothing is, or there is no place, or what was fetched before has left unused: it is not worth it twice. */
  start(order: FetchOrder, now: SimTime): {readonly fetch: Fetch; readonly end: number} | null {
    const {ids, here, tier, end} = this.to === 'hbm' ? this.#missingInHbm(order) : this.#missingNear(order);
    if (ids.length === 0) return null;
    const fetch = this.#send(ids, tier, order, now, (id) => this.#claim(id, order.at, here));
    return fetch === null ? null : {fetch, end: end - (ids.length - fetch.ids.length)};
  }

  /** How many blocks, from the head, lie in HBM or the nearest memory; `broken`, when the last of them is not in the latter: what follows it cannot be put there. */
  near(chain: Chain, to: number): {blocks: number; broken: boolean} {
    const {pool, tiers} = this.#parts;
    let blocks = 0,
      last = NO_BLOCK;
    this.#parts.each(chain, 0, to, (id) => {
      if (pool.presence(id) !== 'resident' && !tiers[0].has(id)) return false;
      last = id;
      blocks++;
      return true;
    });
    return {blocks, broken: blocks > 0 && !tiers[0].has(last)};
  }

  /** The first blocks of a chain are as if just read in the nearest memory: what is fetched behind them must not push them out. */
  keep(chain: Chain, blocks: number): void {
    const ids: number[] = [];
    this.#parts.each(chain, 0, blocks, (id) => ids.push(id) > 0);
    for (let i = ids.length - 1; i >= 0; i--) this.#parts.tiers[0].touch(ids[i]);
  }

  /** Blocks of [from, to) that lie beyond the nearest memory, up to the first that does not. */
  beyond(chain: Chain, from: number, to: number): number[] {
    const ids: number[] = [];
    const near = this.#parts.tiers[0];
    this.#parts.each(chain, from, this.#inChunks(to), (id) => {
      if (near.hasOrStores(id) || this.#wayFrom(this.#parts.tierOf(id)) === null) return false;
      ids.push(id);
      return true;
    });
    return ids.slice(0, Math.max(0, this.#inChunks(from + ids.length) - from));
  }

  /** Fetches `ids` into the nearest memory, after making `places` empty there; null when that cannot be. */
  startNear(ids: readonly number[], places: number, order: FetchReason, now: SimTime): Fetch | null {
    const near = this.#parts.tiers[0];
    const tier = this.#parts.tierOf(ids[0]);
    const other = ids.findIndex((id) => this.#parts.tierOf(id) !== tier); // one fetch comes from one memory
    return this.#send(other < 0 ? ids : ids.slice(0, other), tier, order, now, (id, first) => {
      if (first && !near.makeEmpty(places)) return false;
      return near.hasRoom(id) && near.reserve(id);
    });
  }

  /** A request asks for a block on its way to HBM: it is late, and goes before what nobody has asked for. */
  join(fetch: Fetch, id: number, priority: number): void {
    fetch.late.add(id);
    this.#guesses.demanded(id);
    if (fetch.tag >= 0) fetch.channel.raise(fetch.tag, priority);
  }

  /** A request loads a block from `tier` to HBM, past the nearest memory if it is not there yet. */
  loads(id: number, tier: number): void {
    if (tier === 0 && this.to === 'near') this.#guesses.used(id);
    this.#approaching.get(id)?.late.add(id);
  }

  /** A request uses a block that lies in HBM. */
  used(id: number): void {
    if (this.to === 'hbm') this.#guesses.used(id);
  }

  /** Whether nothing of a fetch has moved yet. */
  isWaiting(fetch: Fetch): boolean {
    return fetch.tag < 0 || fetch.channel.isWaiting(fetch.tag);
  }

  /** The transfer has ended: its blocks are here. */
  ended(fetch: Fetch): void {
    this.#arrive(fetch, fetch.ids.length);
    this.#over(fetch);
  }

  /** Gives a fetch up that nobody waits for: what has come of it stays, the rest of its places are free. */
  cancel(fetch: Fetch, now: SimTime): void {
    const {ids, tier} = fetch;
    let done = 0;
    if (fetch.tag < 0) this.#parts.unsend(fetch);
    else {
      const share = fetch.channel.cancel(fetch.tag, now);
      done = Math.min(ids.length, Math.floor(share * ids.length + 1e-9));
      this.#lost[tier] += Math.max(0, Math.round((share * ids.length - done) * this.#parts.blockBytes));
      this.#parts.discard(fetch.tag);
    }
    this.#arrive(fetch, done);
    this.#abandon(fetch, done);
    this.#over(fetch);
  }

  /** What fetches from a memory were good for; what lies unused counts as wasted. */
  totals(tier: number): FetchTotals {
    const {useful, wasted} = this.#guesses;
    const size = this.#parts.blockBytes;
    const unused = this.#guesses.unused()[tier];
    return {useful: useful[tier] * size, late: this.#late[tier] * size, wasted: (wasted[tier] + unused) * size + this.#lost[tier]};
  }

  /** The way from a memory to where blocks are fetched to; null: there is none, or −1 stands for no memory. */
  #wayFrom(tier: number): Route | null {
    if (tier < 0) return null;
    const {load, raise} = this.#parts.configs[tier];
    return this.to === 'hbm' ? load : raise;
  }

  #missingInHbm(order: FetchOrder): Missing {
    return this.#missing(order, (id) => this.#parts.pool.presence(id) !== 'absent');
  }

  #missingNear(order: FetchOrder): Missing {
    const {pool, tiers} = this.#parts;
    return this.#missing(order, (id) => pool.presence(id) !== 'absent' || tiers[0].hasOrStores(id));
  }

  /** A first piece of what is not here: from one memory, up to the first block that lies nowhere. */
  #missing({chain, from, to, room}: FetchOrder, isHere: (id: number) => boolean): Missing {
    const ids: number[] = [];
    const here = new Set<number>();
    const most = Math.min(Math.max(PIECE, this.#parts.chunkBlocks), room);
    let source = -1,
      index = 0,
      end = 0,
      whole = 0; // blocks of whole chunks
    this.#parts.each(chain, 0, this.#inChunks(to), (id) => {
      if (index % this.#parts.chunkBlocks === 0) [end, whole] = [index, ids.length];
      if (ids.length >= most) return false;
      if (isHere(id)) here.add(id);
      else {
        const tier = this.#parts.tierOf(id);
        if (index < from || this.#wayFrom(tier) === null || (source >= 0 && tier !== source)) return false;
        source = tier;
        ids.push(id);
      }
      index++;
      return true;
    });
    if (index % this.#parts.chunkBlocks === 0) [end, whole] = [index, ids.length];
    return {ids: ids.slice(0, whole), here, tier: source, end};
  }

  /** Blocks of the whole chunks among the first `blocks` of a chain: the blocks of a part of one cannot be loaded. */
  #inChunks(blocks: number): number {
    return blocks - (blocks % this.#parts.chunkBlocks);
  }

  /** Takes a place for a block unless what would have to leave is expected sooner, or is the head of the same chain. */
  #claim(id: number, at: SimTime, own: ReadonlySet<number>): boolean {
    const {pool, tiers} = this.#parts;
    const memory = this.to === 'hbm' ? pool : tiers[0];
    if (memory.empty === 0) {
      const victim = memory.victim();
      if (victim === NO_BLOCK || own.has(victim) || this.#expected(victim) <= at) return false;
    }
    if (this.to === 'near') return tiers[0].reserve(id);
    pool.take(1);
    return true;
  }

  #send(
    wanted: readonly number[],
    tier: number,
    {at, owner}: FetchReason,
    now: SimTime,
    claim: (id: number, first: boolean) => boolean,
  ): Fetch | null {
    const {pool, tiers, arriving} = this.#parts;
    const source = tiers[tier];
    const route = this.#wayFrom(tier)!;
    const ids: number[] = [];
    const channel = this.#parts.channelOf(route);
    const fetch: Fetch = {kind: 'fetch', tier, route, channel, ids, waiters: [], begun: false, since: now, tag: -1, late: new Set(), owner};
    this.#parts.sendInto(
      this.to,
      fetch,
      () => {
        for (const id of wanted) {
          if (!source.has(id)) return; // it left for the places of those before it
          source.pin(id);
          if (!claim(id, ids.length === 0)) {
            source.unpin(id);
            return;
          }
          this.#guesses.coming(id, tier, at);
          if (this.to === 'hbm') {
            pool.expect(id);
            arriving.set(id, fetch);
          } else this.#approaching.set(id, fetch);
          ids.push(id);
        }
      },
      now,
    );
    if (ids.length === 0) return null;
    this.underWay.push(fetch);
    return fetch;
  }

  /** The first `count` blocks are here. */
  #arrive({ids, tier, late}: Fetch, count: number): void {
    const {pool, tiers, arriving, configs} = this.#parts;
    for (let i = 0; i < count; i++) {
      const id = ids[i];
      if (late.has(id)) this.#late[tier]++;
      if (this.to === 'hbm') this.#parts.fill(tier, id);
      if (this.to === 'hbm') {
        arriving.delete(id);
        pool.arrive(id);
        pool.unpin(id);
      } else {
        this.#approaching.delete(id);
        if (late.has(id)) this.#guesses.demanded(id);
        tiers[0].stored(id);
      }
      tiers[tier].unpin(id);
      if (!configs[tier].inclusive && tiers[tier].has(id)) tiers[tier].remove(id);
    }
  }

  /** The blocks from `done` on do not come. */
  #abandon({ids, tier}: Fetch, done: number): void {
    const {pool, tiers, arriving} = this.#parts;
    for (let i = done; i < ids.length; i++) {
      const id = ids[i];
      this.#guesses.demanded(id);
      if (this.to === 'hbm') {
        arriving.delete(id);
        pool.abandon(id);
      } else {
        this.#approaching.delete(id);
        tiers[0].abandon(id);
      }
      tiers[tier].unpin(id);
    }
  }

  #over(fetch: Fetch): void {
    this.underWay.splice(this.underWay.indexOf(fetch), 1);
  }
}

interface Missing {
  readonly ids: readonly number[];
  /** Blocks before them that are here. */
  readonly here: ReadonlySet<number>;
  readonly tier: number;
  /** Index of the block after the last of them. */
  readonly end: number;
}
