import type {ComputeType, Device, DeviceSpec} from '../../src/models/devices/device.js';
import {resolveDevice} from '../../src/models/devices/index.js';
import {literal} from '../../src/models/devices/literal.js';
import type {Figure} from '../../src/models/provenance.js';
import {InputError} from '../../src/sim/core/errors.js';
import {kernelOf} from './kernels.js';
import type {Measurements, SampleLine} from './lines.js';
import {secondsOf} from './stats.js';

/** The processors that were measured, as a device: each figure is the best that a kernel reached. */
export interface MachineFigures {
  readonly spec: DeviceSpec;
  readonly device: Device;
  /** Seconds of a dependent read by bytes of the working set. */
  readonly latency: ReadonlyMap<number, number>;
}

const SOURCE = 'tiercast calibrate: best of the kernels measured';

/** Reads the figures of a CPU off its samples. Throws InputError when memory was not read: nothing can be planned without its bandwidth. */
export function machineFigures(id: string, run: Measurements): MachineFigures {
  const ok = run.samples.filter(({t}) => t !== null);
  const machine = run.env['machine'] as {cpu?: string; processors?: number; memoryTotal?: number} | undefined;
  const bandwidth = memoryBandwidth(ok);
  if (bandwidth === null)
    throw new InputError("no sample of mem.read went well: a profile needs the memory's bandwidth; let calib-bench run its plan");
  const compute = Object.fromEntries([...peaks(ok)].map(([type, flops]) => [type, figure(`${significant(flops / 1e12)} TFLOP/s`)]));
  const spec: DeviceSpec = {
    kind: 'cpu',
    vendor: vendorOf(machine?.cpu ?? ''),
    name: `${machine?.cpu ?? 'CPU'}, ${machine?.processors ?? '?'} processors`,
    memory: {
      dram: {
        ...(machine?.memoryTotal
          ? {
              capacity: {
                value: `${Math.floor(machine.memoryTotal / 2 ** 20)} MiB`,
                grade: 'measured',
                source: 'as the system reports it',
              } as const,
            }
          : {}),
        bandwidth: figure(`${significant(bandwidth / 1e9)} GB/s`),
      },
    },
    compute,
    links: {},
  };
  return {spec, device: resolveDevice(id, spec, literal), latency: latencies(ok)};
}

function figure(value: string): Figure<string> {
  return {value, grade: 'measured', source: SOURCE};
}

const significant = (value: number) => Number(value.toPrecision(4));

/** B/s of reading the largest working set on all threads. */
function memoryBandwidth(samples: readonly SampleLine[]): number | null {
  const reads = samples.filter(({op}) => op === 'mem.read');
  const largest = Math.max(...reads.map(({bytes}) => bytes));
  const rates = reads.filter(({bytes}) => bytes === largest).map((sample) => sample.bytes / secondsOf('cpu', sample));
  return rates.length === 0 ? null : Math.max(...rates);
}

/** The most FLOP/s by the peak that bounds a kernel. */
function peaks(samples: readonly SampleLine[]): Map<ComputeType, number> {
  const found = new Map<ComputeType, number>();
  for (const sample of samples) {
    const type = kernelOf(sample)?.compute ?? null;
    if (type === null || sample.flops === 0) continue;
    found.set(type, Math.max(found.get(type) ?? 0, sample.flops / secondsOf('cpu', sample)));
  }
  return found;
}

function latencies(samples: readonly SampleLine[]): Map<number, number> {
  const chases = samples.filter(({op}) => op === 'mem.latency').sort((a, b) => a.shape['bytes'] - b.shape['bytes']);
  return new Map(chases.map((sample) => [sample.shape['bytes'], secondsOf('cpu', sample)]));
}

function vendorOf(cpu: string): string {
  return ['Intel', 'AMD', 'Apple', 'ARM'].find((name) => cpu.toLowerCase().includes(name.toLowerCase())) ?? 'unknown';
}
