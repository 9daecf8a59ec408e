import {type BlockAdmissionName, blockAdmissionPolicies} from '../../../policies/admission/index.js';
import type {ParameterValues} from '../../../policies/eviction/eviction.js';
import {readParameters} from '../../../policies/eviction/parameters.js';
import type {KvTier, KvWrite} from '../scenario.js';
import type {Draft} from './draft.js';

/** Reads `kv.tiers.<m>.admission` of the memory that is `at` places below HBM; a parameter that does not fit, or a rule that the write policy has already, is a fault of its key. */
export function resolveAdmission(draft: Draft, path: string, at: number, write: KvWrite): Pick<KvTier, 'admission'> {
  const key = `${path}.admission`;
  const {policy: name = 'all', ...written} = draft.get<{policy?: BlockAdmissionName} & Record<string, unknown>>(key) ?? {};
  if (draft.isRefused(`${key}.policy`)) return {};
  const entry = blockAdmissionPolicies[name];
  const params: Record<string, number | string> = Object.fromEntries(
    Object.entries<{readonly default: number | string}>(entry.params).map(([param, {default: value}]) => [param, value]),
  );
  for (const [param, value] of Object.entries(written)) {
    const read = draft.try(`${key}.${param}`, () => readParameters(name, entry, {[param]: draft.inSeconds(entry.params, param, value)}));
    Object.assign(params, read);
  }
  if (name === 'all') return {};
  if (write.when === 'selective')
    draft.fault(key, `${name} beside kv write "selective", which is "through" with admission after-touches; write "through" and keep this`);
  refuseComputing(draft, key, at, params);
  return {admission: {policy: name, params}};
}

/** What is computed is computed in HBM: only the nearest memory can count that. */
function refuseComputing(draft: Draft, key: string, at: number, {counts}: ParameterValues): void {
  if (at > 0 && counts !== undefined && counts !== 'hits')
    draft.fault(`${key}.counts`, `${counts} counts what is computed in HBM: it is for the nearest memory; here hits`);
}

/** Reads `kv.tiers.<m>.watermark`: both shares or none, the lower one first. */
export function resolveWatermark(draft: Draft, path: string): Pick<KvTier, 'watermark'> {
  const key = `${path}.watermark`;
  if (!draft.isWritten(key) || [key, `${key}.high`, `${key}.low`].some((path) => draft.isRefused(path))) return {};
  const [high, low] = ['high', 'low'].map((end) => draft.get<number>(`${key}.${end}`));
  if (high === undefined || low === undefined) {
    draft.fault(key, `${high === undefined ? 'high' : 'low'} is missing; both are shares of the capacity, e.g. {high: 0.9, low: 0.85}`);
    return {};
  }
  if (low >= high) {
    draft.fault(key, `low ${low} is not below high ${high}: places are freed from high down to low`);
    return {};
  }
  return {watermark: {high, low}};
}
