import type {Kernel, KernelWork} from './kernel.js';

/** Kernels that stream a working set once a call, from whichever cache or memory holds it. */
export const memoryOps = ['mem.read', 'mem.write', 'mem.copy', 'mem.triad'] as const;
export type MemoryOp = (typeof memoryOps)[number];

/** One pass over a working set of `bytes`, all arrays together. */
export function memoryStream(op: MemoryOp): Kernel {
  return {
    name: op,
    axes: ['bytes'],
    coordinates: [{name: 'bytes', of: ([bytes]) => bytes}],
    compute: null,
    work([bytes]: readonly number[], into: KernelWork): void {
      into.flops = 0;
      into.bytes = bytes;
    },
  };
}
