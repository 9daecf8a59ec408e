import type {BlockId} from '../../sim/core/ids.js';
import type {Parameter, ParameterValues} from '../eviction/eviction.js';
import type {BlockFacts} from '../eviction/policy.js';

/** Decides which blocks come into one memory below HBM, whenever one is to be written or promoted there; what a prefetch brings is not asked about. */
export interface BlockAdmission {
  /** A request has found the block, in whatever memory, as part of a prompt of so many tokens. */
  found(block: BlockId, prompt: number): void;
  /** A request with a prompt of so many tokens has computed the block. */
  computed(block: BlockId, prompt: number): void;
  /** The block has left HBM to make room there. */
  leftHbm(block: BlockId): void;
  /** A request has finished; `last` is the last block that it leaves to others. */
  answered(last: BlockId): void;
  /** Whether the block may come in now. Changes nothing. */
  admits(block: BlockId): boolean;
  /** The ids base … base + count - 1 will stand for other blocks. */
  forget(base: BlockId, count: number): void;
}

/** What a run tells it: whose a block is, and what time it is. */
export type AdmissionFacts = Pick<BlockFacts, 'session' | 'now'>;

/** A policy of a memory's admission as the registry has it. */
export interface BlockAdmissionEntry {
  /** Completes "<name> …": one line for `tiercast list policies`. */
  readonly about: string;
  readonly params: Readonly<Record<string, Parameter>>;
  create(facts: AdmissionFacts, params: ParameterValues): BlockAdmission;
}
