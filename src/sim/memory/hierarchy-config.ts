import type {EvictionFactory} from '../../policies/eviction/policy.js';
import type {SimTime} from '../core/time.js';

/** A way that bytes take, at full speed and alone. */
export interface Route {
  /** Name of the channel whose lanes it uses. */
  readonly channel: string;
  /** Resources on its way, by name; one that it reads and writes stands there twice. */
  readonly through: readonly string[];
  /** B/s of the slowest part, in large pieces. */
  readonly bandwidth: number;
  /** ns before the first byte. */
  readonly latency: SimTime;
  /** ns that each block costs beside its bytes: what makes small blocks slow. */
  readonly perBlock: SimTime;
}

/** What counts as a use of a block that is written after so many of them. */
export type UseRule = 'hits' | 'lookups' | 'stay';

/** One memory below HBM, nearest first. */
export interface TierConfig {
  readonly name: string;
  readonly capacity: number;
  readonly eviction: EvictionFactory;
  /** When a block is written here: when it is computed, when it leaves the memory above, or once it was used so often. */
  readonly write:
    | {
        readonly when: 'through';
        /** Nearest tier: whether generated blocks are written too, or only once they are part of a prompt. */
        readonly generated: boolean;
      }
    | {readonly when: 'back'}
    | {
        readonly when: 'selective';
        readonly afterTouches: number;
        /** What counts as a use: being found; being found or computed; the same since the block came to HBM. Below the nearest tier: being found. */
        readonly counts: UseRule;
        /** Nearest tier, where computing counts: whether generated blocks count when they are computed, or only once they are part of a prompt. */
        readonly generated: boolean;
      };
  /** Places that are kept free ahead in the memory above, when that writes back here. */
  readonly ahead: number;
  /** Whether a block that is loaded to HBM stays here. */
  readonly inclusive: boolean;
  /** Whether a block that finds no place because all of them are being written on waits for one, as a writer to a page cache does; else it is not written. */
  readonly throttles: boolean;
  /** Whether what is loaded from here also comes into the memory below HBM that is above, as into a page cache. */
  readonly fills: boolean;
  /** From here to HBM, and from the memory above to here. */
  readonly load: Route;
  readonly store: Route;
  /** From here to the nearest memory; null: there is no way, or this is it. */
  readonly raise: Route | null;
}

export interface HierarchyConfig {
  /** Capacity of each resource by name, B/s over the whole replica. `hbm` is the device's own memory. */
  readonly resources: Readonly<Record<string, number>>;
  /** Lanes of each channel by name. */
  readonly channels: Readonly<Record<string, number>>;
  readonly tiers: readonly TierConfig[];
  /** Bytes of a block. */
  readonly blockBytes: number;
  /** Blocks of a chunk: only whole chunks are written from HBM and loaded to it. 1: blocks are. */
  readonly chunkBlocks: number;
  /** Layers, when computing may begin as soon as the first of them is loaded; 1: only when all is. */
  readonly layers: number;
}
