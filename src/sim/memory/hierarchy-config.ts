import type {AdmissionFacts, BlockAdmission} from '../../policies/admission/block.js';
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

/** One memory below HBM, nearest first. */
export interface TierConfig {
  readonly name: string;
  readonly capacity: number;
  readonly eviction: EvictionFactory;
  /** When a block is to be written here: when it is computed and whenever it is found, or when it leaves the memory above. */
  readonly write:
    | {
        readonly when: 'through';
        /** Nearest tier: whether generated blocks are written too, or only once they are part of a prompt. */
        readonly generated: boolean;
      }
    | {readonly when: 'back'};
  /** Which of them come in; null: all. */
  readonly admission: ((facts: AdmissionFacts) => BlockAdmission) | null;
  /** Blocks at which places are freed in bulk, until no more than so many are taken; null: one is freed when one is needed. */
  readonly watermark: {readonly high: number; readonly low: number} | null;
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

/** What all replicas have together. */
export interface SharedPart {
  /** The nearest tier that is shared, by its place; all after it are. */
  readonly from: number;
  /** Names of the resources and channels that there is one of for all replicas. */
  readonly resources: readonly string[];
  readonly channels: readonly string[];
}

export interface HierarchyConfig {
  /** Capacity of each resource by name, B/s over the whole replica, or of all together where they share it. `hbm` is the device's own memory. */
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
  /** Null: every replica has all of it for itself. */
  readonly shared: SharedPart | null;
}
