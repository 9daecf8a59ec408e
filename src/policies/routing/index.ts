import {leastLoaded} from './least-loaded.js';
import {prefixAffinity} from './prefix-affinity.js';
import {roundRobin} from './round-robin.js';
import {sessionAffinity} from './session-affinity.js';

/** Every routing policy by the name that scenario files use. */
export const routingPolicies = {
  'least-loaded': leastLoaded,
  'prefix-affinity': prefixAffinity,
  'round-robin': roundRobin,
  'session-affinity': sessionAffinity,
} as const;

export type RoutingPolicyName = keyof typeof routingPolicies;
