import type {QuantityKind} from '../../sim/core/quantity.js';

const units: Readonly<Record<string, number>> = {
  B: 1,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
  GB: 1e9,
  TB: 1e12,
  'GB/s': 1e9,
  'TB/s': 1e12,
  'TFLOP/s': 1e12,
  W: 1,
  us: 1e-6,
  IOPS: 1,
};

/**
 * Reads the quantities that built-in device files are written in, without loading the units library.
 *
 * A test compares it with the real parser for every figure of every device.
 */
export function literal(text: string, kind: QuantityKind): number {
  const [number, unit] = text.split(' ');
  const value = Number((Number(number) * units[unit]).toPrecision(15));
  if (!Number.isFinite(value)) throw new RangeError(`built-in device: "${text}" is not written in one of ${Object.keys(units).join(', ')}`);
  return kind === 'bytes' ? Math.round(value) : value;
}
