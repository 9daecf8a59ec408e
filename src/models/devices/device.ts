import type {FitJson} from '../cost/fit/fit.js';
import type {Figure} from '../provenance.js';

/** Number formats that pick a compute peak. */
export type ComputeType = 'fp32' | 'bf16' | 'fp16' | 'fp8' | 'fp4' | 'int8';

/** Generations whose kernels reach about the same share of their peaks. */
export const architectures = ['ampere', 'ada', 'hopper', 'blackwell', 'blackwell-rtx', 'cdna3', 'apple', 'cpu'] as const;
export type Architecture = (typeof architectures)[number];

export type MemoryName = 'hbm' | 'dram' | 'ssd' | 'remote' | 'unified';

/**
 * One accelerator or CPU as built-in files state it: quantities are strings with a unit.
 *
 * Capacities are what the driver reports, compute peaks are dense.
 */
export interface DeviceSpec {
  readonly name: string;
  readonly kind: 'gpu' | 'cpu' | 'soc';
  readonly vendor: string;
  /** Absent: the cost model takes cautious shares of the peaks. */
  readonly architecture?: Architecture;
  /** Its own first memory comes first. */
  readonly memory: Readonly<Partial<Record<MemoryName, {readonly capacity?: Figure<string>; readonly bandwidth: Figure<string>}>>>;
  readonly compute: Readonly<Partial<Record<ComputeType, Figure<string>>>>;
  /** `part`: which of `linkParts` it is, for what copies in small pieces cost. */
  readonly links: Readonly<
    Partial<Record<LinkName, {readonly bandwidth: Figure<string>; readonly latency?: Figure<string>; readonly part?: string}>>
  >;
  readonly power?: Figure<string>;
  /** The system that decides how much of a unified memory the GPU may use; absent: all of it. */
  readonly os?: 'macos';
  /** Entries of a profile's `fits`, by kernel; a function, so that only the device in use is read. */
  readonly fits?: () => Readonly<Record<string, FitJson>>;
}

export type LinkName = 'host' | 'storage' | 'direct' | 'peer' | 'network';

/** Fits of measured kernels, with the figures of the device they were measured on: another bandwidth in the scenario stretches them. */
export interface DeviceFits {
  readonly kernels: Readonly<Record<string, FitJson>>;
  /** FLOP/s by format, and B/s of the memory and of the peer link (0: none). */
  readonly on: {
    readonly compute: Readonly<Partial<Record<ComputeType, number>>>;
    readonly bandwidth: number;
    readonly peer: number;
  };
}

/** A device with every quantity in SI and every override of the scenario applied. */
export interface Device {
  readonly id: string;
  readonly name: string;
  readonly kind: 'gpu' | 'cpu' | 'soc';
  readonly vendor: string;
  readonly architecture?: Architecture;
  /** The memory that weights and KV live in by default: the first of `memory`. */
  readonly home: MemoryName;
  readonly memory: Readonly<Partial<Record<MemoryName, {readonly capacity: Figure | null; readonly bandwidth: Figure}>>>;
  readonly compute: Readonly<Partial<Record<ComputeType, Figure>>>;
  readonly links: Readonly<Partial<Record<LinkName, {readonly bandwidth: Figure; readonly latency: Figure; readonly part?: string}>>>;
  readonly power: Figure | null;
  /** The system that decides how much of a unified memory the GPU may use; absent: all of it. */
  readonly os?: 'macos';
  /** Bytes of a unified memory that the GPU may use; null: all of it, or the size is not known. */
  readonly gpuLimit: Figure | null;
  /** The earlier ones win. Absent: nothing was measured. */
  readonly fits?: readonly DeviceFits[];
}
