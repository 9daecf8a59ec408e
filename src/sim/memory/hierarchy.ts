import type {BlockAdmission} from '../../policies/admission/block.js';
import type {BlockFacts} from '../../policies/eviction/policy.js';
import {Channel} from '../core/channel.js';
import type {Fluid} from '../core/fluid.js';
import {NO_BLOCK} from '../core/ids.js';
import type {SimTime} from '../core/time.js';
import type {ResourceRecord} from '../metrics/record.js';
import type {TierTotals} from '../metrics/recorder.js';
import type {TracedTransfer} from '../metrics/run-trace.js';
import type {Chain} from '../workload/chain.js';
import {Arrivals} from './arrivals.js';
import type {BlockOwners, BlockPool} from './block-pool.js';
import {type Fetch, Fetches, type FetchTotals} from './fetches.js';
import type {Guesses} from './guesses.js';
import type {HierarchyConfig, Route} from './hierarchy-config.js';
import type {SharedMemories, TransferTable} from './shared-memories.js';
import {StoreQueue, type StoreSource} from './store-queue.js';
import {Tier} from './tier.js';

/** Who waits for blocks to be loaded. */
export interface Waiter {
  /** Transfers that have not ended. */
  loads: number;
  /** Transfers that have not brought the first layer. */
  heads: number;
}

/** A transfer to HBM that requests can wait for. */
export interface Arriving {
  readonly kind: 'load' | 'fetch';
  readonly waiters: Waiter[];
  /** Whether its first layer is here. */
  begun: boolean;
}

interface Load extends Arriving {
  readonly kind: 'load';
  readonly tier: number;
  readonly channel: Channel;
  readonly ids: number[];
  /** ns of its work that come after the first layer. */
  tail: SimTime;
  /** When it was given to its channel. */
  since: SimTime;
}

interface Store {
  readonly kind: 'store';
  readonly tier: number;
  readonly channel: Channel;
  /** How many blocks. */
  readonly ids: {readonly length: number};
  readonly since: SimTime;
}

/** Anything that moves blocks between memories. */
export type Moving = Load | Store | Fetch;

/** What its owner wants to hear of a hierarchy. */
export interface HierarchyHooks {
  /** A flow that may use HBM is about to start: work that ran alone until now becomes a flow too. */
  readonly beforeFlow: (now: SimTime) => void;
  readonly onLoaded: (waiter: Waiter, now: SimTime) => void;
  /** The first layer of all that it waits for is here; called only where layers are loaded one by one. */
  readonly onFirstLayer: (waiter: Waiter, now: SimTime) => void;
  /** Blocks that had left HBM are written: their places are free. */
  readonly onStored: (now: SimTime) => void;
  /** A prefetch ended: its blocks are here. Called only where there are any. */
  readonly onFetched: (fetch: Fetch, now: SimTime) => void;
  /** A transfer ended; null: nobody wants to know. */
  readonly onTransfer: ((transfer: TracedTransfer) => void) | null;
}

/** What a chain could have from below without computing it; written over by the next lookup. */
export interface Reach {
  /** Blocks from the HBM hits on. */
  blocks: number;
  /** How many of them are in HBM or on their way: they need no place. */
  present: number;
  /** How many of those nobody holds. */
  idle: number;
}

const NOTHING_FETCHED: FetchTotals = {useful: 0, late: 0, wasted: 0};

/** What is left of a load goes on before others begin. */
const TAIL_PRIORITY = -1;
const LOAD_PRIORITY = 0;
const STORE_PRIORITY = 1;
const FETCH_PRIORITY = 2;

/** How a hierarchy fetches blocks before they are asked for. */
export interface FetchConfig {
  readonly to: 'hbm' | 'near';
  /** The eviction policy of the memory that they are fetched into, once that exists. */
  readonly guesses: () => Guesses | null;
  /** Whether requests can load from memories beyond the nearest one; else only fetches read them. */
  readonly loadsBeyond: boolean;
}

/**
 * The memories below HBM and the transfers between them.
 *
 * Every request consults all tiers, nearest first. What is loaded is held in HBM from the start of its transfer; who meets a block on its way joins that transfer.
 * What is copied down stays in its source until it is stored. What had to leave first keeps its place busy until then: `takeGate` says which store a step or load must wait for.
 */
