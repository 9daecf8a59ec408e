import {defaultsOf, type Eviction, factTexts, type ParameterValues} from '../../../policies/eviction/eviction.js';
import {type EvictionPolicyName, evictionPolicies} from '../../../policies/eviction/index.js';
import {readParameters} from '../../../policies/eviction/parameters.js';
import type {Fact} from '../../../policies/eviction/policy.js';
import {factsOfRuns} from '../../memory/run-facts.js';
import type {Draft} from './draft.js';

/** Who leaves a memory when room is needed, with what the scenario writes of its parameters. */
export interface EvictionChoice {
  readonly eviction: EvictionPolicyName | (string & {});
  readonly evictionParams: ParameterValues;
  /** The policy itself, where it comes from a file. */
  readonly ownEviction?: Eviction;
}

/** Reads `kv.tiers.<m>.eviction`; a parameter that does not fit, or a policy that must know what a run does not tell it, is a fault of its key. */
export function resolveEviction(draft: Draft, memory: string): EvictionChoice {
  const path = `kv.tiers.${memory}.eviction`;
  const {policy: name = 'lru', ...written} = draft.get<{policy?: string} & Record<string, unknown>>(path) ?? {};
  const own = draft.ownPolicies.get(path);
  if (draft.isRefused(`${path}.policy`) || (own === undefined && !Object.hasOwn(evictionPolicies, name)))
    return {eviction: 'lru', evictionParams: {}}; // a fault has been told
  const policy = own ?? evictionPolicies[name as EvictionPolicyName];
  const params: Record<string, number | string> = {};
  for (const [key, value] of Object.entries(written)) {
    const read = draft.try(`${path}.${key}`, () => readParameters(name, policy, {[key]: draft.inSeconds(policy.params, key, value)}));
    Object.assign(params, read);
  }
  const missing = policy.needs({...defaultsOf(policy), ...params}).find((fact) => !(factsOfRuns as readonly Fact[]).includes(fact));
  if (missing !== undefined)
    draft.fault(path, `${name} must know ${factTexts[missing]}, which no run knows; \`tiercast cache\` tries it on a trace`);
  return {eviction: name, evictionParams: params, ...(own === undefined ? {} : {ownEviction: own})};
}
