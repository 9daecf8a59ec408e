import {type Random, stream} from '../core/random.js';
import type {SimTime} from '../core/time.js';
import {NEVER} from './arrivals.js';
import type {IdPool} from './block-ids.js';
import {chainOf} from './chain.js';
import {counts, type Draw} from './distributions.js';
import {Prefixes} from './prefixes.js';
import type {Stream, StreamOptions} from './stream.js';
import {Supply, supplyOf} from './supply.js';
import type {Arrival, IdRange, LeastGap, Traffic} from './workload.js';

type Config = Extract<Traffic, {kind: 'lengths' | 'batch'}>;

/** Independent requests with random lengths; each is a session of one turn. Without shared prefixes nothing can be shared. */
export function lengths(config: Config, options: StreamOptions): Stream {
  const supply = config.arrivals === null ? new Supply(atOnce, options.intake) : supplyOf(config.arrivals, options);
  return new Lengths(config, supply, options);
}

/** All there are, at time 0. */
const atOnce = {next: () => 0, replace: () => NEVER, replaces: false};

class Lengths implements Stream {
  readonly leastGap: LeastGap;
  readonly shares: boolean;
  readonly ids: IdPool;
  readonly classes: readonly string[];
  readonly #supply: Supply;
  readonly #input: Draw;
  readonly #output: Draw;
  readonly #inputs: Random;
  readonly #outputs: Random;
  readonly #prefixes: Prefixes | null;
  readonly #blockSize: number;
  readonly #class: number;

  constructor(config: Config, supply: Supply, options: StreamOptions) {
    const {seed, replication, blockSize, path} = options;
    const stem = `${replication}/${path}`;
    this.ids = options.ids;
    this.classes = options.classes;
    this.#class = options.class;
    this.#supply = supply;
    this.leastGap = {withinSession: NEVER, toAnother: supply.replaces ? 0 : NEVER};
    this.#input = counts(config.inputTokens, `${path}.input_tokens`);
    this.#output = counts(config.outputTokens, `${path}.output_tokens`);
    this.#inputs = stream(seed, `${stem}/input_tokens`);
    this.#outputs = stream(seed, `${stem}/output_tokens`);
    this.#prefixes = config.sharedPrefixes && new Prefixes(config.sharedPrefixes, this.ids, options);
    this.#blockSize = blockSize;
    this.shares = this.#prefixes !== null;
  }

  next(): Arrival | null {
    return this.#arrival(this.#supply.start());
  }

  upcoming(): SimTime {
    return this.#supply.upcoming();
  }

  follow(_ended: Arrival, now: SimTime): Arrival | null {
    return this.#arrival(this.#supply.replace(now));
  }

  released(session: number): IdRange {
    return this.ids.release(session);
  }

  #arrival(time: SimTime): Arrival | null {
    if (time === NEVER) return null;
    const {session} = this.#supply;
    const input = this.#input(this.#inputs),
      output = this.#output(this.#outputs);
    if (this.#prefixes === null) return {time, session, turn: 0, input, output, chain: null, class: this.#class};
    const prefix = this.#prefixes.next();
    const blocks = Math.ceil((prefix.tokens + input + output) / this.#blockSize);
    const own = this.ids.allocate(session, blocks - prefix.blocks);
    const chain = chainOf(prefix.base, prefix.blocks, own, blocks);
    return {time, session, turn: 0, input: prefix.tokens + input, output, chain, class: this.#class};
  }
}
