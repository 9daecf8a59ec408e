import {InputError} from '../../sim/core/errors.js';
import {unknownName} from '../../sim/core/registry.js';
import type {Eviction, Parameter, ParameterValues} from './eviction.js';

/**
 * Checks what is written of a policy's parameters; durations are in seconds already.
 *
 * Throws InputError that names the parameter, its value and the rule, and the nearest name for one that does not exist.
 */
export function readParameters(
  name: string,
  {params}: Pick<Eviction, 'params'>,
  written: Readonly<Record<string, unknown>>,
): ParameterValues {
  return Object.fromEntries(Object.entries(written).map(([key, value]) => [key, readParameter(name, params, key, value)]));
}

function readParameter(policy: string, params: Eviction['params'], key: string, value: unknown): number | string {
  if (!Object.hasOwn(params, key)) {
    if (Object.keys(params).length === 0) throw new InputError(`${policy} has no parameter ${JSON.stringify(key)}: it takes none`);
    throw new InputError(unknownName(`parameter of ${policy}`, key, Object.keys(params)));
  }
  const parameter = params[key];
  if (parameter.kind === 'name') {
    if (typeof value !== 'string' || !parameter.names.includes(value))
      throw new InputError(unknownName(`${key} of ${policy}`, String(value), parameter.names));
    return value;
  }
  if (typeof value !== 'number' || !fits(parameter, value))
    throw new InputError(
      `${key} of ${policy}: ${typeof value === 'number' ? value : JSON.stringify(value)} is not ${rules[parameter.kind]}`,
    );
  return value;
}

function fits({kind}: Parameter, value: number): boolean {
  if (kind === 'share') return value >= 0 && value <= 1;
  if (kind === 'count') return Number.isInteger(value) && value >= 1;
  return Number.isFinite(value) && value > 0;
}

const rules = {
  share: 'a share from 0 to 1',
  count: 'a whole number of at least 1',
  number: 'a number above 0',
  duration: 'a duration above 0, in seconds',
} as const;