export class Hierarchy {
  readonly reach: Reach = {blocks: 0, present: 0, idle: 0};
  readonly tiers: readonly Tier[];
  /** Blocks used by tier, as they stand. */
  readonly used: Int32Array;
  /** The first block of the last lookup that lies nowhere. */
  #hole: number = NO_BLOCK;
  /** Blocks found at the last lookup, by tier. */
  readonly found: Int32Array;
  readonly #config: HierarchyConfig;
  readonly #fluid: Fluid;
  readonly #pool: BlockPool;
  readonly #resources = new Map<string, number>();
  readonly #channels = new Map<string, Channel>();
  readonly #hooks: HierarchyHooks;
  readonly #transfers: TransferTable;
  /** The farther memories, when other replicas have them too; and the first of those, or how many there are. */
  readonly #shared: SharedMemories | null;
  readonly #from: number;
  /** Transfers that have not ended, but for those between shared memories. */
  #underWay = 0;
  /** Whether places cannot be kept free ahead because a shared memory has none. */
  #short = false;
  /** Where a block on its way to HBM comes with. */
  readonly #arriving = new Arrivals<Arriving>();
  /** By tier: blocks that wait to be written there. */
  readonly #stores: readonly StoreQueue[];
  /** What brings blocks into places that are free only when that many batches have been stored in a tier. */
  #gated: {readonly load: Load | Fetch; readonly tier: number; readonly gate: number}[] = [];
  /** Loads that have not been sent. */
  #unsent: Load[] = [];
  /** The batch that frees the places taken since the last load or step was planned, and before the load. */
  #gate = 0;
  #gateBefore = 0;
  readonly #flowing: Float64Array;
  /** By place in `flowing`: the fluid's number of a resource of this replica; −1: it is not its own. */
  readonly #metered: Int32Array;
  readonly #read: Float64Array;
  readonly #written: Float64Array;
  /** By tier: who decides what comes in; null: everything does. */
  readonly #admissions: readonly (BlockAdmission | null)[];
  /** Those of them that there are. */
  readonly #filters: readonly BlockAdmission[];
  /** Memories that keep what was loaded from them. */
  readonly #inclusive: readonly Tier[];
  /** Tiers that requests can load from. */
  readonly #reachable: number;
  /** Null: nothing is fetched before it is asked for. */
  readonly fetches: Fetches | null;

  constructor(
    config: HierarchyConfig,
    fluid: Fluid,
    pool: BlockPool,
    owners: BlockOwners,
    hooks: HierarchyHooks,
    facts: BlockFacts,
    fetching: FetchConfig | null = null,
    shared: SharedMemories | null = null,
  ) {
    this.#config = config;
    this.#fluid = fluid;
    this.#pool = pool;
    this.#hooks = hooks;
    this.#shared = shared;
    this.#from = shared === null ? config.tiers.length : config.shared!.from;
    this.#transfers = shared?.transfers ?? {moving: [], free: []};
    for (const [name, capacity] of Object.entries(config.resources))
      this.#resources.set(name, shared?.resources.get(name) ?? fluid.resource(capacity));
    for (const [name, lanes] of Object.entries(config.channels))
      this.#channels.set(name, shared?.channels.get(name) ?? new Channel(fluid, lanes));
    this.tiers = config.tiers.map(
      ({name, capacity, eviction, watermark}, i) =>
        shared?.tiers.get(i) ??
        new Tier(
          name,
          capacity,
          eviction({...facts, blocks: 1024, capacity}),
          owners,
          (id) => this.demote(i + 1, id),
          (used) => {
            this.used[i] = used;
          },
          watermark,
        ),
    );
    this.#admissions = config.tiers.map(({admission}) => admission?.(facts) ?? null);
    this.#filters = this.#admissions.filter((one) => one !== null);
    this.#inclusive = this.tiers.filter((_, t) => config.tiers[t].inclusive);
    this.used = new Int32Array(config.tiers.length);
    this.found = new Int32Array(config.tiers.length);
    this.#stores = config.tiers.map((_, i) => shared?.stores.get(i) ?? new StoreQueue());
    const names = Object.keys(config.resources).filter((name) => name !== 'hbm');
    this.#flowing = new Float64Array(names.length);
    this.#metered = Int32Array.from(names, (name) => (this.#isShared(name) ? -1 : this.resource(name)));
    this.#read = new Float64Array(config.tiers.length);
    this.#written = new Float64Array(config.tiers.length);
    this.#reachable = fetching === null || fetching.loadsBeyond ? config.tiers.length : 1;
    this.fetches = fetching === null ? null : this.#fetchesOf(fetching);
  }

