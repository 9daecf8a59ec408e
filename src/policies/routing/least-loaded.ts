import type {RoutingPolicy} from './policy.js';

/** Sends each request to the replica that has the fewest requests, waiting and running; the first among equals. */
export const leastLoaded: RoutingPolicy = {
  about: 'each request to the replica with the fewest, waiting and running',
  keepsSessions: false,
  create(view) {
    return {
      route() {
        let best = 0,
          least = Number.POSITIVE_INFINITY;
        for (let replica = 0; replica < view.replicas; replica++) {
          const load = view.waiting(replica) + view.running(replica);
          if (load < least) [best, least] = [replica, load];
        }
        return best;
      },
    };
  },
};
