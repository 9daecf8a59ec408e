import type {ComputeType, Device, DeviceSpec} from '../../src/models/devices/device.js';
import {devices, resolveDevice} from '../../src/models/devices/index.js';
import {literal} from '../../src/models/devices/literal.js';
import type {Figure} from '../../src/models/provenance.js';
import {InputError} from '../../src/sim/core/errors.js';
import {gpuNamed} from './gpu-names.js';
import {kernelOf} from './kernels.js';
import type {Measurements, SampleLine} from './lines.js';
import {secondsOf} from './stats.js';

/** What was measured, as a device: each figure is the best that a kernel reached, or what the system says of itself. */
export interface MachineFigures {
  readonly spec: DeviceSpec;
  /** The built-in device that it is; null when there is none of that name. What was not measured comes from it. */
  readonly base: string | null;
  readonly device: Device;
  /** Seconds of a dependent read by bytes of the working set. */
  readonly latency: ReadonlyMap<number, number>;
}

const SOURCE = 'tiercast calibrate: best of the kernels measured';

interface Processor {
  readonly cpu?: string;
  readonly processors?: number;
  readonly memoryTotal?: number;
}

interface Gpu {
  readonly name?: string;
  readonly memoryTotal?: number;
}

/** Reads the figures of a device off its samples. Throws InputError when memory was not read: nothing can be planned without its bandwidth. */
export function machineFigures(id: string, run: Measurements): MachineFigures {
  const ok = run.samples.filter(({t}) => t !== null);
  const bandwidth = bestRead(run.device, ok);
  if (bandwidth === null)
    throw new InputError("no sample of mem.read went well: a profile needs the memory's bandwidth; give it more time with --budget");
  const gpu = run.env['gpu'] as Gpu | undefined;
  const spec = gpu === undefined ? cpuSpec(run, bandwidth, ok) : gpuSpec(gpu, run.device, bandwidth, ok);
  const base = gpu === undefined ? null : gpuNamed(gpu.name ?? '');
  const {fits: _measured, ...inherited} = base === null ? {} : devices[base];
  // A GPU that is known keeps the peaks of its datasheet: kernels that were measured do not show how high arithmetic can go.
  const whole =
    base === null
      ? spec
      : ({...inherited, ...spec, compute: devices[base].compute, links: {...devices[base].links, ...spec.links}} as DeviceSpec);
  return {spec: whole, base, device: resolveDevice(id, whole, literal), latency: latencies(ok)};
}

function cpuSpec(run: Measurements, bandwidth: number, ok: readonly SampleLine[]): DeviceSpec {
  const {cpu = 'CPU', processors = '?', memoryTotal} = (run.env['machine'] ?? {}) as Processor;
  return {
    kind: 'cpu',
    vendor: vendorOf(cpu),
    architecture: 'cpu',
    name: `${cpu}, ${processors} processors`,
    memory: {dram: memoryOf(memoryTotal, bandwidth)},
    compute: peaks(run.device, ok),
    links: {},
  };
}

function gpuSpec({name = 'GPU', memoryTotal}: Gpu, device: string, bandwidth: number, ok: readonly SampleLine[]): DeviceSpec {
  const unified = device.startsWith('metal');
  const host = bestRate(device, ok, 'link.h2d');
  return {
    kind: unified ? 'soc' : 'gpu',
    vendor: unified ? 'Apple' : 'NVIDIA',
    name,
    memory: {[unified ? 'unified' : 'hbm']: memoryOf(memoryTotal, bandwidth)},
    compute: peaks(device, ok),
    links: host === null ? {} : {host: {bandwidth: figure(`${significant(host / 1e9)} GB/s`)}},
  };
}

function memoryOf(bytes: number | undefined, bandwidth: number) {
  const speed = figure(`${significant(bandwidth / 1e9)} GB/s`);
  if (!bytes) return {bandwidth: speed};
  return {
    capacity: {value: `${Math.floor(bytes / 2 ** 20)} MiB`, grade: 'measured', source: 'as the system reports it'} as const,
    bandwidth: speed,
  };
}

function figure(value: string): Figure<string> {
  return {value, grade: 'measured', source: SOURCE};
}

const significant = (value: number) => Number(value.toPrecision(4));

/** B/s of the largest working set that an op moved, on all threads. */
function bestRead(device: string, samples: readonly SampleLine[]): number | null {
  return bestRate(device, samples, 'mem.read');
}

function bestRate(device: string, samples: readonly SampleLine[], name: string): number | null {
  const moved = samples.filter(({op}) => op === name);
  const largest = Math.max(...moved.map(({bytes}) => bytes));
  const rates = moved.filter(({bytes}) => bytes === largest).map((sample) => sample.bytes / secondsOf(device, sample));
  return rates.length === 0 ? null : Math.max(...rates);
}

/** The most FLOP/s by the peak that bounds a kernel. */
function peaks(device: string, samples: readonly SampleLine[]): DeviceSpec['compute'] {
  const found = new Map<ComputeType, number>();
  for (const sample of samples) {
    const type = kernelOf(sample)?.compute ?? null;
    if (type !== null && sample.flops > 0) found.set(type, Math.max(found.get(type) ?? 0, sample.flops / secondsOf(device, sample)));
  }
  return Object.fromEntries([...found].map(([type, flops]) => [type, figure(`${significant(flops / 1e12)} TFLOP/s`)]));
}

function latencies(samples: readonly SampleLine[]): Map<number, number> {
  const chases = samples.filter(({op}) => op === 'mem.latency').sort((a, b) => a.shape['bytes'] - b.shape['bytes']);
  return new Map(chases.map((sample) => [sample.shape['bytes'], secondsOf('cpu', sample)]));
}

function vendorOf(cpu: string): string {
  return ['Intel', 'AMD', 'Apple', 'ARM'].find((name) => cpu.toLowerCase().includes(name.toLowerCase())) ?? 'unknown';
}
