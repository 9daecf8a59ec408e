import {readFileSync} from 'node:fs';
import type {KernelFit} from '../../src/models/cost/fit/fit.js';
import {loadFit} from '../../src/models/cost/fit/index.js';
import type {Device} from '../../src/models/devices/device.js';
import {builtinDevice, resolveDevice} from '../../src/models/devices/index.js';
import {literal} from '../../src/models/devices/literal.js';
import {InputError} from '../../src/sim/core/errors.js';
import {quantities} from '../../src/sim/core/quantity.js';
import {Faults} from '../../src/sim/scenario/file/fault.js';
import {parseTree, plain} from '../../src/sim/scenario/file/tree.js';
import {isPath} from '../../src/sim/scenario/resolve/model.js';
import {readProfile} from '../../src/sim/scenario/resolve/profile.js';
import {gradeOf} from '../profile.js';

/** A device or profile that is to be shown: its figures, its fits, and what it says of their quality. */
export interface Subject {
  readonly device: Device;
  /** Built-in device that a profile extends; null for one that stands alone and for built-in devices. */
  readonly base: string | null;
  readonly fits: readonly KernelFit[];
  /** Fits of the base that have none here. */
  readonly inherited: readonly KernelFit[];
  readonly grade: string;
  /** Why that grade, most important first. */
  readonly reasons: readonly string[];
  /** Implementation that was measured, by kernel. */
  readonly backends: Readonly<Record<string, string>>;
  readonly dropped: readonly DroppedRows[];
}

/** Rows of a kernel that were not fitted to, and why. */
export interface DroppedRows {
  readonly kernel: string;
  readonly reason: string;
  readonly rows: number;
}

/** Reads what `name` means: a profile file, or a built-in device. Throws InputError with every fault of a file at its place. */
export async function readSubject(name: string): Promise<Subject> {
  return isPath(name) ? readFileSubject(name) : builtinSubject(name);
}

function builtinSubject(id: string): Subject {
  const device = builtinDevice(id);
  const fits = fitsOf(device);
  return {device, base: null, fits, inherited: [], ...judged(fits, device.name), backends: {}, dropped: []};
}

async function readFileSubject(path: string): Promise<Subject> {
  const text = textOf(path);
  const parse = await quantities();
  const profile = readProfile(text, path);
  const device = resolveDevice(profile.id, profile.spec, parse);
  const faults = new Faults();
  const fits = profile.fits.flatMap(({kernel, json, at}) => faults.catch(at, '', () => loadFit(kernel, json, parse)) ?? []);
  faults.throwAny();
  const own = new Set(fits.map(({kernel}) => kernel.name));
  const inherited = profile.base === null ? [] : fitsOf(builtinDevice(profile.base)).filter(({kernel}) => !own.has(kernel.name));
  return {device, base: profile.base, fits, inherited, ...judged(fits, device.name), ...said(text, path)};
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const missing = (error as {code?: string}).code === 'ENOENT';
    throw new InputError(`${path} cannot be read: ${missing ? 'there is no such file' : (error as Error).message}`);
  }
}

function fitsOf(device: Device): KernelFit[] {
  return (device.fits ?? []).flatMap(({kernels}) => Object.entries(kernels).map(([name, json]) => loadFit(name, json, literal)));
}

/** The grade that the worst kernel earns, where nothing better is said. */
function judged(fits: readonly KernelFit[], name: string): Pick<Subject, 'grade' | 'reasons'> {
  if (fits.length === 0) {
    return {
      grade: 'D',
      reasons: [`no kernel of ${name} was measured: times are datasheet figures times the share that its architecture reaches`],
    };
  }
  const known = fits.flatMap(({kernel, error}) => (error === null ? [] : [{kernel: kernel.name, mape: error.mape}]));
  const worst = known.reduce((most, one) => (one.mape > most.mape ? one : most), {kernel: '', mape: Number.NEGATIVE_INFINITY});
  if (known.length === 0) return {grade: 'D', reasons: ['no fit states its error']};
  return {
    grade: gradeOf(worst.mape),
    reasons: [
      `worst kernel: ${worst.kernel}, ${(100 * worst.mape).toFixed(1)} % mean error in cross-validation`,
      'fitted to kernel tables that others measured',
    ],
  };
}

/** What `calibrate import` writes beside the fits, as far as it is there and has its form. */
function said(text: string, path: string): Partial<Pick<Subject, 'grade' | 'reasons'>> & Pick<Subject, 'backends' | 'dropped'> {
  const tree = parseTree(text, path, new Faults());
  const {quality, kernels} = (tree === null ? {} : plain(tree)) as {quality?: unknown; kernels?: unknown};
  const {grade, reasons, dropped} = mapOf(quality);
  return {
    ...(typeof grade === 'string' ? {grade, reasons: listOf(reasons).filter((reason) => typeof reason === 'string')} : {}),
    backends: Object.fromEntries(Object.entries(mapOf(kernels)).filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    dropped: listOf(dropped).flatMap((entry) => {
      const {kernel, reason, rows} = mapOf(entry);
      return typeof kernel === 'string' && typeof reason === 'string' && typeof rows === 'number' ? [{kernel, reason, rows}] : [];
    }),
  };
}

function mapOf(value: unknown): Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
