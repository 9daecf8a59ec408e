/** What a replica is made of: everything here is a number, derived before the run. */
export interface ReplicaConfig {
  readonly scheduler: {
    readonly maxNumSeqs: number;
    readonly maxNumBatchedTokens: number;
    readonly chunkedPrefill: boolean;
    /** Longest chunk of one prompt a step, or 0 for no limit. */
    readonly longPrefillTokenThreshold: number;
    /** Prompts may start or go on only every n-th step. */
    readonly prefillInterval: number;
    /** `recompute`: a victim starts again; `none`: a request is admitted only if its prompt and output fit. */
    readonly preemption: 'recompute' | 'none';
    /** Requests that may wait; an arrival beyond is rejected. Null: no limit. */
    readonly queueLimit: number | null;
    /** Seconds a request may wait before it is first scheduled; then it leaves, timed out. Null: no limit. */
    readonly timeout: number | null;
  };
  /** Steps planned before the first of them completes. */
  readonly inFlight: number;
  readonly overhead: {
    /** Seconds between the arrival of a request and its place in the queue. */
    readonly request: number;
    /** Seconds from the end of a step until its tokens have reached their clients, for each sequence that has one. */
    readonly delivery: number;
  };
  readonly kv: {
    /** Blocks that requests can use. */
    readonly blocks: number;
    /** Tokens a block. */
    readonly blockSize: number;
    readonly prefixCache: boolean;
  };
  /** Longest prompt + output, tokens: longer prompts are rejected, outputs cut. */
  readonly maxModelLen: number;
}
