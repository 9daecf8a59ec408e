import {InputError} from '../../sim/core/errors.js';
import {type BlockId, NO_BLOCK} from '../../sim/core/ids.js';
import {widened} from '../../sim/core/widened.js';
import type {EvictionPolicy} from './policy.js';

const ABSENT = 0;
const PINNED = 1;
const IDLE = 2;

const methods = ['insert', 'touch', 'pin', 'unpin', 'evict', 'remove', 'forget', 'grow', 'victim'] as const;

/** The error of a file's program as an InputError that names the file and what it was asked. */
export function thrown(file: string, asked: string, error: unknown): InputError {
  if (error instanceof InputError) return error;
  const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new InputError(`${file}: ${asked} throws ${said.replace(/\s+/g, ' ')}`);
}

/** The same policy; what one of its methods throws is told as `thrown` does. */
function telling(file: string, policy: EvictionPolicy): EvictionPolicy {
  const told = (method: (typeof methods)[number]) => (block: number, count: number) => {
    try {
      return policy[method](block, count);
    } catch (error) {
      throw thrown(file, method, error);
    }
  };
  return Object.fromEntries(methods.map((method) => [method, told(method)])) as unknown as EvictionPolicy;
}

/** A policy that nobody of this project has tested: what it throws, and a victim that may not leave, ends the run with the name of the file. */
export class Checked implements EvictionPolicy {
  readonly #file: string;
  readonly #policy: EvictionPolicy;
  #state: Uint8Array;
  #idle = 0;

  /** Throws InputError for a policy that lacks a method. */
  constructor(file: string, policy: EvictionPolicy, blocks: number) {
    const missing = methods.filter((name) => typeof (policy as Partial<EvictionPolicy> | null)?.[name] !== 'function');
    if (missing.length > 0) throw new InputError(`${file}: the policy that create returns has no ${missing.join(', ')}`);
    this.#file = file;
    this.#policy = telling(file, policy);
    this.#state = new Uint8Array(blocks);
  }

  insert(block: BlockId): void {
    this.#set(block, PINNED);
    this.#policy.insert(block);
  }

  touch(block: BlockId): void {
    this.#policy.touch(block);
  }

  pin(block: BlockId): void {
    this.#set(block, PINNED);
    this.#policy.pin(block);
  }

  unpin(block: BlockId): void {
    this.#set(block, IDLE);
    this.#policy.unpin(block);
  }

  evict(block: BlockId): void {
    this.#set(block, ABSENT);
    this.#policy.evict(block);
  }

  remove(block: BlockId): void {
    this.#set(block, ABSENT);
    this.#policy.remove(block);
  }

  forget(base: BlockId, count: number): void {
    this.#policy.forget(base, count);
  }

  grow(blocks: number): void {
    this.#state = widened(this.#state, blocks);
    this.#policy.grow(blocks);
  }

  victim(incoming: BlockId): BlockId {
    const block = this.#policy.victim(incoming);
    if (block === NO_BLOCK ? this.#idle > 0 : this.#state[block] !== IDLE)
      throw new InputError(`${this.#file}: victim(${incoming}) is ${block}, ${this.#wrong(block)}`);
    return block;
  }

  #wrong(block: BlockId): string {
    if (block === NO_BLOCK) return `no block, but ${this.#idle} could leave`;
    return this.#state[block] === PINNED ? 'which is in use' : 'which is not here';
  }

  #set(block: BlockId, state: number): void {
    if (this.#state[block] === IDLE) this.#idle--;
    if (state === IDLE) this.#idle++;
    this.#state[block] = state;
  }
}
