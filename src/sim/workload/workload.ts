import type {SimTime} from '../core/time.js';
import type {Chain} from './chain.js';

/** A request as it reaches the deployment. */
export interface Arrival {
  time: SimTime;
  /** Dense session number; a request without a session is its own. */
  session: number;
  /** From 0 within the session. */
  turn: number;
  /** Prompt tokens, ≥ 1. */
  input: number;
  /** Tokens to generate, ≥ 1. */
  output: number;
  /** Which blocks of prompt + output can be shared, or null when nothing can. */
  chain: Chain | null;
  /** Index into the workload's `classes`. */
  class: number;
}

/**
 * Where requests come from. Arrivals are pulled one at a time.
 *
 * `next` gives those that depend on nothing but time, in order; `follow` those that wait for an earlier one (turns of a session, closed loops).
 */
export interface Workload {
  /** The next independent arrival, or null when there is no more. Times never fall. */
  next(): Arrival | null;
  /**
   * A request ended at `now`, `finished` or not: the arrival that this causes, at `now` or later, or null. Called once per request.
   *
   * A session goes on only when its request finished. It has ended when this gives null or an arrival of another session.
   */
  follow(ended: Arrival, now: SimTime, finished: boolean): Arrival | null;
  /** Names of the classes of requests, at least one: what goals and priorities are stated for. */
  readonly classes: readonly string[];
  /**
   * Only where sessions wait for each other: after an end, `next` may give more although it gave null before; and a session of which `follow` gave nothing has not ended while it goes on.
   */
  readonly barrier?: {goesOn(session: number): boolean};
  /** What `follow` promises about its times. */
  readonly leastGap: LeastGap;
  /** Whether any block can ever be shared; without it every chain is null and the prefix cache is skipped. */
  readonly shares: boolean;
  /** The block ids handed out so far. */
  readonly ids: BlockIds;
  /**
   * An ended session has no resident block left (or never had one): its own ids may be given to another session.
   *
   * Called once per session with a chain; returns the range, so that its holder can forget it.
   */
  released(session: number): IdRange;
}

/** Least ns from the end of a request to the arrival that it causes, in its session and in another one; Infinity: it causes none. */
export interface LeastGap {
  readonly withinSession: SimTime;
  readonly toAnother: SimTime;
}

/** What the holder of blocks may ask about their ids. */
export interface BlockIds {
  /** Exclusive upper bound of the ids handed out so far; it grows with arrivals. */
  readonly limit: number;
  /** The session that alone uses the block now, or NO_OWNER when the id is shared and never recycled. */
  owner(id: number): number;
}

/** The ids base … base + count - 1. */
export interface IdRange {
  readonly base: number;
  readonly count: number;
}

/** The owner of a block that several sessions may use. */
export const NO_OWNER = -1;

/** What a workload is created with, beside its configuration. */
export interface WorkloadOptions {
  readonly seed: number;
  /** From 0; each has its own random streams. */
  readonly replication: number;
  /** Tokens of a KV block of the engine. */
  readonly blockSize: number;
  /** The first to be reached ends the arrivals; null: no limit. `duration` is in seconds: nothing arrives after it. */
  readonly limit: {readonly requests: number | null; readonly sessions: number | null; readonly duration: number | null};
}

/** A random length or duration, as the scenario states it. Durations are in seconds. */
export type Distribution =
  | {readonly dist: 'constant'; readonly value: number}
  | {
      readonly dist: 'lognormal' | 'exponential' | 'uniform' | 'geometric' | 'gamma' | 'zipf';
      readonly mean?: number;
      readonly cv?: number;
      readonly s?: number;
      readonly min?: number;
      readonly max?: number;
    }
  /** Rows of a measured column, drawn with replacement. */
  | {readonly dist: 'empirical'; readonly values: Float64Array; readonly min?: number; readonly max?: number};

export type Arrivals =
  | {readonly process: 'poisson' | 'constant'; readonly rate: number; readonly of: 'request' | 'session'}
  | {readonly process: 'gamma'; readonly rate: number; readonly cv: number; readonly of: 'request' | 'session'}
  | {readonly process: 'closed-loop'; readonly sessions: number};

/** When an agent's context is compacted, and what is left then; both count tokens of the prompt, the shared prefix included. */
export interface ContextLimit {
  readonly tokens: number;
  readonly keepTokens: number;
}

/** Sessions that take one turn each a round, at most `inFlight` requests at once, offered at `rate` requests a second. */
export interface ArrivalsInRounds {
  readonly process: 'rounds';
  readonly sessions: number;
  readonly inFlight: number;
  readonly rate: number;
}

export interface SharedPrefixes {
  readonly count: number;
  readonly tokens: Distribution;
  /** Which prefix a session takes. */
  readonly popularity: Popularity;
}

/** How often each member of a set is chosen: all equally likely, or zipf by rank. */
export type Popularity = {readonly dist: 'uniform'} | {readonly dist: 'zipf'; readonly s: number};

/** One kind of traffic. Rates are per second. */
export type Traffic =
  | {
      readonly kind: 'lengths';
      readonly arrivals: Arrivals;
      /** Tokens of the prompt after the shared prefix, if there is one. */
      readonly inputTokens: Distribution;
      readonly outputTokens: Distribution;
      readonly sharedPrefixes: SharedPrefixes | null;
    }
  | {
      readonly kind: 'chat';
      readonly arrivals: Arrivals | ArrivalsInRounds;
      readonly turns: Distribution;
      readonly thinkTime: Distribution;
      readonly userTokens: Distribution;
      readonly outputTokens: Distribution;
      readonly sharedPrefixes: SharedPrefixes | null;
    }
  /** All at time 0. */
  | {
      readonly kind: 'batch';
      readonly arrivals: null;
      readonly inputTokens: Distribution;
      readonly outputTokens: Distribution;
      readonly sharedPrefixes: SharedPrefixes | null;
    }
  | {
      readonly kind: 'agent';
      readonly arrivals: Arrivals;
      /** Requests of a task. */
      readonly steps: Distribution;
      /** The task itself, and what is added after each step. */
      readonly userTokens: Distribution;
      readonly toolResultTokens: Distribution;
      readonly outputTokens: Distribution;
      readonly toolTime: Distribution;
      readonly contextLimit: ContextLimit | null;
      readonly sharedPrefixes: SharedPrefixes | null;
    }
  | {
      readonly kind: 'document-qa';
      readonly arrivals: Arrivals;
      readonly documents: SharedPrefixes;
      readonly questions: Distribution;
      readonly questionTokens: Distribution;
      readonly outputTokens: Distribution;
      readonly thinkTime: Distribution;
    }
  | {
      readonly kind: 'replay';
      /** Rows of the trace, times in ns from 0, already scaled and de-quantised. */
      readonly trace: import('../traces/trace.js').Trace;
      /** When its sessions start; null: when they did. */
      readonly arrivals: Arrivals | null;
    };

/** One kind of traffic among several, or alone. */
export interface StreamConfig {
  /** As the scenario names it; its random streams are named after it. */
  readonly name: string;
  /** Several streams may have one class. */
  readonly class: string;
  readonly traffic: Traffic;
}

/** What is asked of the deployment: one kind of traffic, which may state its class, or several at once. */
export type WorkloadConfig = (Traffic & {readonly class?: string}) | {readonly kind: 'streams'; readonly streams: readonly StreamConfig[]};
