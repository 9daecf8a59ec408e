import {efficiencyOf} from '../../src/models/cost/efficiency.js';
import type {KernelFit} from '../../src/models/cost/fit/fit.js';
import {kernelFormats} from '../../src/models/cost/fit/kernels/formats.js';
import {kernelNamed} from '../../src/models/cost/fit/kernels/index.js';
import type {Device} from '../../src/models/devices/device.js';
import type {Figure} from '../../src/models/provenance.js';
import {version} from '../../src/sim/core/version.js';
import type {KernelSamples} from '../fit-tables.js';
import {peaksFor} from '../physics.js';
import type {MeasuredKernel} from './measured.js';
import type {DroppedRows, Subject} from './subject.js';
import {rangeOf, sweepOf} from './sweep-of.js';

/** Tables that were given beside the profile. */
export interface Tables {
  readonly files: readonly string[];
  readonly groups: readonly KernelSamples[];
  readonly kernels: readonly MeasuredKernel[];
}

/** Everything that `calibrate show` knows of a profile, as one JSON document; the page and the table are drawn from it. */
export function calibrationDocument(subject: Subject, tables: Tables | null) {
  const {device, base, fits, inherited, grade, reasons} = subject;
  return {
    schema: 'tiercast.calibration/1',
    tiercast: {version},
    id: device.id,
    name: device.name,
    extends: base,
    grade,
    reasons,
    figures: figuresOf(device),
    ops: fits.map((fit) => opOf(fit, subject)),
    inherited: inherited.map(({kernel}) => kernel.name),
    coverage: coverageOf(subject, tables),
    datasheet_shares: sharesOf(device),
    measured: tables === null ? null : {files: tables.files, kernels: tables.kernels},
    dropped: tables === null ? subject.dropped : [...subject.dropped, ...droppedOf(tables.groups)],
  };
}
export type CalibrationDocument = ReturnType<typeof calibrationDocument>;

function figuresOf({memory, compute, links}: Device) {
  const entry = (kind: 'memory' | 'compute' | 'link', name: string, {value, grade, source}: Figure) => ({kind, name, value, grade, source});
  return [
    ...Object.entries(compute).map(([name, peak]) => entry('compute', name, peak)),
    ...Object.entries(memory).map(([name, {bandwidth}]) => entry('memory', name, bandwidth)),
    ...Object.entries(links).map(([name, {bandwidth}]) => entry('link', name, bandwidth)),
  ];
}

/** What kernels without a fit reach of the datasheet. */
function sharesOf(device: Device) {
  const {linear, experts, prefill, decode} = efficiencyOf(device, false);
  return Object.entries({linear, experts, prefill, decode}).map(([kernels, reach]) => ({kernels, ...reach}));
}

function opOf(fit: KernelFit, {device, backends}: Subject) {
  const {kernel, fitted, error, grade, source} = fit;
  const peaks = peaksFor(kernel, device);
  const {along, points} = sweepOf(fit);
  const {P, W} = fitted.parameters;
  return {
    op: kernel.name,
    kind: kernel.compute === null ? ('link' as const) : kernel.cached === true ? ('stream' as const) : ('compute' as const),
    /** Number format of the operator; null for links. */
    dtype: kernel.compute === null ? null : partsOf(kernel.name).dtype,
    form: fitted.form,
    error,
    /** Largest share of the datasheet's roof that the fit reaches along its sweep; null for links, and for kernels that may run from a cache, which no roof bounds. */
    of_peak:
      peaks === undefined || kernel.cached === true
        ? null
        : Math.max(...points.map(({flops, bytes, seconds}) => roofSeconds(peaks, flops, bytes) / seconds)),
    compute: kernel.compute,
    /** Roof of the datasheet; null for links. */
    roof: peaks ?? null,
    /** Roof of the fit; null for forms that have none. */
    fitted_roof: P === undefined || W === undefined ? null : {flops: P, bandwidth: W},
    axes: kernel.axes,
    range: rangeOf(fitted.toJson()['range']),
    along,
    points,
    grade,
    backend: backends[kernel.name] ?? null,
    source,
  };
}

