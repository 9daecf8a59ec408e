import type {BlockFacts} from '../../policies/eviction/policy.js';
import {Channel} from '../core/channel.js';
import type {Fluid} from '../core/fluid.js';
import type {ResourceRecord} from '../metrics/record.js';
import type {TierTotals} from '../metrics/recorder.js';
import type {BlockOwners} from './block-pool.js';
import type {Hierarchy, Moving} from './hierarchy.js';
import type {HierarchyConfig} from './hierarchy-config.js';
import {StoreQueue} from './store-queue.js';
import {Tier} from './tier.js';

/** Transfers by the number that the fluid calls them by. */
export interface TransferTable {
  readonly moving: (Moving | null)[];
  /** Numbers that can be used again. */
  readonly free: number[];
}

/** What a hierarchy has in place of memories, links and queues of its own. */
export interface SharedParts {
  readonly config: HierarchyConfig;
  readonly fluid: Fluid;
  readonly owners: BlockOwners;
  readonly facts: BlockFacts;
  /** Called before a memory has more or fewer blocks. */
  readonly beforeChange: () => void;
}

/**
 * The farther memories of several replicas, which all of them read and write: one set of blocks, one policy, one set of links.
 *
 * Each replica has a hierarchy that ends in these. What it writes to the nearest of them waits in a queue of its own; what they write to each other waits here, and belongs to nobody.
 */
export class SharedMemories {
  /** By place among all memories below HBM. */
  readonly tiers = new Map<number, Tier>();
  /** Of what is written to each of them but the nearest. */
  readonly stores = new Map<number, StoreQueue>();
  readonly resources = new Map<string, number>();
  readonly channels = new Map<string, Channel>();
  readonly transfers: TransferTable = {moving: [], free: []};
  /** By the same number: whose transfer it is; of one between two of these memories, who began it. */
  readonly senders: Hierarchy[] = [];
  /** Blocks used by tier, 0 for those that replicas have for themselves. */
  readonly used: Int32Array;
  /** The hierarchy that takes a place in one of them now: what has to leave for it holds that one up. */
  taker: Hierarchy | null = null;
  readonly #fluid: Fluid;
  readonly #config: HierarchyConfig;
  readonly #flowing: Float64Array;

  constructor({config, fluid, owners, facts, beforeChange}: SharedParts) {
    const shared = config.shared!;
    this.#fluid = fluid;
    this.#config = config;
    this.used = new Int32Array(config.tiers.length);
    this.#flowing = new Float64Array(Object.keys(config.resources).length - 1); // all but HBM's
    for (const name of shared.resources) this.resources.set(name, fluid.resource(config.resources[name]));
    for (const name of shared.channels) this.channels.set(name, new Channel(fluid, config.channels[name]));
    for (let i = shared.from; i < config.tiers.length; i++) {
      const {name, capacity, eviction, watermark} = config.tiers[i];
      const onUsed = (used: number) => {
        beforeChange();
        this.used[i] = used;
      };
      const policy = eviction({...facts, blocks: 1024, capacity});
      this.tiers.set(i, new Tier(name, capacity, policy, owners, (id) => this.taker!.demote(i + 1, id), onUsed, watermark));
      if (i > shared.from) this.stores.set(i, new StoreQueue());
    }
  }

  /** B/s that cross each resource, as flows stand, 0 for those that replicas have for themselves; written over by the next call. */
  flowing(): Float64Array {
    let i = 0;
    for (const name of Object.keys(this.#config.resources)) {
      if (name === 'hbm') continue;
      const resource = this.resources.get(name);
      this.#flowing[i++] = resource === undefined ? 0 : this.#fluid.flowing(resource);
    }
    return this.#flowing;
  }

  /** What the memories counted; bytes are counted by the replicas that move them. */
  get counters(): TierTotals[] {
    return this.#config.tiers.map(({name}, i) => {
      const tier = this.tiers.get(i);
      return {
        name,
        readBytes: 0,
        prefetched: {useful: 0, late: 0, wasted: 0},
        writtenBytes: 0,
        evictions: tier?.evictions ?? 0,
        refused: tier?.refused ?? 0,
        distances: Float64Array.from(tier?.distances ?? []),
      };
    });
  }

  /** What transfers moved through each link and memory that is shared; nothing for the others. */
  get record(): ResourceRecord[] {
    return Object.keys(this.#config.resources).flatMap((name) => {
      if (name === 'hbm') return [];
      const resource = this.resources.get(name);
      if (resource === undefined) return [{name, bytes: 0, capacity: 0, waitedSeconds: 0}];
      const waitedSeconds = (this.channels.get(name)?.waited ?? 0) * 1e-9;
      return [{name, bytes: this.#fluid.moved(resource), capacity: this.#config.resources[name], waitedSeconds}];
    });
  }

  /** A range of ids goes back to its owner. */
  forget(base: number, count: number): void {
    for (const tier of this.tiers.values()) tier.forget(base, count);
  }
}
