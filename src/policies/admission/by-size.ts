import {widened} from '../../sim/core/widened.js';
import type {ParameterValues} from '../eviction/eviction.js';
import {Everything} from './all.js';
import type {BlockAdmissionEntry} from './block.js';

/**
 * Lets in the blocks of prompts of some lengths: blocks are all alike, and what is worth a place or not is the prefix that is asked for as a whole.
 *
 * A block of several prompts comes in once one of them has such a length.
 */
export const bySize: BlockAdmissionEntry = {
  about: 'lets in the blocks of long prompts, or of short ones',
  params: {
    tokens: {kind: 'count', default: 1024, about: 'of a prompt that comes in at least, or at most; assumed'},
    of: {kind: 'name', default: 'longer', names: ['longer', 'shorter'], about: 'prompts of at least so many tokens, or of at most so many'},
  },
  create: (_facts, params) => new BySize(params),
};

class BySize extends Everything {
  readonly #least: number;
  readonly #most: number;
  /** By block: whether a prompt of a right length had it. */
  #fits = new Uint8Array(1024);

  constructor({tokens, of}: ParameterValues) {
    super();
    this.#least = of === 'longer' ? (tokens as number) : 0;
    this.#most = of === 'shorter' ? (tokens as number) : Number.POSITIVE_INFINITY;
  }

  override found(block: number, prompt: number): void {
    if (prompt < this.#least || prompt > this.#most) return;
    if (block >= this.#fits.length) this.#fits = widened(this.#fits, Math.max(block + 1, this.#fits.length * 2));
    this.#fits[block] = 1;
  }

  override computed(block: number, prompt: number): void {
    this.found(block, prompt);
  }

  override admits(block: number): boolean {
    return this.#fits[block] === 1;
  }

  override forget(base: number, count: number): void {
    this.#fits.fill(0, base, base + count);
  }
}
