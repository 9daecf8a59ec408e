import {crossValidate} from './cross-validate.js';
import type {Split} from './design.js';
import {coverageOf, errorOf} from './error.js';
import type {FitError, FitOptions, Form} from './fit.js';
import type {Kernel} from './kernels/kernel.js';

/** How well a form predicts points that it never saw. Errors are shares. */
export interface HeldOut extends FitError {
  readonly form: string;
  readonly kernel: string;
  /** Points that it was fitted to. */
  readonly trained: number;
  /** Share of the points within the 80 % interval that cross-validation of the training points gives; null when those are too few. */
  readonly coverage: number | null;
  /** Points outside the range of the training points. */
  readonly extrapolated: number;
}

/** Fits to one part, predicts the other. */
export function heldOut(form: Form, kernel: Kernel, {train, test}: Split, options: FitOptions): HeldOut {
  const fitted = form.fit(kernel, train, options);
  const measured = test.map(({seconds}) => seconds);
  const predicted = test.map(({shape}) => fitted.predict(shape));
  const validated = crossValidate(form, kernel, train, options);
  return {
    ...errorOf(measured, predicted),
    form: form.name,
    kernel: kernel.name,
    trained: train.length,
    coverage: validated === null ? null : coverageOf(measured, predicted, validated.interval),
    extrapolated: test.filter(({shape}) => fitted.extrapolated(shape)).length,
  };
}
