import {InputError} from '../core/errors.js';
import {type Random, stream} from '../core/random.js';
import type {IdPool} from './block-ids.js';
import {counts, type Draw, zipf} from './distributions.js';
import type {StreamOptions} from './stream.js';
import type {SharedPrefixes} from './workload.js';

/** A text that many sessions begin with. */
export interface Prefix {
  readonly tokens: number;
  /** The ids of its whole blocks; the block in which it ends belongs to the session. */
  readonly base: number;
  readonly blocks: number;
}

/** The shared prefixes of a workload, and the choice of one for a session. */
export class Prefixes {
  readonly #all: readonly Prefix[];
  readonly #pick: Draw;
  readonly #random: Random;

  constructor(config: SharedPrefixes, ids: IdPool, {seed, replication, path, blockSize}: StreamOptions) {
    const stem = `${replication}/${path}`;
    const {count, popularity} = config;
    if (!(Number.isInteger(count) && count >= 1)) throw new InputError(`${path}.shared_prefixes.count: ${count} is no whole number ≥ 1`);
    const draw = counts(config.tokens, `${path}.shared_prefixes.tokens`);
    const lengths = stream(seed, `${stem}/prefix_tokens`);
    this.#all = Array.from({length: count}, () => {
      const tokens = draw(lengths);
      const blocks = Math.floor(tokens / blockSize);
      return {tokens, base: ids.share(blocks), blocks};
    });
    const rank = popularity.dist === 'zipf' ? zipf(popularity.s, 1, count) : null;
    this.#pick = rank === null ? (random) => Math.floor(random() * count) : (random) => rank(random) - 1;
    this.#random = stream(seed, `${stem}/prefix`);
  }

  /** The prefix of the next session. */
  next(): Prefix {
    return this.#all[this.#pick(this.#random)];
  }
}

export const NO_PREFIX: Prefix = {tokens: 0, base: 0, blocks: 0};
