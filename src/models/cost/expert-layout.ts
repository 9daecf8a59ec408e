import {InputError} from '../../sim/core/errors.js';
import type {Llm} from '../llms/llm.js';

/** How devices meet around experts: each adds what its experts make of every token, and all are summed; or tokens are sent to the devices of their experts, and back. */
export type ExpertExchange = 'all-reduce' | 'all-to-all';

/** How the devices of a replica share a model. */
export interface Layout {
  /** Devices that share every matrix. */
  readonly tensor: number;
  /** Groups of those devices that each have whole experts of their own; 1: every expert is split over all. */
  readonly expert: number;
  readonly exchange: ExpertExchange;
}

/** Throws InputError when experts cannot be spread so. */
export function checkExperts(llm: Llm, {tensor, expert, exchange}: Layout): void {
  const counts = llm.layers.flatMap(({feedForward}) => (feedForward.kind === 'moe' ? [feedForward.experts] : []));
  if (expert > 1 && counts.length === 0)
    throw new InputError(`engine.parallel.expert: ${llm.name} has no experts to spread; leave it away`);
  if (exchange === 'all-to-all' && tensor > 1 && counts.length === 0)
    throw new InputError(`engine.parallel.exchange: ${llm.name} has no experts to send tokens to; leave it away`);
  if (exchange === 'all-to-all' && expert !== tensor)
    throw new InputError(
      `engine.parallel.exchange: all-to-all needs experts on every device, engine.parallel.expert ${tensor} instead of ${expert}; or all-reduce`,
    );
  if (expert === 1) return;
  if (tensor % expert !== 0)
    throw new InputError(
      `engine.parallel.expert: ${expert} does not divide the ${tensor} devices of engine.parallel.tensor, over which experts are spread`,
    );
  for (const experts of counts)
    if (experts % expert !== 0)
      throw new InputError(`engine.parallel.expert: ${expert} does not divide the ${experts} experts of ${llm.name}`);
}

/** Expected largest of n standard normal draws, n = 1, 2, 4, … 256 (Harter, Biometrika 48, 1961; above 64 by numerical integration). */
const largestOfNormals = [0, 0.5642, 1.0294, 1.4236, 1.766, 2.0697, 2.3437, 2.5945, 2.8264];

/**
 * How much more the busiest of `devices` has to do than the mean when `tokens` tokens each pick `topK` of `experts` at random: a step waits for it.
 *
 * The picks of one device are nearly normal with variance mean · (E − k) / (E − 1) · (1 − 1/n); real routing is skewed and leaves it more.
 */
export function busiest({experts, topK}: {readonly experts: number; readonly topK: number}, devices: number, tokens: number): number {
  if (devices === 1) return 1;
  const mean = (tokens * topK) / devices;
  const size = Math.min(Math.log2(devices), largestOfNormals.length - 1);
  const below = Math.floor(size);
  const next = largestOfNormals[Math.min(below + 1, largestOfNormals.length - 1)];
  const largest = largestOfNormals[below] + (size - below) * (next - largestOfNormals[below]);
  const most = Math.min(topK, experts / devices) * tokens;
  return Math.min(1 + largest * Math.sqrt((experts - topK) / (experts - 1) / mean), most / mean);
}
