import type {Sample} from '../../src/models/cost/fit/fit.js';
import type {Kernel} from '../../src/models/cost/fit/kernels/kernel.js';
import type {Device} from '../../src/models/devices/device.js';
import type {KernelSamples} from '../fit-tables.js';
import {type DropReason, implausible, peaksFor} from '../physics.js';
import {kernelOf, shapeOf} from './kernels.js';
import type {Measurements} from './lines.js';
import {secondsOf} from './stats.js';

/**
 * The samples of one run by kernel, checked against what the device itself reached: none may be faster.
 *
 * Only those on all threads: a profile says what the whole processor does.
 */
export function machineGroups(run: Measurements, device: Device): KernelSamples[] {
  const all = Number(run.env['threads'] ?? 0);
  const groups = new Map<
    string,
    {kernel: Kernel; samples: Sample[]; dropped: Partial<Record<DropReason, number>>; backends: Set<string>}
  >();
  for (const line of run.samples) {
    const kernel = line.t === null || (all > 0 && line.threads > 0 && line.threads !== all) ? null : kernelOf(line);
    const shape = kernel === null ? null : shapeOf(kernel, line);
    if (kernel === null || shape === null) continue;
    const group = groups.get(kernel.name) ?? {kernel, samples: [], dropped: {}, backends: new Set<string>()};
    groups.set(kernel.name, group);
    group.backends.add(line.impl);
    const seconds = secondsOf(run.device, line);
    const reason = implausible(kernel, shape, seconds, peaksFor(kernel, device));
    if (reason === null) group.samples.push({shape, seconds});
    else group.dropped[reason] = (group.dropped[reason] ?? 0) + 1;
  }
  return [...groups.values()].map(({kernel, samples, dropped, backends}) => ({
    kernel,
    samples,
    dropped,
    backends: [...backends].sort(),
    sources: ['tiercast calibrate on this machine'],
  }));
}
