import {widened} from '../../sim/core/widened.js';
import type {ParameterValues} from '../eviction/eviction.js';
import {Everything} from './all.js';
import type {BlockAdmissionEntry} from './block.js';

/** Lets a block in once it was used so often; `kv.tiers.<m>.write: selective` is write-through with it. */
export const afterTouches: BlockAdmissionEntry = {
  about: 'lets a block in once it was used so often',
  params: {
    k: {kind: 'count', default: 2, about: 'uses before a block comes in'},
    counts: {
      kind: 'name',
      default: 'hits',
      names: ['hits', 'lookups', 'stay'],
      about: 'a use is a hit; a hit or computing the block; the same since it came to HBM',
    },
  },
  create: (_facts, params) => new AfterTouches(params),
};

class AfterTouches extends Everything {
  readonly #k: number;
  readonly #countsComputing: boolean;
  readonly #countsStay: boolean;
  #uses = new Uint32Array(1024);

  constructor({k, counts}: ParameterValues) {
    super();
    this.#k = k as number;
    this.#countsComputing = counts !== 'hits';
    this.#countsStay = counts === 'stay';
  }

  override found(block: number): void {
    if (block >= this.#uses.length) this.#uses = widened(this.#uses, Math.max(block + 1, this.#uses.length * 2));
    this.#uses[block]++;
  }

  override computed(block: number): void {
    if (this.#countsComputing) this.found(block);
  }

  override leftHbm(block: number): void {
    if (this.#countsStay && block < this.#uses.length) this.#uses[block] = 0;
  }

  override admits(block: number): boolean {
    return block < this.#uses.length && this.#uses[block] >= this.#k;
  }

  override forget(base: number, count: number): void {
    this.#uses.fill(0, base, base + count);
  }
}
