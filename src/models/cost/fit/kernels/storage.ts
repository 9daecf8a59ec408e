import type {Kernel, KernelWork} from './kernel.js';

/** Reads or writes of a storage device: seconds per request of `bytes` with `depth` requests in flight. */
export function storageRequests(direction: 'read' | 'write'): Kernel {
  return {
    name: `storage.${direction}`,
    axes: ['bytes', 'depth'],
    coordinates: [
      {name: 'bytes', of: ([bytes]) => bytes},
      {name: 'depth', of: ([, depth]) => depth},
    ],
    compute: null,
    work([bytes]: readonly number[], into: KernelWork): void {
      into.flops = 0;
      into.bytes = bytes;
    },
  };
}
