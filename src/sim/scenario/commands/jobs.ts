import {availableParallelism} from 'node:os';
import {InputError} from '../../core/errors.js';

/** The option that says how many simulations of one command run at a time. */
export const jobsOption = {
  type: 'number',
  requiresArg: true,
  describe: 'simulations at a time, where they are long',
  defaultDescription: 'one a core',
} as const;

/** How many things are simulated at a time: what `--jobs` says, else one a core. Throws InputError when it is no number from 1 to 1024. */
export function jobsOf(wanted: number | undefined): number {
  if (wanted !== undefined && !(Number.isInteger(wanted) && wanted >= 1 && wanted <= 1024)) {
    throw new InputError(`--jobs: ${wanted} is not a whole number from 1 to 1024`);
  }
  return wanted ?? availableParallelism();
}
