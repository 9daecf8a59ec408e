import type {RoutingPolicy} from './policy.js';
import {refreshed, refreshParameter} from './refreshed.js';

/** Sends each request to the replica that has the fewest requests, waiting and running; the first among equals. */
export const leastLoaded: RoutingPolicy = {
  about: 'each request to the replica with the fewest, waiting and running',
  keepsSessions: false,
  params: {refresh: refreshParameter},
  create(view, {refresh = 0} = {}) {
    const seen = refreshed(view, refresh as number);
    return {
      route() {
        let best = 0,
          least = Number.POSITIVE_INFINITY;
        for (let replica = 0; replica < seen.replicas; replica++) {
          const load = seen.waiting(replica) + seen.running(replica);
          if (load < least) [best, least] = [replica, load];
        }
        return best;
      },
    };
  },
};
