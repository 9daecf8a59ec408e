import type {ReplicaGaps} from './token-clock.js';

/** How a request ended. */
export const ends = ['finished', 'rejected', 'timed-out', 'failed'] as const;
export type End = (typeof ends)[number];

/** Why it did not finish. */
export const reasons = ['', 'queue_limit', 'too_long', 'queue_timeout', 'no_room'] as const;
export type Reason = (typeof reasons)[number];

/**
 * Every request that ended, one column a field, in the order of their ends. Times are ns; NaN = not applicable.
 *
 * `rows` entries of each column are valid.
 */
export interface RequestColumns {
  readonly rows: number;
  readonly id: Int32Array;
  readonly session: Int32Array;
  readonly turn: Int32Array;
  /** Index into `classes`. */
  readonly class: Int32Array;
  readonly classes: readonly string[];
  /** Where it was sent, from 0. */
  readonly replica: Uint16Array;
  readonly arrival: Float64Array;
  /** First time in a step. */
  readonly scheduled: Float64Array;
  readonly firstToken: Float64Array;
  readonly finished: Float64Array;
  /** Index into `ends`. */
  readonly end: Uint8Array;
  /** Index into `reasons`. */
  readonly reason: Uint8Array;
  readonly input: Int32Array;
  readonly output: Int32Array;
  /** Prompt tokens found in whole blocks in HBM at the first lookup. */
  readonly hit: Int32Array;
  /** Prompt tokens an infinite cache would have held at that moment. */
  readonly hitInfinite: Int32Array;
  /** Prompt and recomputed tokens that were computed. */
  readonly computed: Int32Array;
  readonly preemptions: Int32Array;
  /** ns that blocks from below took to load, before the request could run. */
  readonly load: Float64Array;
  /** ns of the longest gap between two of its tokens; NaN below two tokens. */
  readonly longestGap: Float64Array;
  /** The gaps between tokens of all requests, by replica. */
  readonly gaps: readonly ReplicaGaps[];
  /** Prompt tokens found in each memory below HBM at the first lookup, in the order of `RunRecord.tiers`. */
  readonly hitBelow: readonly Int32Array[];
}

/** The run over time, in `rows` equal intervals of `width` ns. Means are over the time of the interval. */
export interface Timeline {
  readonly width: number;
  readonly rows: number;
  readonly running: Float64Array;
  readonly waiting: Float64Array;
  /** Blocks that running requests hold. */
  readonly kvHeldBlocks: Float64Array;
  /** Requests that wait for blocks from below. */
  readonly loading: Float64Array;
  /** Blocks in each memory below HBM. */
  readonly tierBlocks: readonly Float64Array[];
  /** B/s across each link and port of a memory, in the order of the record's `resources`. */
  readonly flowBytes: readonly Float64Array[];
  /** Blocks kept only for reuse. */
  readonly kvCachedBlocks: Float64Array;
  /** Tokens computed a step, mean over the steps' time. */
  readonly batchTokens: Float64Array;
  /** Seconds of the steps that ended in the interval. */
  readonly stepSeconds: Float64Array;
  /** Seconds of the interval's steps by bound, [row · bounds + bound]. */
  readonly boundSeconds: Float64Array;
}

/** What one replica did in a run. */
export interface ReplicaRecord {
  readonly timeline: Timeline;
  readonly counters: RunCounters;
  /** The memories below HBM, nearest first. */
  readonly tiers: readonly TierRecord[];
  /** What transfers and steps under way together shared: links and the ports of memories. Empty without memories below. */
  readonly resources: readonly ResourceRecord[];
  /** A hash over every step and end of the replica, in order. */
  readonly eventLog: string;
}

/** Everything a run leaves behind; of several replicas their sums, in `replicas` each. */
export interface RunRecord extends ReplicaRecord {
  readonly requests: RequestColumns;
  readonly replicas: readonly ReplicaRecord[];
  /** ns of the first arrival and of the last end. */
  readonly firstArrival: number;
  readonly lastArrival: number;
  readonly lastEnd: number;
}

/** What one memory below HBM did in a run. */
export interface TierRecord {
  readonly name: string;
  /** All that was read from it: loads and prefetches. */
  readonly readBytes: number;
  /** Of them, what was read before it was asked for: used before it left, asked for while under way, and neither. */
  readonly prefetched: {readonly useful: number; readonly late: number; readonly wasted: number};
  readonly writtenBytes: number;
  readonly evictions: number;
  /** Blocks that found no place because all of it was in use. */
  readonly refused: number;
  /** For each prompt that lacked a block which the memory had evicted: blocks that came between its two uses, at least. */
  readonly distances: Float64Array;
  readonly usedBlocks: {readonly mean: number; readonly max: number};
}

/** A link's direction or a memory's port: what transfers moved through it. */
export interface ResourceRecord {
  readonly name: string;
  readonly bytes: number;
  /** B/s. */
  readonly capacity: number;
  /** Seconds that transfers waited for its lanes; 0 where it has none. */
  readonly waitedSeconds: number;
}

export interface RunCounters {
  steps: number;
  prefillSteps: number;
  mixedSteps: number;
  decodeSteps: number;
  /** Seconds that steps ran, and by bound and cost term. */
  busySeconds: number;
  prefillSeconds: number;
  mixedSeconds: number;
  decodeSeconds: number;
  boundSeconds: Float64Array;
  termSeconds: Float64Array;
  /** Of them, in steps whose term was asked beyond what was measured. */
  outsideSeconds: Float64Array;
  flops: number;
  /** Bytes through the device's own memory. */
  bytes: number;
  /** Prompt tokens computed, with recomputed ones; generated tokens, those thrown away by preemption apart. */
  prefillTokens: number;
  generatedTokens: number;
  discardedTokens: number;
  preemptions: number;
  evictions: number;
  /** Lookups that follow a preemption are counted apart. */
  lookupTokensAfterPreemption: number;
  hitTokensAfterPreemption: number;
  /** Full blocks computed although an equal one was resident. */
  duplicateBlocks: number;
  /** Most at once; of several replicas the sum of what each had at most. */
  maxWaiting: number;
  maxRunning: number;
  maxHeldBlocks: number;
  /** Seconds in which at least one request waited, of several replicas added. */
  waitingSeconds: number;
}
