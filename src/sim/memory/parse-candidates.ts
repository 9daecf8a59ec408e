import {readParameters} from '../../policies/eviction/parameters.js';
import {InputError} from '../core/errors.js';
import {lookup} from '../core/registry.js';
import {type Candidate, hitCandidates} from './candidates.js';

/**
 * Reads a list of policies and bounds with their parameters: `lru,ewma:alpha=0.5:overdue=leave`.
 *
 * Throws InputError that begins with `flag` and names the nearest name.
 */
export function parseCandidates(text: string, flag: string): Map<string, Candidate> {
  return new Map(
    text.split(',').map((part) => {
      const [name, ...pairs] = part.trim().split(':');
      try {
        const candidate = lookup('eviction policy or bound', hitCandidates, name);
        return [part.trim(), {...candidate, params: readParameters(name, candidate.policy, Object.fromEntries(pairs.map(pairOf)))}];
      } catch (error) {
        throw new InputError(`${flag}: ${(error as Error).message}`);
      }
    }),
  );
}

/** `alpha=0.5` as name and value; what reads as a number is one. */
function pairOf(pair: string): [string, number | string] {
  const [name, value] = pair.split('=');
  if (value === undefined || value === '') throw new InputError(`"${pair}" is no parameter like alpha=0.5`);
  return [name, Number.isNaN(Number(value)) ? value : Number(value)];
}
