import type {BlockId} from '../../sim/core/ids.js';
import type {SimTime} from '../../sim/core/time.js';
import type {Parameter, ParameterValues} from '../eviction/eviction.js';

/** What a router sees of the replicas: counts, as they stand when a request reaches the deployment. */
export interface ClusterView {
  /** How many replicas there are; they are numbered from 0. */
  readonly replicas: number;
  /** Requests that are at the replica and do not run: queued, or waiting for blocks from below. */
  waiting(replica: number): number;
  /** Requests in the replica's batch. */
  running(replica: number): number;
  /** What time it is. */
  now(): SimTime;
}

/** The ids of the whole blocks of a request's prompt; equal ids are equal prefixes. */
export type RoutedPrompt = ArrayLike<BlockId>;

/** Chooses the replica of each request. */
export interface Router {
  /** Returns the replica for a request of `session`, numbered from 0 in the order of their first requests; `prompt` is there for policies that see prompts, and null when nothing of it can be shared. Called once per request, in the order in which they reach the deployment. */
  route(session: number, prompt?: RoutedPrompt | null): number;
  /** The ids base … base + count - 1 will stand for other blocks. */
  forget?(base: BlockId, count: number): void;
}

/** A routing policy: how its router is made, and what it promises. */
export interface RoutingPolicy {
  /** One line for people. */
  readonly about: string;
  /** Whether all requests of a session go to one replica: then what ends there cannot disturb another. */
  readonly keepsSessions: boolean;
  /** Whether its router must be told which blocks a prompt has. */
  readonly seesPrompts?: boolean;
  readonly params?: Readonly<Record<string, Parameter>>;
  /** Makes the router of one run; parameters left out have their defaults. */
  create(view: ClusterView, params?: ParameterValues): Router;
}
