import {type Random, stream} from '../core/random.js';
import type {SimTime} from '../core/time.js';
import {arrivalProcess, NEVER} from './arrivals.js';
import {IdPool} from './block-ids.js';
import {chainOf} from './chain.js';
import {counts, type Draw} from './distributions.js';
import {Prefixes} from './prefixes.js';
import {Supply} from './supply.js';
import type {Arrival, IdRange, Workload, WorkloadConfig, WorkloadOptions} from './workload.js';

type Config = Extract<WorkloadConfig, {kind: 'lengths'}>;

/** Independent requests with random lengths; each is a session of one turn. Without shared prefixes nothing can be shared. */
export class Lengths implements Workload {
  readonly shares: boolean;
  readonly ids = new IdPool();
  readonly #supply: Supply;
  readonly #input: Draw;
  readonly #output: Draw;
  readonly #inputs: Random;
  readonly #outputs: Random;
  readonly #prefixes: Prefixes | null;
  readonly #blockSize: number;

  constructor(config: Config, {seed, replication, blockSize, limit}: WorkloadOptions) {
    const stem = `${replication}/workload`;
    this.#supply = new Supply(arrivalProcess(config.arrivals, stream(seed, `${stem}/arrivals`)), limit);
    this.#input = counts(config.inputTokens, 'workload.input_tokens');
    this.#output = counts(config.outputTokens, 'workload.output_tokens');
    this.#inputs = stream(seed, `${stem}/input_tokens`);
    this.#outputs = stream(seed, `${stem}/output_tokens`);
    this.#prefixes = config.sharedPrefixes && new Prefixes(config.sharedPrefixes, this.ids, blockSize, seed, stem);
    this.#blockSize = blockSize;
    this.shares = this.#prefixes !== null;
  }

  next(): Arrival | null {
    return this.#arrival(this.#supply.start());
  }

  follow(_ended: Arrival, now: SimTime): Arrival | null {
    return this.#arrival(this.#supply.replace(now));
  }

  released(session: number): IdRange {
    return this.ids.release(session);
  }

  #arrival(time: SimTime): Arrival | null {
    if (time === NEVER) return null;
    const session = this.#supply.sessions - 1;
    const input = this.#input(this.#inputs),
      output = this.#output(this.#outputs);
    if (this.#prefixes === null) return {time, session, turn: 0, input, output, chain: null};
    const prefix = this.#prefixes.next();
    const blocks = Math.ceil((prefix.tokens + input + output) / this.#blockSize);
    const own = this.ids.allocate(session, blocks - prefix.blocks);
    const chain = chainOf(prefix.base, prefix.blocks, own, blocks);
    return {time, session, turn: 0, input: prefix.tokens + input, output, chain};
  }
}
