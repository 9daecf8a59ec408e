import {markov} from './markov.js';
import {none} from './none.js';
import {oracle} from './oracle.js';
import type {Prefetch} from './policy.js';
import {queue} from './queue.js';
import {session} from './session.js';

/** Every prefetch policy by the name that scenario files use. */
export const prefetchPolicies = {none, queue, session, markov, oracle} as const satisfies Record<string, Prefetch>;

export type PrefetchPolicyName = keyof typeof prefetchPolicies;
