/** What a router sees of the replicas: counts, as they stand when a request reaches the deployment. */
export interface ClusterView {
  /** How many replicas there are; they are numbered from 0. */
  readonly replicas: number;
  /** Requests that are at the replica and do not run: queued, or waiting for blocks from below. */
  waiting(replica: number): number;
  /** Requests in the replica's batch. */
  running(replica: number): number;
}

/** Chooses the replica of each request. */
export interface Router {
  /** Returns the replica for a request of `session`, numbered from 0 in the order of their first requests. Called once per request, in the order in which they reach the deployment. */
  route(session: number): number;
}

/** A routing policy: how its router is made, and what it promises. */
export interface RoutingPolicy {
  /** One line for people. */
  readonly about: string;
  /** Whether all requests of a session go to one replica: then what ends there cannot disturb another. */
  readonly keepsSessions: boolean;
  /** Makes the router of one run. */
  create(view: ClusterView): Router;
}
