import type {Batching} from './batch-gate.js';

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
    /** Who may join a running batch. */
    readonly batching: Batching;
    /** `mixed`: decodes, and prompts in what they leave of the budget; `prefill-first`: prompts alone, decodes when no prompt can run. */
    readonly steps: 'mixed' | 'prefill-first';
    /** Prompts that may share a step; Infinity: no limit. */
    readonly promptsPerStep: number;
    /** `recompute`: whom the policy names starts again, its full blocks kept while there is room; `retract`: who generated least does, at the end of the queue, its blocks dropped; `none`: a request is admitted only if its prompt and output fit. */
    readonly preemption: 'recompute' | 'retract' | 'none';
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
    /** When the blocks of a prompt can be hit by others: once their step is planned, once it has ended, or once the request has, and then by one request at a time. */
    readonly publishes: 'plan' | 'step' | 'end';
  };
  /** Longest prompt + output, tokens: longer prompts are rejected, outputs cut. */
  readonly maxModelLen: number;
}
