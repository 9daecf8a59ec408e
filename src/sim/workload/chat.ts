import {InputError} from '../core/errors.js';
import {type Random, stream} from '../core/random.js';
import {fromSeconds, type SimTime} from '../core/time.js';
import {NEVER} from './arrivals.js';
import type {IdPool} from './block-ids.js';
import {chainOf} from './chain.js';
import {counts, type Draw, draws} from './distributions.js';
import {NO_PREFIX, type Prefix, Prefixes} from './prefixes.js';
import type {Stream, StreamOptions} from './stream.js';
import {type Supply, supplyOf} from './supply.js';
import type {Arrival, IdRange, Traffic} from './workload.js';

type Config = Extract<Traffic, {kind: 'chat'}>;

/** A session that is open, with everything that was drawn for it. */
interface Session {
  readonly prefix: Prefix;
  /** By turn. */
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  /** ns before turn t + 1. */
  readonly thinks: readonly SimTime[];
  readonly base: number;
}

/**
 * Conversations: each prompt is the shared prefix, all that was said before, and new user text; the next one comes a think time after the answer.
 *
 * All of a session is drawn when it starts, from streams that its number names: how fast it is served changes when its turns come, never what they are.
 */
export class Chat implements Stream {
  readonly shares: boolean;
  readonly ids: IdPool;
  readonly classes: readonly string[];
  readonly #supply: Supply;
  readonly #open = new Map<number, Session>();
  readonly #draw: {readonly turns: Draw; readonly user: Draw; readonly output: Draw; readonly think: Draw};
  readonly #turns: Random;
  readonly #prefixes: Prefixes | null;
  readonly #options: StreamOptions;

  constructor(config: Config, options: StreamOptions) {
    const {seed, replication, path} = options;
    this.#options = options;
    this.ids = options.ids;
    this.classes = options.classes;
    this.#draw = {
      turns: counts(config.turns, `${path}.turns`),
      user: counts(config.userTokens, `${path}.user_tokens`),
      output: counts(config.outputTokens, `${path}.output_tokens`),
      think: draws(config.thinkTime, `${path}.think_time`),
    };
    this.#turns = stream(seed, `${replication}/${path}/turns`);
    this.#supply = supplyOf(config.arrivals, options, requestsPerSession(config, path));
    this.#prefixes = config.sharedPrefixes && new Prefixes(config.sharedPrefixes, this.ids, options);
    this.shares = this.#prefixes !== null || !(config.turns.dist === 'constant' && config.turns.value < 1.5);
  }

  next(): Arrival | null {
    return this.#first(this.#supply.start());
  }

  upcoming(): SimTime {
    return this.#supply.upcoming();
  }

  follow(ended: Arrival, now: SimTime, finished: boolean): Arrival | null {
    const session = this.#open.get(ended.session)!;
    const turn = ended.turn + 1;
    if (finished && turn < session.inputs.length) {
      const time = now + session.thinks[ended.turn];
      if (this.#supply.take(time)) return this.#arrival(time, ended.session, turn, session);
      this.#open.delete(ended.session);
      return null; // not replaced: its user is still thinking when the arrivals end
    }
    this.#open.delete(ended.session);
    return this.#first(this.#supply.replace(now));
  }

  released(session: number): IdRange {
    return this.ids.release(session);
  }

  #first(time: SimTime): Arrival | null {
    if (time === NEVER) return null;
    const {session: number, sessions} = this.#supply;
    const session = this.#session(sessions - 1, number);
    this.#open.set(number, session);
    return this.#arrival(time, number, 0, session);
  }

  /** Draws what the stream's session `index` says; `number` is its place in the run. */
  #session(index: number, number: number): Session {
    const {seed, replication, blockSize, path} = this.#options;
    const draw = this.#draw;
    const own = (what: string) => stream(seed, `${replication}/${path}/${what}/${index}`);
    const turns = draw.turns(this.#turns);
    const prefix = this.#prefixes?.next() ?? NO_PREFIX;
    const users = drawn(turns, draw.user, own('user_tokens'));
    const outputs = drawn(turns, draw.output, own('output_tokens'));
    const thinks = turns === 1 ? [] : drawn(turns - 1, draw.think, own('think_time')).map(fromSeconds);
    const inputs: number[] = [];
    let context = prefix.tokens;
    for (let turn = 0; turn < turns; turn++) {
      inputs.push(context + users[turn]);
      context += users[turn] + outputs[turn];
    }
    const base = this.shares ? this.ids.allocate(number, Math.ceil(context / blockSize) - prefix.blocks) : 0;
    return {prefix, inputs, outputs, thinks, base};
  }

  #arrival(time: SimTime, number: number, turn: number, {prefix, inputs, outputs, base}: Session): Arrival {
    const input = inputs[turn],
      output = outputs[turn];
    const blocks = Math.ceil((input + output) / this.#options.blockSize);
    const chain = this.shares ? chainOf(prefix.base, prefix.blocks, base, blocks) : null;
    return {time, session: number, turn, input, output, chain, class: this.#options.class};
  }
}

function drawn(count: number, draw: Draw, random: Random): number[] {
  return Array.from({length: count}, () => draw(random));
}

/** How many arrivals of the kind that the rate counts make a session. */
function requestsPerSession({arrivals, turns}: Config, path: string): number {
  if (!('of' in arrivals) || arrivals.of === 'session') return 1;
  if (turns.dist === 'constant') return Math.max(1, Math.round(turns.value));
  throw new InputError(
    `${path}.arrivals.rate: ${arrivals.rate} req/s does not say how many sessions start, because their turns vary; write "… session/s"`,
  );
}
