import {stream} from '../../../sim/core/random.js';
import {errorOf} from './error.js';
import type {FitError, FitOptions, Form, Sample} from './fit.js';
import type {Kernel} from './kernels/kernel.js';
import {chooseKnots} from './knots.js';

/** Parts that shapes are split into; each is predicted by a fit to the others. Few shapes are split finer, or what is left would be too coarse. */
const foldsOf = (shapes: number) => (shapes < 50 ? 10 : 5);
/** Fewest shapes that are cross-validated. */
const FEWEST = 10;

/** A sample beside what was predicted for it, in seconds, by a fit that did not see its shape. */
export interface Predicted extends Sample {
  readonly predicted: number;
}

/**
 * Error of a form on shapes that its fit did not see: k-fold, in a seeded order, all samples of a shape in one fold.
 *
 * Five folds, ten when there are fewer than 50 shapes; null when there are fewer than ten.
 */
export function crossValidate(form: Form, kernel: Kernel, samples: readonly Sample[], options: FitOptions): FitError | null {
  const points = crossPredict(form, kernel, samples, options);
  if (points === null) return null;
  return errorOf(
    points.map(({seconds}) => seconds),
    points.map(({predicted}) => predicted),
  );
}

/** The points behind `crossValidate`: every sample with its prediction, fold by fold; null when there are fewer than ten shapes. */
export function crossPredict(form: Form, kernel: Kernel, samples: readonly Sample[], options: FitOptions): Predicted[] | null {
  const shapes = shuffled([...new Set(samples.map(({shape}) => shape.join()))], `fit/folds/${kernel.name}`);
  if (shapes.length < FEWEST) return null;
  const count = foldsOf(shapes.length);
  const foldOf = new Map(shapes.map((shape, i) => [shape, i % count]));
  const folds = samples.map(({shape}) => foldOf.get(shape.join())!);
  // The table of a fold keeps the knots of the whole, or leaving samples out would also coarsen it.
  const grid = options.grid ?? Object.fromEntries(chooseKnots(kernel.coordinates, samples).map(({name, knots}) => [name, knots]));
  const points: Predicted[] = [];
  for (let fold = 0; fold < count; fold++) {
    const rest = samples.filter((_, i) => folds[i] !== fold);
    const fitted = form.fit(kernel, rest, {...options, grid});
    for (const sample of samples.filter((_, i) => folds[i] === fold)) points.push({...sample, predicted: fitted.predict(sample.shape)});
  }
  return points;
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
