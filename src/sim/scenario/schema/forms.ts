import {type Group, group, type Since} from './node.js';
import {anything, count, duration, name, nameOrPath, path, ratio, text, tokens} from './values.js';

/** Whether a text starts like a number, so that it is a quantity and no name. */
export function startsLikeNumber(written: string): boolean {
  return /^\s*([+-]?[.\d]|\$\{|[+-]?\.?(nan|inf)\b)/i.test(written);
}

type DistributionUnit = 'tokens' | 'duration' | 'count';

const distributions = ['constant', 'lognormal', 'exponential', 'uniform', 'geometric', 'gamma', 'zipf', 'empirical'] as const;

/** A random length or duration: a constant, a named distribution, or a measured column. */
export function distribution(unit: DistributionUnit, why: string, options: {readonly since?: Since; readonly says?: string} = {}): Group {
  const amount = (reason: string) => (unit === 'duration' ? duration(reason) : tokensOrCount(unit, reason));
  const mean = (reason: string) => (unit === 'duration' ? duration(reason) : ratio(reason));
  return group(
    why,
    {
      dist: name('distribution', distributions, 'the shape'),
      value: amount('the constant'),
      mean: mean('mean of the distribution before it is cut to min and max'),
      cv: ratio('standard deviation ÷ mean', {zero: true}),
      s: ratio('exponent of zipf: the r-th value is drawn with weight r^-s'),
      min: amount('smaller draws are raised to it'),
      max: amount('larger draws are cut to it'),
      from: path('CSV file (or .gz) with measured values; rows are drawn with replacement'),
      column: text('column of that file'),
    },
    {
      since: options.since ?? '0.1',
      ...(options.says === undefined ? {} : {says: options.says}),
      kindKey: 'dist',
      short: {key: () => 'value', with: {dist: 'constant'}, cited: 'as-written'},
      implies: {from: 'empirical'},
    },
  );
}

function tokensOrCount(unit: DistributionUnit, why: string) {
  return unit === 'tokens' ? tokens(why, {least: 0}) : count(why, {least: 0});
}

/** Whether a policy is written as a file with a program: `./mine.mjs`. */
export function isPolicyFile(written: string): boolean {
  return /^\.\.?\/.*\.m?js$/.test(written);
}

/** A policy: a name, or a map with the name and its parameters. */
export function policy(
  kind: string,
  names: readonly string[],
  later: readonly string[],
  why: string,
  options: {readonly since?: Since; readonly says?: string; readonly file?: boolean} = {},
): Group {
  const chosen = options.file
    ? nameOrPath(kind, names, isPolicyFile, 'the policy, or ./FILE.mjs with one of your own')
    : names.length + later.length === 0
      ? text('the policy')
      : name(kind, names, 'the policy', {later});
  return group(
    why,
    {policy: chosen},
    {
      since: options.since ?? '0.1',
      ...(options.says === undefined ? {} : {says: options.says}),
      kindKey: 'policy',
      short: {key: () => 'policy', cited: 'as-written'},
      others: anything('a parameter of the policy'),
    },
  );
}

/** How popular the members of a set are: all equally, or zipf by rank. */
export const popularity = group(
  'how often each is chosen',
  {
    dist: name('popularity', ['uniform', 'zipf'], 'the shape'),
    s: ratio('exponent of zipf'),
  },
  {says: 'uniform', kindKey: 'dist', short: {key: () => 'dist', cited: 'as-written'}},
);
