import {InputError} from '../../sim/core/errors.js';
import type {Device} from '../devices/device.js';

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
