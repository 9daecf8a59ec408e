import {InputError} from '../../../sim/core/errors.js';
import type {QuantityKind, QuantityParser} from '../../../sim/core/quantity.js';
import type {FitJson} from './fit.js';
import type {Kernel} from './kernels/kernel.js';

/** Units that constants are written in. */
export const units = {
  flops: {scale: 1e12, unit: 'TFLOP/s'},
  bandwidth: {scale: 1e9, unit: 'GB/s'},
  duration: {scale: 1e-6, unit: 'us'},
} as const;

/** Writes a constant as text with a unit; a value of at most 9 significant digits reads back equal. */
export function writeQuantity(value: number, {scale, unit}: {readonly scale: number; readonly unit: string}): string {
  return `${Number((value / scale).toPrecision(9))} ${unit}`;
}

/** The named fields of a fit; throws InputError that names the one that is missing. */
export function readFields<K extends string>(kernel: Kernel, json: FitJson, names: readonly K[]): Readonly<Record<K, unknown>> {
  const missing = names.find((name) => json[name] === undefined);
  if (missing === undefined) return json as unknown as Readonly<Record<K, unknown>>;
  throw new InputError(`fits.${kernel.name}: ${json.form} has no "${missing}"; it needs ${names.join(', ')}`);
}

/** A constant above 0 with its unit; throws InputError that names it. */
export function readQuantity(kernel: Kernel, name: string, value: unknown, kind: QuantityKind, parse: QuantityParser): number {
  const path = `fits.${kernel.name}.${name}`;
  if (typeof value !== 'string') throw new InputError(`${path}: ${JSON.stringify(value)} is no text with a unit`);
  let read: number;
  try {
    read = parse(value, kind);
  } catch (error) {
    throw new InputError(`${path}: ${(error as Error).message}`);
  }
  if (read > 0) return read;
  throw new InputError(`${path}: "${value}" is not above 0`);
}

/** A finite number; throws InputError that names it. */
export function readNumber(kernel: Kernel, name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new InputError(`fits.${kernel.name}.${name}: ${JSON.stringify(value)} is not a finite number`);
}

/** A list of finite numbers; throws InputError that names the list. */
export function readNumbers(kernel: Kernel, name: string, value: unknown): readonly number[] {
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'number' && Number.isFinite(entry))) return value;
  throw new InputError(`fits.${kernel.name}.${name} is not a list of finite numbers`);
}
