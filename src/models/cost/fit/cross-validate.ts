import {stream} from '../../../sim/core/random.js';
import {errorOf} from './error.js';
import type {FitError, FitOptions, Form, Sample} from './fit.js';
import type {Kernel} from './kernels/kernel.js';
import {chooseKnots} from './knots.js';

/** Parts that samples are split into; each is predicted by a fit to the others. */
export const FOLDS = 5;

/** Error of a form on samples that its fit did not see: k-fold, in a seeded order. Null when there are fewer than two samples a fold. */
export function crossValidate(form: Form, kernel: Kernel, samples: readonly Sample[], options: FitOptions): FitError | null {
  if (samples.length < 2 * FOLDS) return null;
  const order = shuffled(samples, `fit/folds/${kernel.name}`);
  // The table of a fold keeps the knots of the whole, or leaving samples out would also coarsen it.
  const grid = options.grid ?? Object.fromEntries(chooseKnots(kernel.coordinates, samples).map(({name, knots}) => [name, knots]));
  const measured: number[] = [];
  const predicted: number[] = [];
  for (let fold = 0; fold < FOLDS; fold++) {
    const rest = order.filter((_, i) => i % FOLDS !== fold);
    const fitted = form.fit(kernel, rest, {...options, grid});
    for (let i = fold; i < order.length; i += FOLDS) {
      measured.push(order[i].seconds);
      predicted.push(fitted.predict(order[i].shape));
    }
  }
  return errorOf(measured, predicted);
}

/** The entries in a random order that depends only on `name`. */
export function shuffled<T>(entries: readonly T[], name: string): T[] {
  const random = stream(0, name);
  const order = [...entries];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}
