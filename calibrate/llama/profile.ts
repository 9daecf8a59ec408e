import {loadFit, writeFit} from '../../src/models/cost/fit/index.js';
import type {Device, DeviceSpec} from '../../src/models/devices/device.js';
import {resolveDevice} from '../../src/models/devices/index.js';
import {literal} from '../../src/models/devices/literal.js';
import type {Figure} from '../../src/models/provenance.js';
import {version} from '../../src/sim/core/version.js';
import {graded, isContended, type Noise, type ProfileGrade} from '../machine/stats.js';
import {type EngineKernels, fitSteps, heldOut} from './fit.js';
import {type MeasuredPlan, noiseOfSteps} from './measure.js';
import type {Ready} from './session.js';
import {shapeName} from './shape.js';

/** The machine that the engine ran on. */
export interface EngineMachine {
  readonly cpu: string;
  /** Bytes of its memory. */
  readonly memory: number;
  readonly ready: Ready;
  /** Of the peer that holds the kernels. */
  readonly peer: string;
}

/** A device profile of an engine's kernels, the host times beside them, and how good both are. */
export interface EngineProfileFiles {
  readonly device: Readonly<Record<string, unknown>>;
  readonly engine: Readonly<Record<string, unknown>>;
  readonly fit: EngineKernels;
  readonly error: ReturnType<typeof heldOut>;
  readonly grade: ProfileGrade;
  readonly reasons: readonly string[];
  readonly noise: Noise;
  readonly contended: boolean;
}

const SOURCE = 'tiercast calibrate --engine llama.cpp on this machine';

/** Fits measured steps and writes down what came out, dated `measuredOn`. Throws InputError when the steps are too few. */
export function engineProfileFiles(id: string, measured: MeasuredPlan, machine: EngineMachine, measuredOn: string): EngineProfileFiles {
  const plain = resolved(id, specOf(machine, 1e9, 1e9));
  const fit = fitSteps(measured.steps, plain);
  const error = heldOut(measured.steps, plain);
  const noise = noiseOfSteps(measured);
  const {grade, reasons} = graded(noise, {kernel: 'steps of other shapes', mape: error.all.mape});
  const spec = specOf(machine, fit.bandwidth, fit.flops);
  const {ready, peer} = machine;
  const kernels = Object.fromEntries(
    [...fit.kernels].map(([name, json]) => {
      const own = error.byFormat.get(name.replace(/^gemm\./, '')) ?? error.all;
      return [name, writeFit({...loadFit(name, json, literal), error: own, grade: 'measured', source: SOURCE})];
    }),
  );
  const environment = {
    tiercast: version,
    date: measuredOn,
    engine: `llama.cpp ${ready.release}, node-llama-cpp ${peer}`,
    threads: ready.threads,
    system: ready.system,
  };
  const quality = {grade, reasons, noise: rounded(noise), steps: measured.steps.map(written)};
  return {
    device: {
      profile: 1,
      id,
      kind: spec.kind,
      name: spec.name,
      vendor: spec.vendor,
      memory: spec.memory,
      compute: spec.compute,
      fits: kernels,
      quality,
      kernels: Object.fromEntries(Object.keys(kernels).map((name) => [name, `llama.cpp ${ready.release}`])),
      coverage: {measured: Object.keys(kernels), datasheet: []},
      environment,
    },
    engine: {
      schema: 'tiercast.engine/1',
      preset: 'llama.cpp',
      in_flight: 1,
      overhead: {step: microseconds(fit.step), sequence: microseconds(fit.sequence)},
      // A measured kernel has its launch in its time.
      launch_per_layer: {value: '0 us', grade: 'measured', source: SOURCE},
      fit: {tool: `tiercast ${version}`, grade, environment},
    },
    fit,
    error,
    grade,
    reasons,
    noise,
    contended: isContended(noise),
  };
}

/** The device as scenarios have it: what a profile says of it, fits among them. */
export function deviceOf(id: string, {fit, device}: EngineProfileFiles, machine: EngineMachine): Device {
  const fits = () => (device as {fits: ReturnType<NonNullable<DeviceSpec['fits']>>}).fits;
  return resolved(id, {...specOf(machine, fit.bandwidth, fit.flops), fits});
}

function resolved(id: string, spec: DeviceSpec): Device {
  return resolveDevice(id, spec, literal);
}

/** Figures that no kernel passed: the most that whole steps reached. */
function specOf({cpu, memory, ready}: EngineMachine, bandwidth: number, flops: number): DeviceSpec {
  const onGpu = ready.gpu !== false;
  const bytes = onGpu ? (ready.vram?.total ?? memory) : memory;
  const best = (value: string): Figure<string> => ({value, grade: 'measured', source: `${SOURCE}: the most that a step reached`});
  const own = {
    capacity: {value: `${Math.floor(bytes / 2 ** 20)} MiB`, grade: 'measured', source: 'as the system reports it'} as const,
    bandwidth: best(`${Number((bandwidth / 1e9).toPrecision(4))} GB/s`),
  };
  return {
    kind: onGpu ? 'gpu' : 'cpu',
    vendor: 'unknown',
    ...(onGpu ? {} : {architecture: 'cpu' as const}),
    name: onGpu ? `${ready.devices[0] ?? 'GPU'}, llama.cpp on ${ready.gpu}` : `${cpu}, ${ready.threads} threads of llama.cpp`,
    memory: {[onGpu ? 'hbm' : 'dram']: own},
    compute: {fp16: best(`${Number((flops / 1e12).toPrecision(4))} TFLOP/s`)},
    links: {},
  };
}

function microseconds(seconds: number) {
  return {value: `${Number((seconds * 1e6).toPrecision(4))} us`, grade: 'measured', source: SOURCE};
}

function written({shape, point: {batch, tokens, depth}, seconds, samples, clean}: MeasuredPlan['steps'][number]) {
  return {shape: shapeName(shape), batch, tokens, depth, seconds: Number(seconds.toPrecision(5)), samples, clean};
}

function rounded(noise: Noise): Record<string, number> {
  return Object.fromEntries(Object.entries(noise).map(([name, value]) => [name, Number((value as number).toPrecision(4))]));
}
