import {hasOneMemory} from '../../models/devices/index.js';
import {fromSeconds} from '../core/time.js';
import type {HierarchyConfig, Route, TierConfig} from '../memory/hierarchy-config.js';
import type {SimulationParts} from '../serving/simulation.js';
import {evictionOf} from './eviction-of.js';
import {incoming} from './incoming.js';
import type {HostLink, HostLinkName, KvTier, MemoryPlan, Scenario} from './scenario.js';
import {sharedPart} from './shared.js';

/** Loads that an SSD serves at once; more only share it, and cost time to simulate. */
const mostReaders = 8;

/** The memories below HBM, with the links to them, as a run sees them; null where there is none. */
export function hierarchyOf(scenario: Scenario, plan: MemoryPlan): NonNullable<SimulationParts['below']> | null {
  const {kv} = scenario;
  const routes = new Routes(scenario, plan);
  const tiers = kv.tiers.flatMap((tier, i): TierConfig[] => {
    const {kvBlocks} = plan.tiers[i];
    if (kvBlocks < 1) return [];
    return [
      {
        name: tier.name,
        capacity: kvBlocks,
        eviction: evictionOf(tier),
        ...incoming(tier, kvBlocks),
        ahead: ahead(scenario, i === 0 ? plan.kvBlocks : plan.tiers[i - 1].kvBlocks),
        inclusive: tier.inclusive,
        throttles: tier.name === 'page-cache',
        fills: i > 0 && (tier.promote || (tier.name === 'ssd' && kv.tiers[i - 1].name === 'page-cache')),
        load: routes.load(tier),
        store: routes.store(tier),
        raise: routes.raise(tier),
      },
    ];
  });
  if (tiers.length === 0) return null;
  const resources = routes.resources();
  return {
    hierarchy: {
      resources,
      channels: routes.channels(),
      tiers,
      blockBytes: plan.blockBytes,
      chunkBlocks: kv.chunkBlocks,
      layers: kv.overlap === 'layer' ? layersOf(scenario) : 1,
      shared: sharedPart(scenario, plan, resources),
    },
    load: kv.load,
    leastTokens: kv.leastLoad,
  };
}

/** Places kept free ahead of write-back: twice what a step can need, as vLLM's lazy offload does (FORMATS §8.1), and at most an eighth of the memory. */
function ahead({scheduler, kv}: Scenario, blocks: number): number {
  return Math.min(2 * Math.ceil(scheduler.maxNumBatchedTokens / kv.blockSize), Math.floor(blocks / 8));
}

/** A part of a way: the resources it takes, its rate and what it costs beside. */
interface Leg {
  readonly through: readonly string[];
  readonly bandwidth: number;
  /** s. */
  readonly latency: number;
  /** s. */
  readonly perBlock: number;
}

/** The ways between the memories of one scenario. */
class Routes {
  readonly #scenario: Scenario;
  /** Bytes of a block over all devices. */
  readonly #blockBytes: number;
  /** Whether DRAM is the device's own memory: what lies in it is copied within, and an SSD leads straight to it. */
  readonly #one: boolean;

  constructor(scenario: Scenario, plan: MemoryPlan) {
    this.#scenario = scenario;
    this.#blockBytes = plan.blockBytes;
    this.#one = hasOneMemory(scenario.device);
  }

  load(tier: KvTier): Route {
    switch (tier.name) {
      case 'dram':
        return this.#route('host.up', this.#one ? [this.#copied()] : [this.#dram(), ...this.#host('up'), this.#hbm()]);
      case 'page-cache':
        return this.#route('host.up', this.#one ? [this.#copied()] : [this.#copied(), this.#dram(), ...this.#host('up'), this.#hbm()]);
      case 'ssd':
        return this.#route('ssd.read', [this.#ssd('read'), ...this.#between(tier, 'up'), ...this.#host('up'), this.#hbm()]);
      case 'remote':
        return this.#route('network.up', [this.#remote(), ...this.#link('network', 'up'), ...this.#staged(tier, 'up'), this.#hbm()]);
    }
  }

