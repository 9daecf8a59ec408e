import {InputError} from '../core/errors.js';
import type {Random} from '../core/random.js';
import type {Distribution} from './workload.js';

/** Draws one value from a stream. */
export type Draw = (random: Random) => number;

type Parametric = Exclude<Distribution, {dist: 'constant'} | {dist: 'empirical'}>;
type Kind = Parametric['dist'];

interface Family {
  /** Parameters that must be there. */
  readonly needs: readonly ('mean' | 'cv' | 's' | 'min' | 'max')[];
  /** The draw before clipping to min and max. */
  make(parameters: Required<Parametric>): Draw;
}

/** Every family of random values by the name that scenario files use; `constant` and `empirical` have no parameters. */
const families: Record<Kind, Family> = {
  exponential: {
    needs: ['mean'],
    make:
      ({mean}) =>
      (random) =>
        mean * exponential(random),
  },
  gamma: {
    needs: ['mean', 'cv'],
    make: ({mean, cv}) => (cv === 0 ? () => mean : scaled(gamma(1 / cv ** 2), mean * cv ** 2)),
  },
  geometric: {needs: ['mean'], make: ({mean}) => geometric(mean)},
  lognormal: {
    needs: ['mean', 'cv'],
    make({mean, cv}) {
      const variance = Math.log1p(cv * cv);
      const mu = Math.log(mean) - variance / 2,
        sigma = Math.sqrt(variance);
      return (random) => Math.exp(mu + sigma * normal(random));
    },
  },
  uniform: {
    needs: ['min', 'max'],
    make:
      ({min, max}) =>
      (random) =>
        min + (max - min) * random(),
  },
  zipf: {needs: ['s', 'max'], make: ({s, min, max}) => zipf(s, Math.max(1, Math.ceil(min)), Math.floor(max))},
};

/** Says what is wrong with the parameters, or null: `lognormal needs a cv`. */
export function distributionFault(distribution: Distribution): string | null {
  if (distribution.dist === 'constant') return finite('value', distribution.value);
  if (distribution.dist === 'empirical' && distribution.values.length === 0) return 'empirical has no value to draw from';
  const {min = 0, max = Infinity} = distribution;
  if (!(min >= 0)) return `min is ${min}; it must be 0 or more`;
  if (!(max >= min)) return `max ${max} is below min ${min}`;
  if (distribution.dist === 'empirical') return null;
  for (const name of families[distribution.dist].needs) {
    const value = distribution[name];
    if (value === undefined) return `${distribution.dist} needs a ${name}`;
    const fault = finite(name, value);
    if (fault !== null) return fault;
  }
  if (distribution.dist === 'geometric' && distribution.mean! < 1)
    return `geometric counts from 1, so its mean cannot be ${distribution.mean}`;
  if ((distribution.dist === 'lognormal' || distribution.dist === 'gamma') && distribution.mean === 0)
    return `${distribution.dist} needs a mean above 0`;
  if (distribution.dist === 'zipf' && distribution.max! < 1) return `zipf counts from 1, so its max cannot be ${distribution.max}`;
  return null;
}

function finite(name: string, value: number): string | null {
  return Number.isFinite(value) && value >= 0 ? null : `${name} is ${value}; it must be a finite number, 0 or more`;
}

/** Makes the draw of a quantity ≥ 0 in its own unit, clipped to min and max. Clipping moves the mean. `path` names it in errors. */
export function draws(distribution: Distribution, path: string): Draw {
  const fault = distributionFault(distribution);
  if (fault !== null) throw new InputError(`${path}: ${fault}`);
  if (distribution.dist === 'constant') return () => distribution.value;
  const {min = 0, max = Infinity} = distribution;
  const draw =
    distribution.dist === 'empirical'
      ? picked(distribution.values)
      : families[distribution.dist].make({...(distribution as Required<Parametric>), min, max});
  return (random) => {
    const value = draw(random);
    return value < min ? min : Math.min(value, max);
  };
}

/** No draw is below it. */
export function leastOf(distribution: Distribution): number {
  return distribution.dist === 'constant' ? distribution.value : (distribution.min ?? 0);
}

/** As `draws`, rounded to whole numbers ≥ 1: tokens, turns. */
export function counts(distribution: Distribution, path: string): Draw {
  const draw = draws(distribution, path);
  return (random) => Math.max(1, Math.round(draw(random)));
}

/** So many draws of one stream. */
export function many(count: number, draw: Draw, random: Random): number[] {
  return Array.from({length: count}, () => draw(random));
}

function picked(values: Float64Array): Draw {
  return (random) => values[Math.floor(random() * values.length)];
}

function scaled(draw: Draw, factor: number): Draw {
  return (random) => factor * draw(random);
}

/** Mean 1. A stream can give 0 but never 1. */
export function exponential(random: Random): number {
  return -Math.log(1 - random());
}

/** Mean 0, variance 1: the polar method (Marsaglia and Bray, SIAM Review 1964); the second value is thrown away, so that a draw depends on nothing before it. */
export function normal(random: Random): number {
  for (;;) {
    const u = 2 * random() - 1,
      v = 2 * random() - 1;
    const square = u * u + v * v;
    if (square > 0 && square < 1) return u * Math.sqrt((-2 * Math.log(square)) / square);
  }
}

/** Scale 1, so mean and variance are `shape` (Marsaglia and Tsang, ACM TOMS 2000). */
export function gamma(shape: number): Draw {
  if (shape < 1) {
    const above = gamma(shape + 1);
    return (random) => above(random) * (1 - random()) ** (1 / shape);
  }
  const d = shape - 1 / 3,
    c = 1 / Math.sqrt(9 * d);
  return (random) => {
    for (;;) {
      const x = normal(random);
      const v = (1 + c * x) ** 3;
      if (v > 0 && Math.log(1 - random()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
    }
  };
}

/** 1, 2, 3 … with P(k) = (1 - 1/mean)^(k - 1) / mean. */
function geometric(mean: number): Draw {
  const fail = Math.log1p(-1 / mean); // -Infinity for mean 1
  return (random) => Math.max(1, Math.ceil(Math.log(1 - random()) / fail));
}

/** from … to with P(k) ∝ k^-s, by rejection-inversion (Hörmann and Derflinger, ACM TOMACS 1996). */
export function zipf(s: number, from: number, to: number): Draw {
  const density = (x: number) => x ** -s;
  const integral = s === 1 ? Math.log : (x: number) => (x ** (1 - s) - 1) / (1 - s);
  const inverse = s === 1 ? Math.exp : (y: number) => (1 + y * (1 - s)) ** (1 / (1 - s));
  const low = integral(from + 0.5) - density(from),
    high = integral(to + 0.5);
  return (random) => {
    for (;;) {
      const y = high - random() * (high - low);
      const k = Math.min(to, Math.max(from, Math.round(inverse(y))));
      if (y >= integral(k + 0.5) - density(k)) return k;
    }
  };
}
