import {decodeFirst} from './decode-first.js';
import {fcfs} from './fcfs.js';
import {lpm} from './lpm.js';
import {mlfq} from './mlfq.js';
import type {Scheduling} from './policy.js';
import {prefillFirst} from './prefill-first.js';
import {priority} from './priority.js';
import {sjf} from './sjf.js';

/** Every scheduling policy by the name that scenario files use. */
export const schedulingPolicies = {
  fcfs,
  priority,
  sjf,
  lpm,
  'prefill-first': prefillFirst,
  'decode-first': decodeFirst,
  mlfq,
} as const satisfies Record<string, Scheduling>;

export type SchedulingPolicyName = keyof typeof schedulingPolicies;
