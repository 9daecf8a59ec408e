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

/** What messages and random streams call the texts, by what they are. */
const words = {
  prefix: {count: 'shared_prefixes.count', tokens: 'shared_prefixes.tokens', lengths: 'prefix_tokens', choice: 'prefix'},
  document: {count: 'documents.count', tokens: 'document_tokens', lengths: 'document_tokens', choice: 'document'},
};

/** The shared texts of a workload, and the choice of one for a session. Documents are many: one that nobody chooses takes no ids. */
export class Prefixes {
  readonly #tokens: Float64Array;
  readonly #all: (Prefix | undefined)[] = [];
  readonly #ids: IdPool;
  readonly #blockSize: number;
  readonly #pick: Draw;
  readonly #random: Random;

  constructor(
    {count, tokens, popularity}: SharedPrefixes,
    ids: IdPool,
    {seed, replication, path, blockSize}: StreamOptions,
    kind: keyof typeof words = 'prefix',
  ) {
    const word = words[kind];
    if (!(Number.isInteger(count) && count >= 1)) throw new InputError(`${path}.${word.count}: ${count} is no whole number ≥ 1`);
    const draw = counts(tokens, `${path}.${word.tokens}`);
    const lengths = stream(seed, `${replication}/${path}/${word.lengths}`);
    this.#tokens = Float64Array.from({length: count}, () => draw(lengths));
    this.#ids = ids;
    this.#blockSize = blockSize;
    const rank = popularity.dist === 'zipf' ? zipf(popularity.s, 1, count) : null;
    this.#pick = rank === null ? (random) => Math.floor(random() * count) : (random) => rank(random) - 1;
    if (kind === 'prefix') this.#all.push(...Array.from(this.#tokens, (length) => this.#made(length)));
    this.#random = stream(seed, `${replication}/${path}/${word.choice}`);
  }

  /** The prefix of the next session. */
  next(): Prefix {
    const number = this.#pick(this.#random);
    return (this.#all[number] ??= this.#made(this.#tokens[number]));
  }

  #made(tokens: number): Prefix {
    const blocks = Math.floor(tokens / this.#blockSize);
    return {tokens, base: this.#ids.share(blocks), blocks};
  }
}

export const NO_PREFIX: Prefix = {tokens: 0, base: 0, blocks: 0};
