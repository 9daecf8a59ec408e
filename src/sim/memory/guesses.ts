import type {EvictionContext, EvictionPolicy} from '../../policies/eviction/policy.js';
import type {SimTime} from '../core/time.js';
import {widened} from '../core/widened.js';

/** On its way by prefetch; came by prefetch and is not used yet; and of those, the ones that the policy does not know: they are the first to leave. */
const COMING = 1;
const GUESSED = 2;
const COLD = 4;

/**
 * The eviction policy of a memory that prefetches bring blocks into: keeps the books of those that nobody has used yet.
 *
 * With `cold`, they leave before anything else does, the latest to come first, and enter the policy when they are used; else they are in the policy as if just read.
 */
export class Guesses implements EvictionPolicy {
  /** Blocks that were used before they left, and that left unused, by the memory that they came from. */
  readonly useful: Float64Array;
  readonly wasted: Float64Array;
  readonly #policy: EvictionPolicy;
  readonly #cold: boolean;
  #flags: Uint8Array;
  /** By block: the memory that it came from, and when it was expected to be used. */
  #from: Uint8Array;
  #at: Float64Array;
  /** Cold blocks, the first to leave last; those that are cold no more are skipped. */
  readonly #stack: number[] = [];

  /** `tiers` is how many memories lie below HBM. */
  constructor(policy: EvictionPolicy, {blocks}: Pick<EvictionContext, 'blocks'>, cold: boolean, tiers: number) {
    this.#policy = policy;
    this.#cold = cold;
    this.#flags = new Uint8Array(blocks);
    this.#from = new Uint8Array(blocks);
    this.#at = new Float64Array(blocks);
    this.useful = new Float64Array(tiers);
    this.wasted = new Float64Array(tiers);
  }

  /** A prefetch begins to bring a block from memory `from`, to be used at `at`. */
  coming(block: number, from: number, at: SimTime): void {
    if (block >= this.#flags.length) this.#widen(Math.max(block + 1, this.#flags.length * 2));
    this.#flags[block] = COMING;
    this.#from[block] = from;
    this.#at[block] = at;
  }

  /** It does not come, or is asked for before it has. */
  demanded(block: number): void {
    this.#flags[block] &= ~COMING;
  }

  /** A request uses a resident block. */
  used(block: number): void {
    if (block >= this.#flags.length || (this.#flags[block] & GUESSED) === 0) return;
    this.#flags[block] &= ~GUESSED;
    this.useful[this.#from[block]]++;
  }

  /** When a block that nobody has used yet was expected to be used; NaN for others. */
  expected(block: number): SimTime {
    return block < this.#flags.length && (this.#flags[block] & GUESSED) !== 0 ? this.#at[block] : Number.NaN;
  }

  /** Blocks that lie here unused, by the memory that they came from. */
  unused(): Float64Array {
    const sums = new Float64Array(this.useful.length);
    for (let block = 0; block < this.#flags.length; block++) if ((this.#flags[block] & GUESSED) !== 0) sums[this.#from[block]]++;
    return sums;
  }

  insert(block: number): void {
    if (block < this.#flags.length && (this.#flags[block] & COMING) !== 0) {
      this.#flags[block] = this.#cold ? GUESSED | COLD : GUESSED;
      if (this.#cold) return;
    }
    this.#policy.insert(block);
  }

  touch(block: number): void {
    if (!this.#isCold(block)) this.#policy.touch(block);
    else {
      this.#warm(block);
      this.#policy.unpin(block);
    }
  }

  pin(block: number): void {
    if (this.#isCold(block)) this.#warm(block);
    else this.#policy.pin(block);
  }

  unpin(block: number): void {
    if (!this.#isCold(block)) this.#policy.unpin(block);
    else this.#stack.push(block);
  }

  evict(block: number): void {
    const cold = this.#isCold(block);
    this.#left(block);
    if (!cold) this.#policy.evict(block);
  }

  remove(block: number): void {
    const cold = this.#isCold(block);
    this.#left(block);
    if (!cold) this.#policy.remove(block);
  }

  forget(base: number, count: number): void {
    this.#flags.fill(0, base, base + count);
    this.#policy.forget(base, count);
  }

  grow(blocks: number): void {
    if (blocks > this.#flags.length) this.#widen(blocks);
    this.#policy.grow(blocks);
  }

  victim(incoming: number): number {
    const stack = this.#stack;
    while (stack.length > 0 && !this.#isCold(stack[stack.length - 1])) stack.pop();
    return stack.length > 0 ? stack[stack.length - 1] : this.#policy.victim(incoming);
  }

  #isCold(block: number): boolean {
    return block < this.#flags.length && (this.#flags[block] & COLD) !== 0;
  }

  /** A cold block enters the policy, in use. */
  #warm(block: number): void {
    this.#flags[block] &= ~COLD;
    this.#policy.insert(block);
  }

  #left(block: number): void {
    if (block >= this.#flags.length) return;
    if ((this.#flags[block] & GUESSED) !== 0) this.wasted[this.#from[block]]++;
    this.#flags[block] = 0;
  }

  #widen(blocks: number): void {
    this.#flags = widened(this.#flags, blocks);
    this.#from = widened(this.#from, blocks);
    this.#at = widened(this.#at, blocks);
  }
}
