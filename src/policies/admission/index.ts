import {kvPressure} from './kv-pressure.js';
import {none} from './none.js';
import type {AdmissionEntry} from './policy.js';

/** Every admission policy of the scheduler by the name that scenario files use. */
export const admissionPolicies = {none, 'kv-pressure': kvPressure} as const satisfies Record<string, AdmissionEntry>;

export type AdmissionPolicyName = keyof typeof admissionPolicies;
