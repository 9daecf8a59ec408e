import type {ComputeType} from '../../../devices/device.js';

/** What one launch computes and moves. */
export interface KernelWork {
  flops: number;
  /** Bytes read from and written to the device's memory, or sent over a link. */
  bytes: number;
}

/** A direction in which a kernel's efficiency changes: an axis of the residual table, read on a log2 scale. */
export interface Coordinate {
  readonly name: string;
  /** Above 0. */
  readonly of: (shape: readonly number[]) => number;
}

/** A kernel of one number format: what its shape means and what work a shape is. */
export interface Kernel {
  /** Key in a profile's `fits`, for example `gemm.bf16`. */
  readonly name: string;
  /** What the numbers of a shape are, in order. */
  readonly axes: readonly string[];
  readonly coordinates: readonly Coordinate[];
  /** Which peak of a device bounds its arithmetic; null when the bytes cross a link and not the device's memory. */
  readonly compute: ComputeType | null;
  /** Writes the work of one launch at `shape`. */
  work(shape: readonly number[], into: KernelWork): void;
  /** Whether a small working set may live in the cache, so that implied bandwidth above the memory's is no fault. */
  readonly cached?: boolean;
}

/** An axis as a coordinate. */
export function axis(name: string, index: number): Coordinate {
  return {name, of: (shape) => shape[index]};
}