  store(tier: KvTier): Route {
    // From the memory above: DRAM where blocks stay there, else HBM.
    const fromDram = this.#scenario.kv.tiers.some(({name}) => name === 'dram');
    const fromHbm = [this.#hbm(), ...this.#host('down')];
    switch (tier.name) {
      case 'dram':
        return this.#route('host.down', this.#one ? [this.#copied()] : [...fromHbm, this.#dram()]);
      case 'page-cache':
        return fromDram || this.#one
          ? this.#route(fromDram ? 'page-cache' : 'host.down', [this.#copied()])
          : this.#route('host.down', [...fromHbm, this.#dram(), this.#copied()]);
      case 'ssd':
        if (fromDram || this.#isCached)
          return this.#route('ssd.write', [this.#dram(), ...this.#link('storage', 'down'), this.#ssd('write')]);
        return this.#route('ssd.write', [...fromHbm, ...this.#between(tier, 'down'), this.#ssd('write')]);
      case 'remote': {
        const legs = [...this.#link('network', 'down'), this.#remote()];
        const first = fromDram && tier.via === 'dram' ? [this.#dram()] : [this.#hbm(), ...this.#staged(tier, 'down')];
        return this.#route('network.down', [...first, ...legs]);
      }
    }
  }

  /** To DRAM, where blocks stay there. */
  raise(tier: KvTier): Route | null {
    const near = this.#scenario.kv.tiers[0].name;
    if (tier.name === near || (near !== 'dram' && near !== 'page-cache')) return null;
    switch (tier.name) {
      case 'dram':
        return null;
      case 'page-cache':
        return this.#route('page-cache', [this.#copied()]);
      case 'ssd':
        return this.#route('ssd.read', [this.#ssd('read'), ...this.#link('storage', 'up'), this.#dram()]);
      case 'remote':
        return this.#route('network.up', [this.#remote(), ...this.#link('network', 'up'), this.#dram()]);
    }
  }

  /** Each direction of the host link is one copy engine a device, all of them together one. */
  channels(): HierarchyConfig['channels'] {
    const depth = this.#scenario.host.ssd?.queueDepth ?? 1;
    const single = ['host.up', 'host.down', 'ssd.write', 'page-cache', 'network.up', 'network.down'];
    return {...Object.fromEntries(single.map((name) => [name, 1])), 'ssd.read': Math.min(depth, mostReaders)};
  }

  resources(): HierarchyConfig['resources'] {
    const {device, count, host} = this.#scenario;
    const {dram, ssd, remote, links} = host;
    return {
      hbm: device.memory[device.home]!.bandwidth.value * count,
      ...(dram === null || this.#one ? {} : {dram: dram.bandwidth.value}),
      ...directions('host', links.host),
      ...directions('storage', links.storage),
      ...directions('direct', links.direct),
      ...directions('network', links.network),
      ...(remote === null || remote.bandwidth === null ? {} : {remote: remote.bandwidth.value}),
      // Reads and writes each have their limit, and together no more than the larger.
      ...(ssd === null ? {} : {'ssd.read': ssd.read.value, 'ssd.write': ssd.write.value, ssd: Math.max(ssd.read.value, ssd.write.value)}),
    };
  }

  get #isCached(): boolean {
    return this.#scenario.kv.tiers.some(({name}) => name === 'page-cache');
  }

  #route(channel: string, legs: readonly Leg[]): Route {
    return route(channel, this.#blockBytes, legs);
  }

  #hbm(): Leg {
    const {device, count} = this.#scenario;
    return {through: ['hbm'], bandwidth: device.memory[device.home]!.bandwidth.value * count, latency: 0, perBlock: 0};
  }

  #dram(): Leg {
    if (this.#one) return this.#hbm();
    const {bandwidth, latency} = this.#scenario.host.dram!;
    return {through: ['dram'], bandwidth: bandwidth.value, latency: latency.value, perBlock: 0};
  }

  /** A copy inside DRAM, between the page cache and the engine's own buffers: it reads and writes. */
  #copied(): Leg {
    const {through, bandwidth} = this.#dram();
    return {through: [...through, ...through], bandwidth: bandwidth / 2, latency: 0, perBlock: 0};
  }

  #remote(): Leg {
    const {bandwidth, latency} = this.#scenario.host.remote!;
    return bandwidth === null
      ? {through: [], bandwidth: Number.POSITIVE_INFINITY, latency: latency.value, perBlock: 0}
      : {through: ['remote'], bandwidth: bandwidth.value, latency: latency.value, perBlock: 0};
  }

  /** DRAM and the host link between the network and HBM, unless the network card reaches HBM itself. */
  #staged(tier: KvTier, way: 'up' | 'down'): Leg[] {
    return tier.via === 'direct' || this.#one ? [] : [this.#dram(), ...this.#host(way)];
  }