  #fetchesOf({to, guesses}: FetchConfig): Fetches {
    return new Fetches(to, guesses()!, {
      pool: this.#pool,
      tiers: this.tiers,
      configs: this.#config.tiers,
      blockBytes: this.#config.blockBytes,
      chunkBlocks: this.#config.chunkBlocks,
      arriving: this.#arriving,
      tierOf: (id) => this.#tierOf(id, this.tiers.length),
      channelOf: ({channel}) => this.#channels.get(channel)!,
      each: (chain, from, to, visit) => this.#each(chain, from, to, visit),
      fill: (tier, id) => this.#fill(tier, id),
      sendInto: (place, fetch, take, now) => this.#sendInto(place, fetch, take, now),
      unsend: (fetch) => {
        const at = this.#gated.findIndex(({load}) => load === fetch);
        if (at < 0) return;
        const [{tier, gate}] = this.#gated.splice(at, 1);
        if (tier === 0) this.#gateBefore = Math.max(this.#gateBefore, gate); // its places are not free yet, whoever takes them
      },
      discard: (tag) => this.#take(tag),
    });
  }

  /** Places that the fetch takes by evicting are free when what had to be written first is stored: it waits for that, and nobody else does. */
  #sendInto(place: 'hbm' | 'near', fetch: Fetch, take: () => void, now: SimTime): void {
    const tier = place === 'hbm' ? 0 : 1;
    let gate: number;
    if (place === 'hbm') {
      this.#gateBefore = Math.max(this.#gate, this.#gateBefore);
      this.#gate = 0;
      take();
      gate = this.#gate;
      this.#gate = 0;
    } else {
      take();
      gate = this.#stores[0].gate;
    }
    if (fetch.ids.length === 0) return;
    if (this.isStored(gate, tier)) this.#fetch(fetch, now);
    else this.#gated.push({load: fetch, tier, gate});
  }

  /** The fluid's number of a resource. */
  resource(name: string): number {
    const resource = this.#resources.get(name);
    if (resource === undefined) throw new Error(`no resource is called "${name}"`);
    return resource;
  }

  /** Places that are kept free ahead in HBM, or −1 when what leaves it need not be written first. */
  get ahead(): number {
    const first = this.#config.tiers[0];
    return first?.write.when === 'back' ? first.ahead : -1;
  }

  /** Whether generated blocks are written below when they are computed. */
  get writesGenerated(): boolean {
    const write = this.#config.tiers[0]?.write;
    return write.when !== 'back' && write.generated;
  }

  /** The batch of stores that frees the places taken since the last call, but for loads; 0: they are free. */
  takeGate(): number {
    const gate = Math.max(this.#gate, this.#gateBefore);
    this.#gate = this.#gateBefore = 0;
    return gate;
  }

  /** Whether a batch of stores into a tier, the nearest unless said, has ended. */
  isStored(gate: number, tier = 0): boolean {
    return gate <= (this.#stores[tier]?.ended ?? 0);
  }

  /** Blocks in HBM that transfers hold. For audits. */
  *lent(): Iterable<number> {
    yield* this.#stores[0].pinned();
    yield* this.#arriving.keys();
  }

  /** Layers, when computing may begin as soon as the first of them is loaded; else 1. */
  get layers(): number {
    return this.#config.layers;
  }

  /** Throws when a tier's books do not balance. For tests and debug runs. */
  audit(): void {
    for (const tier of this.tiers) tier.audit();
  }

  /** B/s of a resource. */
  capacity(name: string): number {
    return this.#config.resources[name];
  }

  /** B/s that cross each of `resources`, as flows stand, 0 where it is shared; written over by the next call. */
  flowing(): Float64Array {
    for (let i = 0; i < this.#metered.length; i++) this.#flowing[i] = this.#metered[i] < 0 ? 0 : this.#fluid.flowing(this.#metered[i]);
    return this.#flowing;
  }

  /** Transfers of this replica that have not ended, and 1 more while it waits for places in a memory that others have too. At 0, nothing that flows for others reaches it. */
  get size(): number {
    return this.#underWay + (this.awaitsPlaces ? 1 : 0);
  }

  /** Whether something of this replica waits for places in a memory that others have too: `pump` lets it go on. */
  get awaitsPlaces(): boolean {
    return this.#shared !== null && (this.#short || this.#stores[this.#from].waits);
  }

  #isShared(resource: string): boolean {
    return this.#shared?.resources.has(resource) ?? false;
  }

  get counters(): TierTotals[] {
    return this.tiers.map((tier, i) => ({
      name: tier.name,
      ...this.#readFrom(i),
      writtenBytes: this.#written[i],
      ...(i < this.#from
        ? {evictions: tier.evictions, refused: tier.refused, distances: Float64Array.from(tier.distances)}
        : {evictions: 0, refused: 0, distances: new Float64Array(0)}),
    }));
  }

  #readFrom(tier: number): Pick<TierTotals, 'readBytes' | 'prefetched'> {
    const prefetched = this.fetches?.totals(tier) ?? NOTHING_FETCHED;
    const {useful, late, wasted} = prefetched;
    return {readBytes: this.#read[tier] + useful + late + wasted, prefetched};
  }

  /** What transfers moved through each link and memory, but HBM, whose port steps use too. */
  get resources(): ResourceRecord[] {
    return [...this.#resources].flatMap(([name, resource]) => {
      if (name === 'hbm') return [];
      if (this.#isShared(name)) return [{name, bytes: 0, capacity: 0, waitedSeconds: 0}];
      const waitedSeconds = (this.#channels.get(name)?.waited ?? 0) * 1e-9;
      return [{name, bytes: this.#fluid.moved(resource), capacity: this.#config.resources[name], waitedSeconds}];
    });
  }

  /** How far beyond the HBM hits a chain can go without computing, up to block `limit`; the answer is in `reach`, the blocks of each tier in `found`. */
  lookup(chain: Chain, hits: number, limit: number): void {
    this.#hole = NO_BLOCK;
    this.#follow(chain, hits, limit);
    const end = hits + this.reach.blocks;
    const whole = this.#inChunks(end);
    if (whole < end) this.#follow(chain, hits, whole); // the blocks of a part of a chunk cannot be loaded
  }

  #follow(chain: Chain, hits: number, limit: number): void {
    const reach = this.reach;
    reach.blocks = reach.present = reach.idle = 0;
    this.found.fill(0);
    this.#each(chain, hits, limit, (id) => {
      const presence = this.#pool.presence(id);
      if (presence === 'absent') {
        const tier = this.#tierOf(id);
        if (tier < 0) {
          this.#hole = id;
          return false;
        }
        this.found[tier]++;
      } else {
        reach.present++;
        if (presence === 'resident' && this.#pool.isIdle(id)) reach.idle++;
      }
      reach.blocks++;
      return true;
    });
  }

  /** What was looked up last is used now: the last memory notes how long ago it had the first block that nobody has. */
  noteHole(): void {
    if (this.#hole !== NO_BLOCK) this.tiers.at(-1)!.asked(this.#hole);
    this.#hole = NO_BLOCK;
  }

  /** Seconds that loading what `lookup` found would take, alone. */
  loadSeconds(): number {
    let seconds = 0;
    for (let i = 0; i < this.found.length; i++)
      if (this.found[i] > 0) {
        const {load} = this.#config.tiers[i];
        seconds += (load.latency + this.#work(load, this.found[i])) * 1e-9;
      }
    return seconds;
  }

  /**
   * Holds blocks [from, to), prepares to load those that are not in HBM, and lets `waiter` wait for them and for what others are loading.
   *
   * Called before places are taken for them: taking may evict, here and below, and none of these must go. `send` then starts the loads.
   */
  load(waiter: Waiter, chain: Chain, from: number, to: number): void {
    this.#gateBefore = Math.max(this.#gate, this.#gateBefore);
    this.#gate = 0;
    const wanted: number[][] = this.tiers.map(() => []);
    const joined = new Set<Arriving>();
    this.#each(chain, from, to, (id) => {
      const presence = this.#pool.presence(id);
      if (presence === 'loading') {
        const arriving = this.#arriving.get(id)!;
        joined.add(arriving);
        if (arriving.kind === 'fetch') this.fetches!.join(arriving as Fetch, id, LOAD_PRIORITY);
      }
      if (presence !== 'absent') {
        this.#pool.pin(id);
        return true;
      }
      const tier = this.#tierOf(id);
      this.tiers[tier].pin(id);
      this.fetches?.loads(id, tier);
      this.#pool.expect(id);
      this.#pool.pin(id); // by the transfer: who asked for it may be preempted meanwhile
      wanted[tier].push(id);
      return true;
    });
    for (const load of joined) this.#wait(waiter, load);
    for (const [tier, ids] of wanted.entries()) {
      if (ids.length === 0) continue;
      const load: Load = {kind: 'load', tier, channel: this.#channel(tier, 'load'), ids, waiters: [], tail: 0, begun: false, since: 0};
      for (const id of ids) this.#arriving.set(id, load);
      this.#wait(waiter, load);
      this.#unsent.push(load);
    }
  }

  /** Starts the loads that were prepared; into places taken since then that are not free yet, only when they are. */
  send(now: SimTime): void {
    const gate = this.#gate;
    this.#gate = 0;
    for (const load of this.#unsent) {
      if (this.isStored(gate)) this.#start(load, now);
      else this.#gated.push({load, tier: 0, gate});
    }
    this.#unsent = [];
  }

  /** Blocks [from, to) of a chain were computed for a prompt of so many tokens: they are written below where the tier writes through. */
  produced(chain: Chain, from: number, to: number, prompt: number, now: SimTime): void {
    const write = this.#config.tiers[0]?.write;
    if (write === undefined) return;
    const through = write.when === 'through';
    const filters = this.#filters;
    if (!through && filters.length === 0) return;
    this.#each(chain, this.#inChunks(from), this.#inChunks(Math.min(to, chain.blocks)), (id) => {
      for (const filter of filters) filter.computed(id, prompt);
      if (through) this.#copy(0, id);
      return true;
    });
    if (through) this.#pump(0, now);
  }

  /** A request with a prompt of so many tokens found its chain up to block `to`: what of it is in HBM only is written below, unless the tier writes back. Also a touch. */
  use(chain: Chain, to: number, prompt: number): void {
    const {write} = this.#config.tiers[0];
    const {fetches} = this;
    const filtered = this.#filters.length > 0;
    if (fetches !== null)
      this.#each(chain, 0, to, (id) => {
        fetches.used(id);
        return true;
      });
    if (filtered || write.when === 'through') {
      this.#each(chain, 0, this.#inChunks(to), (id) => {
        if (filtered) this.#found(id, prompt);
        else this.#copy(0, id);
        return true;
      });
    }
    this.touch(chain, to);
  }

  /** A chain was used up to block `to`: its copies below are as if just read, tail first. */
  touch(chain: Chain, to: number): void {
    const {bases, counts} = chain;
    const inclusive = this.#inclusive;
    let left = Math.min(to, chain.blocks);
    let run = 0;
    for (; run < counts.length && left > counts[run]; run++) left -= counts[run];
    for (; run >= 0; run--, left = counts[run]) {
      for (let id = bases[run] + left - 1; id >= bases[run]; id--) for (const tier of inclusive) tier.touch(id);
      if (run === 0) return;
    }
  }

  /** A block was found: it is offered again to each memory that is written through and may have refused it. */
  #found(id: number, prompt: number): void {
    for (const filter of this.#filters) filter.found(id, prompt);
    for (let tier = 0; tier < this.tiers.length; tier++) {
      if (this.#config.tiers[tier].write.when !== 'through') continue;
      if (tier === 0 || (this.#admissions[tier] !== null && this.tiers[tier - 1].has(id))) this.#copy(tier, id);
    }
  }

  /** A block leaves HBM to make room: it is written below where the tier writes back. */
  leavesHbm(id: number): void {
    this.demote(0, id);
    this.#leftHbm(id);
  }

  #leftHbm(id: number): void {
    for (const filter of this.#filters) filter.leftHbm(id);
  }

  /** A request has finished: what it leaves of its chain is its session's. */
  answered({bases}: Chain): void {
    for (const filter of this.#filters) filter.answered(bases[bases.length - 1]);
  }

  #admits(tier: number, id: number): boolean {
    const admission = this.#admissions[tier];
    return admission === null || admission.admits(id);
  }

  /** Queued stores begin. Called once after everything of a time has happened. */
  pump(now: SimTime): void {
    for (let tier = 0; tier < this.tiers.length; tier++) this.#pump(tier, now);
  }

  /** The transfer that the fluid calls `tag` has ended. */
  ended(tag: number, now: SimTime): void {
    const transfer = this.#take(tag);
    const more = transfer.kind === 'load' && transfer.tail > 0;
    if (more) this.#goOn(transfer, now);
    transfer.channel.ended(tag, now);
    if (transfer.kind !== 'store' && !transfer.begun) this.#firstLayer(transfer, now);
    if (more) return;
    if (this.#hooks.onTransfer !== null) this.#hooks.onTransfer(this.#traced(transfer, now));
    if (transfer.kind === 'load') this.#loaded(transfer, now);
    else if (transfer.kind === 'store') this.#stored(transfer.tier, now);
    else this.#fetched(transfer, now);
  }

  /** Whether a transfer is of this replica: it touches nobody when blocks go from one shared memory to another. */
  isOwn(tag: number): boolean {
    return this.#isOwn(this.#transfers.moving[tag]!);
  }

  #isOwn({kind, tier}: Moving): boolean {
    return kind !== 'store' || tier <= this.#from;
  }

  /** A transfer is over: its number is free again. */
  #take(tag: number): Moving {
    const transfer = this.#transfers.moving[tag]!;
    this.#transfers.moving[tag] = null;
    this.#transfers.free.push(tag);
    if (this.#isOwn(transfer)) this.#underWay--;
    return transfer;
  }

  #traced(transfer: Moving, now: SimTime): TracedTransfer {
    const {kind, tier, ids, since} = transfer;
    const {name, load, store} = this.#config.tiers[tier];
    const {channel} = kind === 'load' ? load : kind === 'store' ? store : transfer.route;
    const blocks = ids.length;
    return {
      channel,
      kind: kind === 'fetch' ? 'prefetch' : kind,
      tier: name,
      blocks,
      bytes: blocks * this.#config.blockBytes,
      from: since,
      to: now,
    };
  }

  /** A range of ids goes back to its owner. */
  forget(base: number, count: number): void {
    for (let i = 0; i < this.#from; i++) this.tiers[i].forget(base, count);
    for (const filter of this.#filters) filter.forget(base, count);
  }

  /** The rest of a load follows its first layer. */
  #goOn(load: Load, now: SimTime): void {
    const work = load.tail;
    load.tail = 0;
    this.#submit(load, this.#config.tiers[load.tier].load, TAIL_PRIORITY, 0, work, now);
  }

  #firstLayer(load: Arriving, now: SimTime): void {
    load.begun = true;
    if (this.layers > 1) for (const waiter of load.waiters) if (--waiter.heads === 0) this.#hooks.onFirstLayer(waiter, now);
  }

  #loaded({tier, ids, waiters}: Load, now: SimTime): void {
    const {inclusive} = this.#config.tiers[tier];
    this.#read[tier] += ids.length * this.#config.blockBytes;
    for (const id of ids) {
      this.#fill(tier, id);
      this.#arriving.delete(id);
      this.#pool.arrive(id);
      this.#pool.unpin(id);
      this.tiers[tier].unpin(id);
      if (!inclusive && this.tiers[tier].has(id)) this.tiers[tier].remove(id);
    }
    for (const waiter of waiters) if (--waiter.loads === 0) this.#hooks.onLoaded(waiter, now);
  }

  /** A block was read from a memory: it also comes into those above that keep what is loaded from there. */
  #fill(tier: number, id: number): void {
    for (let from = tier; this.#config.tiers[from].fills; from--) {
      const above = this.tiers[from - 1];
      if (!above.hasOrStores(id) && this.#admits(from - 1, id) && above.hasRoom(id) && this.#reserve(from - 1, id)) above.stored(id);
    }
  }

  /** Blocks that were fetched are here: who asked for them meanwhile goes on. */
  #fetched(fetch: Fetch, now: SimTime): void {
    this.fetches!.ended(fetch);
    for (const waiter of fetch.waiters) if (--waiter.loads === 0) this.#hooks.onLoaded(waiter, now);
    this.#hooks.onFetched(fetch, now);
  }

  #stored(tier: number, now: SimTime): void {
    const {ids, pinned, leaving} = this.#stores[tier].end();
    this.#written[tier] += ids.length * this.#config.blockBytes;
    const here = this.tiers[tier];
    for (let i = 0; i < ids.length; i++) here.stored(ids.at(i));
    const source = this.#above(tier);
    for (let i = 0; i < pinned.length; i++) source.unpin(pinned.at(i));
    for (let i = 0; i < leaving.length; i++)
      if (source.isIdle(leaving.at(i))) {
        source.drop(leaving.at(i));
        if (tier === 0) this.#leftHbm(leaving.at(i));
      }
    if (this.#config.tiers[tier + 1]?.write.when === 'through') for (let i = 0; i < ids.length; i++) this.#copy(tier + 1, ids.at(i));
    this.#openGates(tier, now);
    const first = tier > this.#from ? Math.max(this.#from + 1, tier - 1) : Math.max(0, tier - 1);
    for (let near = first; near < Math.min(tier + 2, this.tiers.length); near++) this.#pump(near, now);
  }

  /** Places above a tier have become free: what waits for them goes on. */
  #openGates(stored: number, now: SimTime): void {
    if (this.#gated.length > 0) {
      const waiting = this.#gated;
      this.#gated = waiting.filter(({tier, gate}) => !this.isStored(gate, tier));
      for (const {load, tier, gate} of waiting) {
        if (!this.isStored(gate, tier)) continue;
        if (load.kind === 'load') this.#start(load, now);
        else this.#fetch(load, now);
      }
    }
    if (stored === 0) this.#hooks.onStored(now);
  }

  /** A block leaves the memory above tier `tier` to make room there: it is written here first where the tier writes back. */
  demote(tier: number, id: number): void {
    if (this.#config.tiers[tier]?.write.when !== 'back') return;
    if (this.tiers[tier].hasOrStores(id) || !this.#admits(tier, id) || !this.#reserve(tier, id)) return;
    const stores = this.#stores[tier];
    stores.add(id);
    if (tier === 0) this.#gate = stores.next;
    else this.#stores[tier - 1].gate = stores.next;
  }

  /** Queues a block of the memory above to be written to tier `tier`; it stays there until it is. */
  #copy(tier: number, id: number): void {
    if (this.tiers[tier].hasOrStores(id) || !this.#admits(tier, id)) return;
    if (tier === 0 && this.#pool.presence(id) !== 'resident') return; // preempted and evicted since it was computed
    const {throttles} = this.#config.tiers[tier];
    if (throttles && !this.tiers[tier].hasRoom(id)) {
      if (this.#stores[tier].hold(id)) this.#above(tier).pin(id);
      return;
    }
    if (!this.#reserve(tier, id)) return;
    this.#above(tier).pin(id);
    this.#stores[tier].addPinned(id, false);
  }

  /** Takes a place for a block in a tier, evicting if need be; false when everything is pinned. */
  #reserve(tier: number, id: number): boolean {
    if (this.#shared !== null) this.#shared.taker = this;
    return this.tiers[tier].reserve(id);
  }

  /** Blocks that waited for a place have one now. */
  #admitHeld(tier: number): void {
    const stores = this.#stores[tier];
    for (let id = stores.firstHeld(); id !== NO_BLOCK && this.tiers[tier].hasRoom(id); id = stores.firstHeld()) {
      stores.release(id);
      if (this.tiers[tier].hasOrStores(id)) this.#above(tier).unpin(id);
      else {
        this.#reserve(tier, id);
        stores.addPinned(id, false);
      }
    }
  }

  /** Writes what will leave the memory above next, so that enough places there are free before they are asked for. */
  #keepAhead(tier: number): void {
    const {write, ahead} = this.#config.tiers[tier];
    if (write.when !== 'back') return;
    if (tier === this.#from) this.#short = false;
    const above = this.#above(tier);
    const here = this.tiers[tier];
    const stores = this.#stores[tier];
    while (above.empty + stores.leaving < ahead) {
      const id = above.victim();
      if (id === NO_BLOCK) return;
      if (here.hasOrStores(id) || !this.#admits(tier, id)) {
        above.drop(id);
        if (tier === 0) this.#leftHbm(id);
      } else if (!here.hasRoom(id) || !this.#reserve(tier, id)) {
        if (tier === this.#from) this.#short = true;
        return;
      } else {
        above.pin(id);
        stores.addPinned(id, true);
      }
    }
  }

  #pump(tier: number, now: SimTime): void {
    if (this.#config.tiers[tier].throttles) this.#admitHeld(tier);
    this.#keepAhead(tier);
    const stores = this.#stores[tier];
    if (!stores.ready || stores.gate > (this.#stores[tier + 1]?.ended ?? 0)) return;
    const {ids} = stores.begin();
    const route = this.#config.tiers[tier].store;
    const store: Store = {kind: 'store', tier, channel: this.#channel(tier, 'store'), ids, since: now};
    this.#submit(store, route, STORE_PRIORITY, route.latency, this.#work(route, ids.length), now);
  }

  #start(load: Load, now: SimTime): void {
    const route = this.#config.tiers[load.tier].load;
    const work = this.#work(route, load.ids.length);
    load.tail = work - Math.ceil(work / this.layers);
    load.since = now;
    this.#submit(load, route, LOAD_PRIORITY, route.latency, work - load.tail, now);
  }

  #fetch(fetch: Fetch, now: SimTime): void {
    const {route, ids} = fetch;
    fetch.since = now;
    const priority = fetch.waiters.length > 0 ? LOAD_PRIORITY : FETCH_PRIORITY;
    fetch.tag = this.#submit(fetch, route, priority, route.latency, this.#work(route, ids.length), now);
  }

  /** The memory that tier `tier` is written from. */
  #above(tier: number): StoreSource {
    return tier === 0 ? this.#pool : this.tiers[tier - 1];
  }

  /** Gives `work` ns of a transfer to its channel, at the pace of all of it. Returns its tag. */
  #submit(transfer: Moving, route: Route, priority: number, delay: SimTime, work: SimTime, now: SimTime): number {
    if (this.#isOwn(transfer)) {
      this.#underWay++;
      this.#hooks.beforeFlow(now);
    }
    const {moving, free} = this.#transfers;
    const tag = free.pop() ?? moving.length;
    moving[tag] = transfer;
    if (this.#shared !== null) this.#shared.senders[tag] = this;
    const {length} = transfer.ids;
    const rate = Math.round((length * this.#config.blockBytes) / (this.#work(route, length) * 1e-9));
    const path: {resource: number; rate: number}[] = [];
    // A copy within one memory reads and writes it: one flow that uses it twice over, not two that each have a part of it.
    for (const name of route.through) {
      const resource = this.resource(name);
      const use = path.find((one) => one.resource === resource);
      if (use === undefined) path.push({resource, rate});
      else use.rate += rate;
    }
    transfer.channel.submit({tag, priority, delay, work, path}, now);
    return tag;
  }

  /** ns that blocks take at full speed, once the first byte is there. */
  #work({perBlock, bandwidth}: Route, blocks: number): SimTime {
    return Math.max(1, Math.round(blocks * perBlock + ((blocks * this.#config.blockBytes) / bandwidth) * 1e9));
  }

  #channel(tier: number, way: 'load' | 'store'): Channel {
    return this.#channels.get(this.#config.tiers[tier][way].channel)!;
  }

  #wait(waiter: Waiter, load: Arriving): void {
    waiter.loads++;
    if (!load.begun) waiter.heads++;
    load.waiters.push(waiter);
  }

  #tierOf(id: number, tiers = this.#reachable): number {
    for (let i = 0; i < tiers; i++) if (this.tiers[i].has(id)) return i;
    return -1;
  }

  /** Blocks of the whole chunks among the first `blocks` of a chain. */
  #inChunks(blocks: number): number {
    const {chunkBlocks} = this.#config;
    return chunkBlocks === 1 ? blocks : blocks - (blocks % chunkBlocks);
  }

  /** Visits the ids of blocks [from, to) of a chain until `visit` says no. */
  #each(chain: Chain, from: number, to: number, visit: (id: number) => boolean): void {
    const {bases, counts} = chain;
    const end = Math.min(to, chain.blocks);
    for (let run = 0, first = 0; run < bases.length && first < end; first += counts[run++]) {
      const stop = Math.min(first + counts[run], end);
      for (let index = Math.max(first, from); index < stop; index++) if (!visit(bases[run] + index - first)) return;
    }
  }
}
