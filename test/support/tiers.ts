import {factoryOf} from '../../src/policies/eviction/eviction.js';
import {lru} from '../../src/policies/eviction/lru.js';
import type {HierarchyConfig, TierConfig} from '../../src/sim/memory/hierarchy-config.js';
import {incoming} from '../../src/sim/scenario/incoming.js';
import type {BlockAdmissionChoice, KvTier, KvWrite} from '../../src/sim/scenario/scenario.js';

const GB = 1e9;

export interface TierShape {
  readonly dram?: number;
  readonly ssd?: number;
  readonly write?: KvWrite;
  readonly inclusive?: boolean;
  /** B/s of the host link each way, and of the SSD. */
  readonly host?: number;
  readonly disk?: number;
  readonly latency?: number;
  readonly hbm?: number;
  readonly blockBytes?: number;
  /** Places kept free ahead in the memories that write back. */
  readonly ahead?: number;
  /** Layers that loads and prefill are pipelined by. */
  readonly layers?: number;
  /** Blocks of DRAM between the memory above and the SSD, as its page cache. */
  readonly pageCache?: number;
  /** Whether all of them but the disk lie in one memory. */
  readonly unified?: boolean;
  /** What the disk is written by, when not as DRAM. */
  readonly onDisk?: KvWrite;
  /** Whether what is loaded from the disk also comes into DRAM. */
  readonly promote?: boolean;
  readonly chunkBlocks?: number;
  /** Which blocks come into each memory, and when places are freed in bulk there. */
  readonly admission?: BlockAdmissionChoice;
  readonly watermark?: KvTier['watermark'];
  /** The nearest memory that replicas share. */
  readonly shared?: 'dram' | 'page-cache' | 'ssd' | null;
}

/** Host memory and a disk below HBM, in blocks of 1 MB unless said. */
export function hierarchyConfig({
  dram = 0,
  ssd = 0,
  write = {when: 'through', generated: true},
  inclusive = true,
  host = 50 * GB,
  disk = 5 * GB,
  latency = 0,
  hbm = 3000 * GB,
  blockBytes = 1e6,
  ahead = 0,
  layers = 1,
  pageCache = 0,
  unified = false,
  onDisk = pageCache > 0 ? {when: 'through', generated: true} : write,
  promote = false,
  chunkBlocks = 1,
  admission,
  watermark,
  shared = null,
}: TierShape): HierarchyConfig {
  const into = (capacity: number, how = write) =>
    incoming(
      {
        write: how,
        ...(admission === undefined || how.when === 'selective' ? {} : {admission}),
        ...(watermark === undefined ? {} : {watermark}),
      },
      capacity,
    );
  const tiers: TierConfig[] = [];
  if (dram > 0) {
    tiers.push({
      name: 'dram',
      capacity: dram,
      eviction: factoryOf('lru', lru),
      ...into(dram),
      ahead,
      inclusive,
      throttles: false,
      fills: false,
      load: {channel: 'host.up', through: ['dram', 'host.up', 'hbm'], bandwidth: host, latency, perBlock: 0},
      store: {channel: 'host.down', through: ['hbm', 'host.down', 'dram'], bandwidth: host, latency, perBlock: 0},
      raise: null,
    });
  }
  if (pageCache > 0) {
    tiers.push({
      name: 'page-cache',
      capacity: pageCache,
      eviction: factoryOf('lru', lru),
      ...into(pageCache),
      ahead,
      inclusive: true,
      throttles: true,
      fills: promote && dram > 0,
      load: {channel: 'host.up', through: ['dram', 'host.up', 'hbm'], bandwidth: host, latency, perBlock: 0},
      store: {channel: 'host.down', through: ['hbm', 'host.down', 'dram'], bandwidth: host, latency, perBlock: 0},
      raise: dram > 0 ? {channel: 'page-cache', through: ['dram', 'dram'], bandwidth: 100 * GB, latency: 0, perBlock: 0} : null,
    });
  }
  if (ssd > 0) {
    tiers.push({
      name: 'ssd',
      capacity: ssd,
      eviction: factoryOf('lru', lru),
      ...into(ssd, onDisk),
      ahead,
      inclusive,
      throttles: false,
      fills: pageCache > 0 || (promote && dram > 0),
      load: {channel: 'ssd.read', through: ['ssd', 'dram', 'host.up', 'hbm'], bandwidth: Math.min(disk, host), latency, perBlock: 0},
      store: {channel: 'ssd.write', through: ['dram', 'ssd'], bandwidth: disk, latency, perBlock: 0},
      raise: tiers.length > 0 ? {channel: 'ssd.read', through: ['ssd', 'dram'], bandwidth: disk, latency, perBlock: 0} : null,
    });
  }
  if (unified) {
    const within = {through: ['hbm', 'hbm'], bandwidth: hbm / 2};
    const toDisk = {through: ['hbm', 'ssd'], bandwidth: Math.min(disk, hbm)};
    return {
      resources: {hbm, ssd: disk},
      channels: {'host.up': 1, 'host.down': 1, 'ssd.read': 4, 'ssd.write': 1},
      tiers: tiers.map((tier) => {
        const way = tier.name === 'ssd' ? toDisk : within;
        return {...tier, load: {...tier.load, ...way}, store: {...tier.store, ...way}};
      }),
      blockBytes,
      chunkBlocks,
      layers,
      shared: sharedPart(tiers, shared, true),
    };
  }
  return {
    resources: {hbm, dram: 200 * GB, 'host.up': host, 'host.down': host, ssd: disk},
    channels: {'host.up': 1, 'host.down': 1, 'ssd.read': 4, 'ssd.write': 1, 'page-cache': 1},
    tiers,
    blockBytes,
    chunkBlocks,
    layers,
    shared: sharedPart(tiers, shared, false),
  };
}

/** From `nearest` on all is shared, with DRAM where blocks that are shared lie in it. */
function sharedPart(tiers: readonly TierConfig[], nearest: TierShape['shared'], unified: boolean): HierarchyConfig['shared'] {
  const from = tiers.findIndex(({name}) => name === nearest);
  if (from < 0) return null;
  const inDram = !unified && nearest !== 'ssd';
  return {from, resources: [...(inDram ? ['dram'] : []), 'ssd'], channels: ['ssd.read', 'ssd.write', ...(inDram ? ['page-cache'] : [])]};
}
