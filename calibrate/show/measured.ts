import {crossPredict} from '../../src/models/cost/fit/cross-validate.js';
import {errorOf} from '../../src/models/cost/fit/error.js';
import type {FitError, FitOptions, KernelFit, Sample} from '../../src/models/cost/fit/fit.js';
import {forms} from '../../src/models/cost/fit/index.js';
import type {Device} from '../../src/models/devices/device.js';
import {formFor, type KernelSamples} from '../fit-tables.js';
import {peaksFor} from '../physics.js';
import type {Subject} from './subject.js';
import {type KernelPoint, pointOf} from './sweep-of.js';

/** What kernel tables say of one kernel, beside predictions that did not see it. */
export interface MeasuredKernel {
  readonly kernel: string;
  readonly rows: number;
  /** Of a fit of the profile's form and knots to the other folds of these tables; null where there are fewer than ten shapes. */
  readonly held_out: FitError | null;
  /** Of the profile's own fit on these rows, which it may have seen; null where it has none. */
  readonly own: FitError | null;
  /** Every n-th row, in the order of folds; `predicted` null without folds. */
  readonly points: readonly (KernelPoint & {readonly predicted: number | null})[];
}

const mostPoints = 240;

/** Compares tables with a subject, kernel by kernel. */
export function measuredKernels(
  groups: readonly KernelSamples[],
  {device, fits}: Subject,
  onKernel?: (name: string) => void,
): MeasuredKernel[] {
  return groups.map((group) => {
    onKernel?.(group.kernel.name);
    return measuredKernel(group, device, fits);
  });
}

function measuredKernel({kernel, samples}: KernelSamples, device: Device, fits: Subject['fits']): MeasuredKernel {
  const fit = fits.find((one) => one.kernel.name === kernel.name);
  const form = fit === undefined ? formFor(kernel) : forms[fit.fitted.form];
  const peaks = peaksFor(kernel, device);
  const grid = fit === undefined ? undefined : gridOf(fit);
  const predicted = crossPredict(form, kernel, samples, {...(peaks === undefined ? {} : {peaks}), ...(grid === undefined ? {} : {grid})});
  const seconds = samples.map((sample) => sample.seconds);
  const shown = evenly<Sample & {readonly predicted: number | null}>(predicted ?? samples.map((sample) => ({...sample, predicted: null})));
  return {
    kernel: kernel.name,
    rows: samples.length,
    held_out:
      predicted === null
        ? null
        : errorOf(
            predicted.map((point) => point.seconds),
            predicted.map((point) => point.predicted),
          ),
    own:
      fit === undefined || samples.length === 0
        ? null
        : errorOf(
            seconds,
            samples.map(({shape}) => fit.fitted.predict(shape)),
          ),
    points: shown.map((point) => ({...pointOf(kernel, point.shape, () => point.seconds), predicted: point.predicted})),
  };
}

/** The knots of the profile's own residual, so that a fold is as coarse as the fit that it stands for. */
function gridOf({fitted, kernel}: KernelFit): FitOptions['grid'] {
  if (fitted.form !== 'pnorm-grid') return undefined;
  const residual = Object.entries(fitted.toJson()['residual'] as Readonly<Record<string, readonly number[]>>);
  return Object.fromEntries(residual.filter(([name]) => kernel.coordinates.some((coordinate) => coordinate.name === name)));
}

function evenly<T>(all: readonly T[]): T[] {
  const step = Math.max(1, all.length / mostPoints);
  return Array.from({length: Math.min(mostPoints, all.length)}, (_, i) => all[Math.floor(i * step)]);
}
