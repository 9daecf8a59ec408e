import type {Eviction} from '../../policies/eviction/eviction.js';
import {readParameters} from '../../policies/eviction/parameters.js';
import {InputError} from '../core/errors.js';
import {lookup} from '../core/registry.js';
import {type Candidate, candidateOf, hitCandidates} from './candidates.js';

/**
 * Reads a list of policies and bounds with their parameters: `lru,ewma:alpha=0.5:overdue=leave`; `own` has those from files.
 *
 * Throws InputError that begins with `flag` and names the nearest name.
 */
export function parseCandidates(text: string, flag: string, own: ReadonlyMap<string, Eviction> = new Map()): Map<string, Candidate> {
  return new Map(
    text.split(',').map((part) => {
      const [name, ...pairs] = part.trim().split(':');
      try {
        const file = own.get(name);
        const candidate = file === undefined ? lookup('eviction policy or bound', hitCandidates, name) : candidateOf(file);
        return [part.trim(), {...candidate, params: readParameters(name, candidate.policy, Object.fromEntries(pairs.map(pairOf)))}];
      } catch (error) {
        throw new InputError(`${flag}: ${(error as Error).message}`);
      }
    }),
  );
}

/** Paths of policies from files in such a list. */
export function policyFiles(text: string): string[] {
  return [...new Set(text.split(',').map((part) => part.trim().split(':')[0]))].filter((name) => /\.m?js$/.test(name));
}

/** `alpha=0.5` as name and value; what reads as a number is one. */
function pairOf(pair: string): [string, number | string] {
  const [name, value] = pair.split('=');
  if (value === undefined || value === '') throw new InputError(`"${pair}" is no parameter like alpha=0.5`);
  return [name, Number.isNaN(Number(value)) ? value : Number(value)];
}
