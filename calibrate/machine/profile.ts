import {writeFit} from '../../src/models/cost/fit/index.js';
import {version} from '../../src/sim/core/version.js';
import {FEWEST, type FittedKernel, fitKernels, type KernelSamples} from '../fit-tables.js';
import {type MachineFigures, machineFigures} from './figures.js';
import {machineGroups} from './groups.js';
import type {Measurements} from './lines.js';
import {graded, isContended, type Noise, noiseOf, type ProfileGrade} from './stats.js';

/** A profile of this machine, and how good it is. */
export interface MachineProfile {
  readonly profile: Readonly<Record<string, unknown>>;
  readonly grade: ProfileGrade;
  readonly reasons: readonly string[];
  readonly noise: Noise;
  readonly contended: boolean;
  readonly groups: readonly KernelSamples[];
  readonly fits: readonly FittedKernel[];
  readonly figures: MachineFigures;
}

/** What a dense model needs; what is not among the fits runs on the figures. */
const expected = ['gemm.fp32', 'gemm.bf16', 'gemm.int8', 'gemm.int4_g32', 'attn.prefill.bf16', 'attn.decode.bf16'];

/**
 * Makes a profile of runs of calib-bench on one machine: a CPU's or a GPU's, and the storage's where that was measured.
 *
 * A run without its end, or ended by its budget, gives a profile that says so. Throws InputError when there is too little to make any.
 */
export function machineProfile(id: string, runs: readonly Measurements[], measuredOn: string): MachineProfile {
  const main = runs.find(({device}) => device !== 'storage') ?? runs[0];
  const figures = machineFigures(id, main);
  const groups = runs.flatMap((run) => machineGroups(run, figures.device));
  const fits = fitKernels(groups, figures.device);
  const noise = noiseOf(runs);
  const {grade, reasons} = graded(noise, worstOf(fits));
  const measured = fits.map(({kernel}) => kernel.name).sort();
  const {spec} = figures;
  const profile = {
    profile: 1,
    id,
    kind: spec.kind,
    name: spec.name,
    vendor: spec.vendor,
    ...(figures.base === null ? {} : {extends: figures.base}),
    memory: spec.memory,
    ...(figures.base === null ? {compute: spec.compute} : {}),
    ...(spec.links.host === undefined ? {} : {links: {host: spec.links.host}}),
    fits: Object.fromEntries(
      fits.map(({kernel, fitted, error, sources}) => [
        kernel.name,
        writeFit({kernel, fitted, error, grade: 'measured', source: sources.join(' + ')}),
      ]),
    ),
    quality: {grade, reasons, noise: roundedNoise(noise), dropped: droppedOf(groups), skipped: skippedOf(runs), ...endingsOf(runs)},
    kernels: Object.fromEntries(fits.map(({kernel, backends}) => [kernel.name, `tiercast native ${backends.join(' | ')}`])),
    coverage: {measured, datasheet: expected.filter((name) => !measured.includes(name))},
    environment: {tiercast: version, date: measuredOn, latency: latencyOf(figures), runs: runs.map(({env}) => withoutKind(env))},
  };
  return {profile, grade, reasons, noise, contended: isContended(noise), groups, fits, figures};
}

/** Storage and memory are no kernels of a step: their error has no part in the grade. */
function worstOf(fits: readonly FittedKernel[]): {kernel: string; mape: number} | null {
  const steps = fits.filter(({kernel, error}) => kernel.compute !== null && error !== null);
  if (steps.length === 0) return null;
  const worst = steps.reduce((most, fit) => (fit.error!.mape > most.error!.mape ? fit : most));
  return {kernel: worst.kernel.name, mape: worst.error!.mape};
}

function roundedNoise(noise: Noise): Record<string, number> {
  return Object.fromEntries(Object.entries(noise).map(([name, value]) => [name, Number((value as number).toPrecision(4))]));
}

function droppedOf(groups: readonly KernelSamples[]) {
  return groups.flatMap(({kernel, dropped}) => Object.entries(dropped).map(([reason, rows]) => ({kernel: kernel.name, reason, rows})));
}

/** Points without a time, counted by op and reason; and kernels with too few points. */
function skippedOf(runs: readonly Measurements[]) {
  const counts = new Map<string, {op: string; code: string; message: string; points: number}>();
  for (const {op, dtype, t, code, message} of runs.flatMap(({samples}) => samples)) {
    if (t !== null) continue;
    const name = dtype === '' ? op : `${op}.${dtype}`;
    const key = `${name} ${code}`;
    const entry = counts.get(key) ?? {op: name, code: code ?? '', message: message ?? '', points: 0};
    counts.set(key, {...entry, points: entry.points + 1});
  }
  return [...counts.values()];
}

/** Devices whose measuring did not come to its end, if any. */
function endingsOf(runs: readonly Measurements[]): {partial?: readonly string[]} {
  const partial = runs.filter(({ending}) => ending !== 'done').map(({device, ending}) => `${device}: ${ending ?? 'the end is missing'}`);
  return partial.length === 0 ? {} : {partial};
}

function latencyOf({latency}: MachineFigures): Record<string, string> {
  return Object.fromEntries(
    [...latency].map(([bytes, seconds]) => [
      `${bytes >= 2 ** 20 ? `${bytes / 2 ** 20} MiB` : `${bytes / 1024} KiB`}`,
      `${(seconds * 1e9).toPrecision(3)} ns`,
    ]),
  );
}

function withoutKind({v: _v, kind: _kind, ...rest}: Readonly<Record<string, unknown>>): object {
  return rest;
}

/** Kernels with some points and no fit. */
export function unfitted({groups}: MachineProfile): {name: string; points: number}[] {
  return groups.filter(({samples}) => samples.length < FEWEST).map(({kernel, samples}) => ({name: kernel.name, points: samples.length}));
}
