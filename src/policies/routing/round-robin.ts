import type {RoutingPolicy} from './policy.js';

/** Deals requests out in turn, whatever they are. */
export const roundRobin: RoutingPolicy = {
  about: 'each request to the next replica in turn',
  keepsSessions: false,
  create({replicas}) {
    let next = replicas - 1;
    return {
      route() {
        next = next + 1 < replicas ? next + 1 : 0;
        return next;
      },
    };
  },
};
