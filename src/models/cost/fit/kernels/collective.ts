import type {Kernel, KernelWork} from './kernel.js';

/** Which devices take part in a collective, and over what: constants of one topology say nothing about another. */
export interface Topology {
  readonly op: CollectiveOp;
  /** For example `nccl`, `vllm_graph`, `vllm_eager`. */
  readonly backend: string;
  readonly gpus: number;
  /** Devices of one node that take part. */
  readonly perNode: number;
}

export const collectiveOps = ['all_reduce', 'all_gather', 'reduce_scatter', 'alltoall', 'send_recv'] as const;
export type CollectiveOp = (typeof collectiveOps)[number];

/** A collective over one topology: the shape is the bytes of the message. */
export function collective({op, backend, gpus, perNode}: Topology): Kernel {
  return {
    name: `${op}.${backend}.${gpus}gpu.${perNode}pernode`,
    axes: ['bytes'],
    coordinates: [{name: 'bytes', of: ([bytes]) => bytes}],
    compute: null,
    work([bytes]: readonly number[], into: KernelWork): void {
      into.flops = 0;
      into.bytes = bytes;
    },
  };
}
