import type {BlockId} from '../../sim/core/ids.js';
import type {SimTime} from '../../sim/core/time.js';
import type {Parameter, ParameterValues} from '../eviction/eviction.js';

/** A prompt as policies see it; which blocks it has is for others to know. */
export interface Prompt {
  readonly session: number;
  /** Whole blocks of it. */
  readonly blocks: number;
  /** How many of them, from the head, several sessions may use. */
  readonly shared: number;
  /** Its first block. */
  readonly head: BlockId;
}

/** Asks for the first `blocks` of a prompt, expected to be used at `at`. */
export type Want<P extends Prompt> = (prompt: P, blocks: number, at: SimTime) => void;

/**
 * Foresees which blocks will be asked for. One instance serves one replica.
 *
 * After each call that tells it something, `wishes` is asked what to fetch; a policy never moves anything itself.
 */
export interface PrefetchPolicy<P extends Prompt> {
  /** A request with this prompt reaches the replica. */
  queued(prompt: P, now: SimTime): void;
  /** A request has finished; `prompt` is its own with the answer behind it, as its next turn would begin. */
  ended(prompt: P, now: SimTime): void;
  /** A request will arrive at `at`: told only to a policy that needs `arrivals`. */
  foreseen(prompt: P, at: SimTime): void;
  /** The ids of the session's own blocks will stand for others: nothing that is known of it holds. */
  forget(session: number): void;
  /** Names what to fetch, the soonest first. */
  wishes(now: SimTime, want: Want<P>): void;
  /** When `wishes`, asked at `now`, would change by itself; Infinity: never. */
  wakeAt(now: SimTime): SimTime;
  /** When the session's own blocks are expected to be used; Infinity: nobody foresees it. */
  expected(session: number): SimTime;
}

/** What becomes of the part of a waiting request's prompt that lies beyond the nearest memory. */
export interface QueueRules {
  /** Whether its fetch begins: `missing` tokens lie neither in HBM nor nearest, `found` of them beyond; `underWay` tokens are being fetched for others; `extra` is the nearest memory's tokens less HBM's. */
  begins(tokens: {readonly missing: number; readonly found: number; readonly underWay: number; readonly extra: number}): boolean;
  /** ns that the request waits at most for a fetch of so many tokens. */
  patience(tokens: number): SimTime;
  /** What was not fetched in time is loaded from where it lies, or computed. */
  readonly rest: 'load' | 'compute';
}

/** Where fetched blocks go, and how long they stay there. */
export interface Placing {
  /** HBM, or the nearest memory below it. */
  readonly to: 'hbm' | 'near';
  /** `cold`: first to leave, until it is used; `used`: as if just read. */
  readonly insert: 'cold' | 'used';
}

/** A prefetch policy as the registry has it. */
export interface Prefetch {
  /** Completes "<name> …": one line for `tiercast list policies`. */
  readonly about: string;
  readonly params: Readonly<Record<string, Parameter>>;
  /** Whether it must be told of arrivals before they come. */
  readonly needs: 'arrivals' | null;
  placing(params: ParameterValues): Placing;
  /** Null: it follows sessions, not the queue. */
  queue(params: ParameterValues): QueueRules | null;
  create<P extends Prompt>(params: ParameterValues): PrefetchPolicy<P>;
}
