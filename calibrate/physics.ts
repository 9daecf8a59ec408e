import type {Peaks} from '../src/models/cost/fit/fit.js';
import type {Kernel, KernelWork} from '../src/models/cost/fit/kernels/kernel.js';
import type {ComputeType, Device} from '../src/models/devices/device.js';

/** What nothing may exceed: 5 % above a peak leaves room for clocks and rounding, not for a benchmark that measured a cache. */
const TOLERANCE = 1.05;

/** A working set below this may live in the cache of some device: four times the 126 MB of a B200. */
const CACHED_BYTES = 4 * 126e6;

/** Why a row is not used. */
export const dropReasons = ['the time is no number above 0', 'faster than the memory allows', 'faster than the arithmetic allows'] as const;
export type DropReason = (typeof dropReasons)[number];

/** The dense peak and memory bandwidth that bound a kernel on a device; undefined when its bytes cross a link or the device states no such peak. */
export function peaksFor(kernel: Kernel, device: Device): Peaks | undefined {
  if (kernel.compute === null) return undefined;
  const peak = standIns[kernel.compute].map((type) => device.compute[type]).find((figure) => figure !== undefined);
  const memory = device.memory[device.home];
  return peak === undefined || memory === undefined ? undefined : {flops: peak.value, bandwidth: memory.bandwidth.value};
}

/** Formats whose peak is as high, or bounds from above. */
const standIns: Readonly<Record<ComputeType, readonly ComputeType[]>> = {
  fp32: ['fp32'],
  bf16: ['bf16', 'fp16'],
  fp16: ['fp16', 'bf16'],
  fp8: ['fp8', 'int8'],
  int8: ['int8', 'fp8'],
  fp4: ['fp4'],
};

/** Why a measurement cannot be: its implied FLOP/s or B/s exceed 1.05 × the device's; null when it can. */
export function implausible(kernel: Kernel, shape: readonly number[], seconds: number, peaks: Peaks | undefined): DropReason | null {
  if (!(seconds > 0 && Number.isFinite(seconds))) return dropReasons[0];
  if (peaks === undefined) return null;
  const work: KernelWork = {flops: 0, bytes: 0};
  kernel.work(shape, work);
  const fromMemory = kernel.cached !== true || work.bytes > CACHED_BYTES;
  if (fromMemory && work.bytes / seconds > TOLERANCE * peaks.bandwidth) return dropReasons[1];
  if (work.flops / seconds > TOLERANCE * peaks.flops) return dropReasons[2];
  return null;
}
