import type {QuantityParser} from '../../../sim/core/quantity.js';
import type {Grade} from '../../provenance.js';
import type {Kernel} from './kernels/kernel.js';

/** One measured kernel: its shape, in the order of the kernel's axes, and how long it took. */
export interface Sample {
  readonly shape: readonly number[];
  readonly seconds: number;
}

/** Upper ends of what is physically possible: dense peak and memory bandwidth of the device measured on. */
export interface Peaks {
  /** FLOP/s. */
  readonly flops: number;
  /** B/s. */
  readonly bandwidth: number;
}

/** Signed and absolute errors of predictions, as shares of what was measured. */
export interface FitError {
  /** Mean, median and 90th percentile of |predicted/measured − 1|. */
  readonly mape: number;
  readonly p50: number;
  readonly p90: number;
  /** Mean of predicted/measured − 1. */
  readonly bias: number;
  /** 10th and 90th percentile of measured/predicted: an interval that holds 80 % of what is measured. */
  readonly interval: readonly [number, number];
  /** Points that were predicted. */
  readonly n: number;
}

/** The part of a profile's `fits` that one form writes and reads; quantities are text with a unit. */
export type FitJson = Readonly<Record<string, unknown>> & {readonly form: string};

/** A fit that answers. */
export interface Fitted {
  readonly form: FormName;
  /** Seconds of one launch at a shape; finite and above 0. Allocates nothing that outlives the call. */
  predict(shape: readonly number[]): number;
  /** Whether the shape lies outside what was measured, so that the answer is a guess. */
  extrapolated(shape: readonly number[]): boolean;
  /** Constants in SI, by name: for tables and tests. */
  readonly parameters: Readonly<Record<string, number>>;
  /** What `Form.load` reads back to equal predictions. */
  toJson(): FitJson;
}

/** What a form may use beside the samples. */
export interface FitOptions {
  /** Of the device measured on; absent, the best rates among the samples stand in. */
  readonly peaks?: Peaks;
  /** Knots of the residual table by coordinate; absent, they are chosen from the samples. */
  readonly grid?: Readonly<Record<string, readonly number[]>>;
}

/** A way to predict a kernel's time from samples. Pure and deterministic: equal samples give an equal fit. */
export interface Form {
  readonly name: FormName;
  readonly title: string;
  /** Throws InputError when the samples are too few for the form. */
  fit(kernel: Kernel, samples: readonly Sample[], options: FitOptions): Fitted;
  /** Reads what `Fitted.toJson` wrote; throws InputError that names what is wrong. */
  load(kernel: Kernel, json: FitJson, parse: QuantityParser): Fitted;
}

export const formNames = ['max', 'pnorm', 'pnorm-grid', 'table', 'forest', 'alpha-beta', 'two-protocol', 'storage'] as const;
export type FormName = (typeof formNames)[number];

/** A fit as a profile keeps it: with its error, its range, and where the samples come from. */
export interface KernelFit {
  readonly kernel: Kernel;
  readonly fitted: Fitted;
  /** Cross-validated; null in a profile that does not state it. */
  readonly error: FitError | null;
  readonly grade: Grade;
  readonly source: string;
}
