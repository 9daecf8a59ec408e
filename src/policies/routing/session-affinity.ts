import type {RoutingPolicy} from './policy.js';

/** Deals sessions out in turn; all requests of a session go to the replica that has its blocks. */
export const sessionAffinity: RoutingPolicy = {
  about: 'each session to the next replica in turn, with all of its requests',
  keepsSessions: true,
  create: ({replicas}) => ({route: (session) => session % replicas}),
};
