import {InputError} from '../../sim/core/errors.js';
import type {EvictionContext, EvictionFactory, EvictionPolicy, Fact} from './policy.js';

/** One parameter of a policy: a share from 0 to 1, a whole number from 1 on, a number above 0, a duration in seconds, or one of some names. */
export type Parameter = {readonly about: string} & (
  | {readonly kind: 'share' | 'count' | 'number' | 'duration'; readonly default: number}
  | {readonly kind: 'name'; readonly default: string; readonly names: readonly string[]}
);

type Parameters = Readonly<Record<string, Parameter>>;

/** The values of a policy's parameters, by name. */
export type ParameterValues = Readonly<Record<string, number | string>>;

type Values<P extends Parameters> = {readonly [K in keyof P]: P[K]['default'] extends string ? string : number};

/** A policy as registries hold it: what it does, what it takes, and what it must know of blocks. */
export interface Eviction {
  /** Completes "<name> …": one line for `tiercast list policies`. */
  readonly about: string;
  readonly params: Parameters;
  /** Facts without which it cannot decide, given its parameters. */
  needs(params: ParameterValues): readonly Fact[];
  /** Facts that it decides by where they are known. */
  readonly uses: readonly Fact[];
  create(context: EvictionContext, params: ParameterValues): EvictionPolicy;
}

/** Defines a policy; what is left out is nothing. */
export function eviction<P extends Parameters = Record<never, Parameter>>(policy: {
  readonly about: string;
  readonly params?: P;
  readonly needs?: readonly Fact[] | ((params: Values<P>) => readonly Fact[]);
  readonly uses?: readonly Fact[];
  readonly create: (context: EvictionContext, params: Values<P>) => EvictionPolicy;
}): Eviction {
  const {about, params, needs = [], uses = [], create} = policy;
  return {
    about,
    params: params ?? {},
    needs: (values) => (typeof needs === 'function' ? needs(values as Values<P>) : needs),
    uses,
    create: (context, values) => create(context, values as Values<P>),
  };
}

/** What a tier calls to make its policy: `given` over the defaults. Throws InputError, when it is called, for a fact that nobody there knows. */
export function factoryOf(name: string, policy: Eviction, given: ParameterValues = {}): EvictionFactory {
  const values = {...defaultsOf(policy), ...given};
  const needs = policy.needs(values);
  const create = (context: EvictionContext) => {
    const missing = needs.find((fact) => context[fact] === undefined);
    if (missing !== undefined)
      throw new InputError(`eviction policy ${name} needs to know ${factTexts[missing]}, which is not known here; lru needs nothing`);
    return policy.create(context, values);
  };
  return Object.assign(create, {facts: [...needs, ...policy.uses]});
}

/** What a policy's parameters are when nothing is written. */
export function defaultsOf({params}: Eviction): ParameterValues {
  return Object.fromEntries(Object.entries(params).map(([name, parameter]) => [name, parameter.default]));
}

/** What each fact is, to go on after "must know". */
export const factTexts: Readonly<Record<Fact, string>> = {
  bytes: 'the size of a block',
  parent: 'which block a block follows',
  depth: 'how deep in its chain a block is',
  recompute: 'how long computing a block again takes',
  session: 'which session a block belongs to',
  priority: 'the priority of a block',
  expiry: 'when a block expires',
  nextUse: 'when a block is used next',
  now: 'what time it is',
};
