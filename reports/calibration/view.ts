import type {FitError} from '../../src/models/cost/fit/fit.js';
import type {Grade} from '../../src/models/provenance.js';
import {type Format, significant} from '../format.js';

/** What the page of a calibration is drawn from: calibration.json. Times in s, rates in FLOP/s and B/s, errors as shares. */
export interface CalibrationView {
  readonly tiercast: {readonly version: string};
  readonly id: string;
  readonly name: string;
  readonly extends: string | null;
  readonly grade: string;
  readonly reasons: readonly string[];
  readonly figures: readonly {
    readonly kind: 'memory' | 'compute' | 'link';
    readonly name: string;
    readonly value: number;
    readonly grade: Grade;
    readonly source: string;
  }[];
  readonly ops: readonly CalibratedOp[];
  readonly inherited: readonly string[];
  readonly datasheet_shares: readonly {
    readonly kernels: string;
    readonly compute: number;
    readonly stream: number;
    readonly interval: readonly [number, number];
    readonly grade: Grade;
    readonly source: string;
  }[];
  readonly coverage: {
    readonly ops: readonly string[];
    readonly dtypes: readonly string[];
    readonly cells: readonly (readonly {readonly state: CoverageState; readonly worst: number | null; readonly as: string | null}[])[];
  };
  /** Null: no tables were given. */
  readonly measured: {readonly files: readonly string[]; readonly kernels: readonly MeasuredOp[]} | null;
  readonly dropped: readonly {readonly kernel: string; readonly reason: string; readonly rows: number}[];
}

export type CoverageState = 'measured' | 'fitted' | 'inherited' | 'datasheet' | 'none' | 'unused';

interface Roof {
  readonly flops: number;
  readonly bandwidth: number;
}

/** A kernel at one shape. */
export interface ShapePoint {
  readonly shape: readonly number[];
  readonly flops: number;
  readonly bytes: number;
  readonly seconds: number;
}

/** One fitted kernel. */
export interface CalibratedOp {
  readonly op: string;
  readonly kind: 'compute' | 'stream' | 'link';
  readonly dtype: string | null;
  readonly form: string;
  readonly error: FitError | null;
  readonly of_peak: number | null;
  readonly roof: Roof | null;
  readonly fitted_roof: Roof | null;
  readonly axes: readonly string[];
  readonly range: Readonly<Record<string, readonly [number, number] | undefined>>;
  readonly along: string;
  readonly points: readonly ShapePoint[];
  readonly grade: Grade;
  readonly backend: string | null;
  readonly source: string;
}

/** Rows of one kernel in the tables given. */
export interface MeasuredOp {
  readonly kernel: string;
  readonly rows: number;
  readonly held_out: FitError | null;
  readonly own: FitError | null;
  readonly points: readonly (ShapePoint & {readonly predicted: number | null})[];
}

const steps = [
  [1e15, 'P'],
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const;

/** A quantity with the decimal prefix that fits: 989 TFLOP/s, 3.35 TB/s, 4 MB; beside ticks without its unit. */
export function decimal(unit: 'FLOP/s' | 'B/s' | 'B' | ''): Format {
  return (value) => {
    if (value === null) return '–';
    const [scale, prefix] = steps.find(([least]) => Math.abs(value) >= 0.9995 * least) ?? [1, ''];
    return `${significant(value / scale)} ${prefix}${unit}`.trimEnd();
  };
}

/** An error as per cent, one digit behind the point. */
export const errorShare: Format = (value) =>
  value === null ? '–' : `${(Math.round(1000 * value) / 10 + 0).toFixed(1).replace('-', '−')}\u00a0%`;

/** The same with its sign. */
export const signedShare: Format = (value) => `${value !== null && value > 0 ? '+' : ''}${errorShare(value)}`;

/** A shape in words: `m 128, n 4096, k 4096`. */
export function shapeText(axes: readonly string[], shape: readonly number[]): string {
  return axes.map((axis, i) => `${axis} ${shape[i]}`).join(', ');
}
