import {afterTouches} from './after-touches.js';
import {all} from './all.js';
import type {BlockAdmissionEntry} from './block.js';
import {bySize} from './by-size.js';
import {kvPressure} from './kv-pressure.js';
import {none} from './none.js';
import type {AdmissionEntry} from './policy.js';
import {predictedUse} from './predicted-use.js';

/** Every admission policy of the scheduler by the name that scenario files use. */
export const admissionPolicies = {none, 'kv-pressure': kvPressure} as const satisfies Record<string, AdmissionEntry>;

export type AdmissionPolicyName = keyof typeof admissionPolicies;

/** Every admission policy of a memory below HBM by the name that scenario files use. */
export const blockAdmissionPolicies = {
  all,
  'after-touches': afterTouches,
  'by-size': bySize,
  'predicted-use': predictedUse,
} as const satisfies Record<string, BlockAdmissionEntry>;

export type BlockAdmissionName = keyof typeof blockAdmissionPolicies;
