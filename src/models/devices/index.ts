import type {QuantityParser} from '../../sim/core/quantity.js';
import {lookup} from '../../sim/core/registry.js';
import type {Figure} from '../provenance.js';
import {amd} from './amd.js';
import {apple} from './apple.js';
import {asics} from './asics.js';
import {cpus} from './cpus.js';
import type {Device, DeviceFits, DeviceSpec, MemoryName} from './device.js';
import {assumed} from './figures.js';
import {intel} from './intel.js';
import {literal} from './literal.js';
import {macosGpuLimit} from './macos.js';
import {nvidiaAda} from './nvidia-ada.js';
import {nvidiaAmpere} from './nvidia-ampere.js';
import {nvidiaBlackwell} from './nvidia-blackwell.js';
import {nvidiaHopper} from './nvidia-hopper.js';
import {nvidiaTuring} from './nvidia-turing.js';

/** Every built-in device by the name that scenario files use; a family's file adds its members. */
export const devices: Readonly<Record<string, DeviceSpec>> = {
  ...nvidiaHopper,
  ...nvidiaBlackwell,
  ...nvidiaAmpere,
  ...nvidiaAda,
  ...nvidiaTuring,
  ...amd,
  ...intel,
  ...asics,
  ...apple,
  ...cpus,
};

const noLatency = assumed('0 us', 'not stated');

/** Turns a device's quantities into SI. Throws InputError, as `parse` does, on a figure that is no quantity of its kind. */
export function resolveDevice(id: string, spec: DeviceSpec, parse: QuantityParser): Device {
  const figure = (stated: Figure<string>, kind: Parameters<QuantityParser>[1]): Figure => ({...stated, value: parse(stated.value, kind)});
  const device: Device = {
    id,
    name: spec.name,
    kind: spec.kind,
    vendor: spec.vendor,
    ...(spec.architecture === undefined ? {} : {architecture: spec.architecture}),
    home: Object.keys(spec.memory)[0] as MemoryName,
    memory: mapped(spec.memory, ({capacity, bandwidth}) => ({
      capacity: capacity === undefined ? null : figure(capacity, 'bytes'),
      bandwidth: figure(bandwidth, 'bandwidth'),
    })),
    compute: mapped(spec.compute, (peak) => figure(peak, 'flops')),
    links: mapped(spec.links, ({bandwidth, latency, part}) => ({
      bandwidth: figure(bandwidth, 'bandwidth'),
      latency: figure(latency ?? noLatency, 'duration'),
      ...(part === undefined ? {} : {part}),
    })),
    power: spec.power === undefined ? null : figure(spec.power, 'power'),
    ...(spec.os === undefined ? {} : {os: spec.os}),
    gpuLimit: null,
  };
  const limited = {...device, gpuLimit: gpuLimitOf(device)};
  return spec.fits === undefined ? limited : {...limited, fits: [measuredOn(device, spec.fits())]};
}

/** What the system lets the GPU use of its unified memory, from the size that it has; null: all of it, or the size is not known. */
export function gpuLimitOf({os, home, memory}: Pick<Device, 'os' | 'home' | 'memory'>): Figure | null {
  const capacity = memory[home]?.capacity ?? null;
  return os === 'macos' && home === 'unified' && capacity !== null ? macosGpuLimit(capacity) : null;
}

/** Whether processors and accelerator have one memory: nothing is copied over a link to reach it. */
export function hasOneMemory({home}: Pick<Device, 'home'>): boolean {
  return home === 'unified' || home === 'dram';
}

/** Fits that were measured on this very device. */
export function measuredOn({memory, home, compute, links}: Device, kernels: DeviceFits['kernels']): DeviceFits {
  const on = {
    compute: mapped(compute, ({value}) => value),
    bandwidth: memory[home]!.bandwidth.value,
    peer: links.peer?.bandwidth.value ?? 0,
  };
  return {kernels, on};
}

/** A built-in device in SI; throws InputError naming those known. */
export function builtinDevice(id: string): Device {
  return resolveDevice(id, lookup('device', devices, id), literal);
}

function mapped<K extends string, V, W>(entries: Readonly<Partial<Record<K, V>>>, change: (value: V) => W): Partial<Record<K, W>> {
  return Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, change(value as V)])) as Partial<Record<K, W>>;
}
