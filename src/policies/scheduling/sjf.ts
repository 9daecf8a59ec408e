import type {Random} from '../../sim/core/random.js';
import type {Scheduling} from './policy.js';
import {type Rank, ranked} from './ranked.js';
import {steps} from './steps.js';

type Length = (job: {readonly input: number; readonly output: number}) => number;

const lengths: Readonly<Record<string, Length>> = {
  input: ({input}) => input,
  output: ({output}) => output,
  total: ({input, output}) => input + output,
};

/** Shortest job first. Only the prompt is known to an engine; the output is the true one, or a guess with a relative error around it. */
export const sjf: Scheduling = {
  about: 'runs the shortest request first, by its true length or a prediction of it',
  params: {
    by: {kind: 'name', names: Object.keys(lengths), default: 'total', about: 'tokens that make a request long'},
    error: {
      kind: 'number',
      default: 0,
      about: 'standard deviation of the natural logarithm of predicted ÷ true output; 0: the output is known',
    },
    ...steps,
  },
  create: ({by, error}, random) => ranked(byLength(lengths[by as string], error as number, random)),
};

function byLength(length: Length, error: number, random: Random): Rank {
  if (error === 0) return (job) => length(job);
  return ({input, output}) => length({input, output: output * Math.exp(error * normal(random))});
}

/** One draw of the standard normal distribution (Box and Muller, 1958). */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
