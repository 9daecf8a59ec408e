import {InputError} from '../../sim/core/errors.js';
import type {Device} from '../devices/device.js';
import type {KernelTime, KernelTimes} from './kernel-time.js';

/** Constants of collectives between the devices of one replica. */
export interface Collectives {
  readonly devices: number;
  /** B/s that a ring moves through one device's link. */
  readonly busBandwidth: number;
  /** Seconds before the first byte: one kernel in a CUDA graph. */
  readonly start: number;
  /** Seconds of one hop of a ring. */
  readonly hop: number;
}

/** Below this a one-shot kernel that reads all peers at once replaces the ring. */
export const ONE_SHOT_BYTES = 8 * 1024 ** 2;

/** vLLM's custom all-reduce inside a CUDA graph takes 4.5–8 µs for 8 KiB on H100, A100 and B200 (aiconfigurator custom_allreduce, vllm_graph rows). */
const START = 5e-6;

/** The collectives of `tensor` devices, or null for one. Throws InputError when the device states no peer link. */
export function collectivesOf(device: Device, tensor: number, share: number, ideal: boolean): Collectives | null {
  if (tensor === 1) return null;
  const peer = device.links.peer;
  if (peer === undefined) {
    throw new InputError(
      `engine.parallel.tensor: ${tensor} devices exchange data over links.peer, which ${device.id} does not state; set hardware.links.peer`,
    );
  }
  return {devices: tensor, busBandwidth: peer.bandwidth.value * share, start: ideal ? 0 : START, hop: ideal ? 0 : peer.latency.value};
}

/** Seconds to sum `bytes` over all devices: 2(n−1)/n of them cross each link, in 2(n−1) hops when it is a ring. */
export function allReduceSeconds({devices, busBandwidth, start, hop}: Collectives, bytes: number): number {
  const hops = bytes <= ONE_SHOT_BYTES ? 0 : 2 * (devices - 1) * hop;
  return start + hops + ((2 * (devices - 1)) / devices) * (bytes / busBandwidth);
}

/** Seconds until every device holds what each of the others has: `bytes` from each. */
export function allGatherSeconds({devices, busBandwidth, start, hop}: Collectives, bytes: number): number {
  const hops = bytes * devices <= ONE_SHOT_BYTES ? 0 : (devices - 1) * hop;
  return start + hops + (devices - 1) * (bytes / busBandwidth);
}

/** Seconds until every device has sent the others what is theirs of its `bytes`. */
export function allToAllSeconds({devices, busBandwidth, start, hop}: Collectives, bytes: number): number {
  return start + hop + ((devices - 1) / devices) * (bytes / busBandwidth);
}

/** Collectives of one replica's devices, by their size: as measured for that many devices of one node, else by the formulas above. */
export class Exchange {
  readonly constants: Collectives;
  /** vLLM's all-reduce inside a CUDA graph, and launched by itself. */
  readonly graph: KernelTime | null;
  readonly eager: KernelTime | null;
  readonly gather: KernelTime | null;
  readonly #bytes: [number] = [0];

  constructor(constants: Collectives, times: KernelTimes) {
    this.constants = constants;
    const named = (op: string, backend: string) => `${op}.${backend}.${constants.devices}gpu.${constants.devices}pernode`;
    this.graph = times.find([named('all_reduce', 'vllm_graph'), named('all_reduce', 'nccl')]);
    this.eager = times.find([named('all_reduce', 'vllm_eager'), named('all_reduce', 'nccl')]);
    this.gather = times.find([named('all_gather', 'nccl')]);
  }

  /** Seconds to sum `bytes` over all devices. */
  allReduce(bytes: number, inGraph: boolean): number {
    const time = inGraph ? this.graph : this.eager;
    return time === null ? allReduceSeconds(this.constants, bytes) : time.seconds(this.#shape(bytes));
  }

  /** Seconds until every device has the `bytes` of each of the others. */
  allGather(bytes: number): number {
    return this.gather === null
      ? allGatherSeconds(this.constants, bytes)
      : this.gather.seconds(this.#shape(bytes * this.constants.devices));
  }

  /** Seconds until every device has sent the others what is theirs of its `bytes`; not in the tables of any built-in device. */
  allToAll(bytes: number): number {
    return allToAllSeconds(this.constants, bytes);
  }

  outside(bytes: number, inGraph: boolean): boolean {
    const time = inGraph ? this.graph : this.eager;
    return time?.outside(this.#shape(bytes)) ?? false;
  }

  #shape(bytes: number): readonly number[] {
    this.#bytes[0] = bytes;
    return this.#bytes;
  }
}