function roofSeconds(peaks: {readonly flops: number; readonly bandwidth: number}, flops: number, bytes: number): number {
  return Math.max(flops / peaks.flops, bytes / peaks.bandwidth);
}

/** What stands behind the time of an operator in a number format. */
export type Coverage = 'measured' | 'fitted' | 'inherited' | 'datasheet' | 'none' | 'unused';

/** Operators that a model needs, whether or not somebody measured them. */
const needed = ['gemm', 'attn.prefill', 'attn.decode', 'moe'];

/** 16-bit formats take the same time: the cost model lets one stand in for the other. */
const twins: Readonly<Record<string, string | undefined>> = {bf16: 'fp16', fp16: 'bf16'};

function coverageOf({device, fits, inherited}: Subject, tables: Tables | null) {
  const own = fits.filter(({kernel}) => kernel.compute !== null);
  const base = inherited.filter(({kernel}) => kernel.compute !== null);
  const names = [...own, ...base].map(({kernel}) => partsOf(kernel.name));
  const ops = [...new Set([...needed, ...names.map(({op}) => op)])];
  const stated = Object.keys(device.compute).filter((name) => Object.hasOwn(kernelFormats, name));
  const dtypes = Object.keys(kernelFormats).filter((name) => stated.includes(name) || names.some(({dtype}) => dtype === name));
  const rows = new Set(tables?.kernels.map(({kernel}) => kernel) ?? []);
  const state = (fits: readonly KernelFit[]): Coverage =>
    fits.some(({kernel, grade}) => grade === 'measured' || rows.has(kernel.name)) ? 'measured' : 'fitted';
  const cell = (op: string, dtype: string, as: string | null): {state: Coverage; worst: number | null; as: string | null} | null => {
    const here = (fit: KernelFit) => partsOf(fit.kernel.name).op === op && partsOf(fit.kernel.name).dtype === (as ?? dtype);
    const found = own.filter(here);
    const errors = found.flatMap(({error}) => (error === null ? [] : [error.mape]));
    if (found.length > 0) return {state: state(found), worst: errors.length === 0 ? null : Math.max(...errors), as};
    return base.some(here) ? {state: 'inherited', worst: null, as} : null;
  };
  const cells = ops.map((op) =>
    dtypes.map((dtype) => {
      const twin = twins[dtype];
      const rest: Coverage = !isAsked(op, dtype) ? 'unused' : hasPeak(op, dtype, device) ? 'datasheet' : 'none';
      return cell(op, dtype, null) ?? (twin === undefined ? null : cell(op, dtype, twin)) ?? {state: rest, worst: null, as: null};
    }),
  );
  return {ops, dtypes, cells};
}

/** `attn.decode.bf16.kv_fp8` is `attn.decode` in `bf16`: the first word that is a format ends the operator's name. */
function partsOf(name: string): {readonly op: string; readonly dtype: string} {
  const words = name.split('.');
  const at = words.findIndex((word) => Object.hasOwn(kernelFormats, word));
  return {op: words.slice(0, at).join('.'), dtype: words[at]};
}

/** Whether the cost model asks for it: weights come in every format, attention runs in those of activations. */
function isAsked(op: string, dtype: string): boolean {
  if (op === 'gemm' || op === 'moe') return true;
  return ['fp32', 'bf16', 'fp16', ...(op.startsWith('mla') ? ['fp8'] : [])].includes(dtype);
}

function hasPeak(op: string, dtype: string, device: Device): boolean {
  const rest = op === 'moe' ? '.balanced' : op.startsWith('mla_module') ? `.${dtype}` : '';
  return peaksFor(kernelNamed(`${op}.${dtype}${rest}`), device) !== undefined;
}

function droppedOf(groups: readonly KernelSamples[]): DroppedRows[] {
  return groups.flatMap(({kernel, dropped}) =>
    Object.entries(dropped).map(([reason, rows]) => ({kernel: kernel.name, reason: `${reason} (of the tables given)`, rows})),
  );
}
