import type {SimTime} from '../core/time.js';
import {NEVER} from './arrivals.js';
import type {IdPool} from './block-ids.js';
import type {Script} from './script.js';
import type {Stream, StreamOptions} from './stream.js';
import type {Supply} from './supply.js';
import type {Arrival, IdRange, LeastGap} from './workload.js';

/** A session that is open. */
interface Session {
  readonly script: Script;
  readonly started: SimTime;
}

/** Makes what session `index` of a stream asks; `session` is its number in the run. */
export type Write = (index: number, session: number) => Script;

/** Sessions of turns, each of which waits for the answer before it. */
export class Conversations implements Stream {
  readonly leastGap: LeastGap;
  readonly shares: boolean;
  readonly ids: IdPool;
  readonly classes: readonly string[];
  readonly #class: number;
  readonly #supply: Supply;
  readonly #write: Write;
  readonly #open = new Map<number, Session>();

  /** `gap` is the least time from an answer to the next turn; NEVER when no session has a second one. */
  constructor(options: Pick<StreamOptions, 'ids' | 'classes' | 'class'>, supply: Supply, shares: boolean, write: Write, gap: SimTime = 0) {
    this.leastGap = {withinSession: gap, toAnother: supply.replaces ? 0 : NEVER};
    this.ids = options.ids;
    this.classes = options.classes;
    this.#class = options.class;
    this.#supply = supply;
    this.shares = shares;
    this.#write = write;
  }

  next(): Arrival | null {
    return this.#first(this.#supply.start());
  }

  upcoming(): SimTime {
    return this.#supply.upcoming();
  }

  follow(ended: Arrival, now: SimTime, finished: boolean): Arrival | null {
    const number = ended.session;
    const {script, started} = this.#open.get(number)!;
    const turn = ended.turn + 1;
    if (finished && turn < script.turns) {
      const time = script.time(turn, started, now);
      if (this.#supply.take(time)) return this.#arrival(time, number, turn, script);
      this.#open.delete(number);
      return null; // not replaced: its user is still thinking when the arrivals end
    }
    this.#open.delete(number);
    return this.#first(this.#supply.replace(now));
  }

  released(session: number): IdRange {
    return this.ids.release(session);
  }

  #first(time: SimTime): Arrival | null {
    if (time === NEVER) return null;
    const {session, sessions} = this.#supply;
    const script = this.#write(sessions - 1, session);
    this.#open.set(session, {script, started: time});
    return this.#arrival(time, session, 0, script);
  }

  #arrival(time: SimTime, session: number, turn: number, script: Script): Arrival {
    return {
      time,
      session,
      turn,
      input: script.input(turn),
      output: script.output(turn),
      chain: script.chain(turn),
      class: this.#class,
    };
  }
}