  #host(way: 'up' | 'down'): Leg[] {
    return this.#link('host', way);
  }

  /** What lies between an SSD and the host link. */
  #between(tier: KvTier, way: 'up' | 'down'): Leg[] {
    if (this.#one) return this.#link('storage', way);
    return tier.via === 'direct' ? this.#link('direct', way) : [...this.#link('storage', way), this.#dram()];
  }

  #link(name: HostLinkName, way: 'up' | 'down'): Leg[] {
    const link = this.#scenario.host.links[name];
    if (link === null) return [];
    const through = link.duplex === null ? [`${name}.${way}`] : [`${name}.${way}`, `${name}.both`];
    return [{through, bandwidth: link.bandwidth.value, latency: link.latency.value, perBlock: link.piece.value * pieces(this.#scenario)}];
  }

  /** A block, or a chunk of them, is one request; its rate is bound by operations a second and by how many are in flight. */
  #ssd(way: 'read' | 'write'): Leg {
    const {latency, iops, queueDepth, ...rates} = this.#scenario.host.ssd!;
    const bytes = this.#blockBytes * this.#scenario.kv.chunkBlocks;
    const each = Math.max(bytes / rates[way].value, iops === null ? 0 : 1 / iops.value, latency.value / queueDepth);
    return {through: [`ssd.${way}`, 'ssd'], bandwidth: bytes / each, latency: latency.value, perBlock: 0};
  }
}

function layersOf({llm}: Scenario): number {
  return llm.layers.reduce((sum, {count}) => sum + count, 0);
}

/** Contiguous pieces that a block of one device is copied in. */
function pieces({engine, llm}: Scenario): number {
  if (engine.copyPieces !== 'layer') return 1;
  return llm.layers.reduce((sum, {count, attention}) => sum + count * (attention.kind === 'gqa' ? 2 : 1), 0);
}

function directions(name: string, link: HostLink | null): Record<string, number> {
  if (link === null) return {};
  const {bandwidth, duplex} = link;
  return {
    [`${name}.up`]: bandwidth.value,
    [`${name}.down`]: bandwidth.value,
    ...(duplex === null ? {} : {[`${name}.both`]: duplex.value}),
  };
}

/** Legs one after the other, in a stream: as fast as the slowest of them, later by all their latencies. */
function route(channel: string, blockBytes: number, legs: readonly Leg[]): Route {
  const bandwidth = Math.min(...legs.map((leg) => leg.bandwidth));
  const slowest = Math.max(...legs.map((leg) => leg.perBlock + blockBytes / leg.bandwidth));
  return {
    channel,
    through: legs.flatMap(({through}) => through),
    bandwidth,
    latency: fromSeconds(legs.reduce((sum, {latency}) => sum + latency, 0)),
    perBlock: (slowest - blockBytes / bandwidth) * 1e9,
  };
}
