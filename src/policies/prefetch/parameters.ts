import type {ParameterValues} from '../eviction/eviction.js';
import type {Placing, Prefetch} from './policy.js';

/** What a policy's parameters are when nothing is written. */
export function defaultsOf({params}: Prefetch): ParameterValues {
  return Object.fromEntries(Object.entries(params).map(([name, parameter]) => [name, parameter.default]));
}

/** Parameters of every policy that expects sessions. */
export const lookahead = {
  lookahead: {kind: 'count', default: 4, about: 'how many of the next ones are fetched'},
  to: {kind: 'name', default: 'hbm', names: ['hbm', 'near'], about: 'where to: HBM, or the nearest memory below it'},
  insert: {
    kind: 'name',
    default: 'used',
    names: ['used', 'cold'],
    about: 'used: stays as if just read; cold: first to leave until it is used',
  },
} as const;

/** A parameter of those that expect a use at a time. */
export const lead = {lead: {kind: 'duration', default: 1e6, about: 'how long before its expected use a fetch may begin'}} as const;

/** Where the parameters say that blocks go. */
export function placing({to, insert}: ParameterValues): Placing {
  return {to, insert} as Placing;
}

/** Seconds as whole ns. */
export function nanoseconds(seconds: number | string): number {
  return Math.round((seconds as number) * 1e9);
}
