import {InputError} from '../core/errors.js';
import {type Random, stream} from '../core/random.js';
import type {SimTime} from '../core/time.js';
import {NEVER} from './arrivals.js';
import type {IdPool} from './block-ids.js';
import type {Write} from './conversations.js';
import {exponential} from './distributions.js';
import type {Script} from './script.js';
import type {Stream, StreamOptions} from './stream.js';
import type {Arrival, ArrivalsInRounds, IdRange, LeastGap} from './workload.js';

/**
 * Sessions in rounds with a barrier, as multi-turn benchmarks send them: every session has one turn a round, in an order drawn anew, and a round begins when all requests of the one before have ended.
 *
 * Requests go out at a rate, with exponential gaps, but at most so many are under way; one that has to wait for another's end goes out at that end. A session whose request did not finish ends.
 */
export class Rounds implements Stream {
  readonly leastGap: LeastGap = {withinSession: 0, toAnother: 0};
  readonly barrier = {goesOn: (session: number) => this.#scripts.has(session)};
  readonly shares: boolean;
  readonly ids: IdPool;
  readonly classes: readonly string[];
  readonly #options: StreamOptions;
  readonly #write: Write;
  readonly #gap: () => number;
  readonly #order: Random;
  readonly #scripts = new Map<number, Script>();
  /** Sessions that still have to send in this round, the next one last. */
  #due: number[];
  /** Sessions whose request of this round has finished. */
  #through: number[] = [];
  #underWay = 0;
  #turn = 0;
  /** When each free place became free. */
  readonly #places: SimTime[];
  /** Before it, nothing goes out: a gap after the last request; and not before the round began. */
  #notBefore: number;
  #began: SimTime = 0;
  #latestEnd: SimTime = 0;

  constructor(arrivals: ArrivalsInRounds, options: StreamOptions, shares: boolean, write: Write) {
    const {sessions, inFlight, rate} = arrivals;
    refuseNonsense(arrivals, options.path);
    const {seed, replication, path} = options;
    const gaps = stream(seed, `${replication}/${path}/arrivals`);
    this.#options = options;
    this.ids = options.ids;
    this.classes = options.classes;
    this.shares = shares;
    this.#write = write;
    this.#gap = () => (exponential(gaps) * 1e9) / rate;
    this.#order = stream(seed, `${replication}/${path}/order`);
    this.#places = new Array<SimTime>(inFlight).fill(0);
    this.#due = shuffled(
      Array.from({length: sessions}, (_, session) => session),
      this.#order,
    );
    this.#notBefore = this.#gap();
  }

  upcoming(): SimTime {
    if (this.#due.length === 0 || this.#places.length === 0) return NEVER;
    return Math.max(Math.round(this.#notBefore), this.#began, Math.min(...this.#places));
  }

  next(): Arrival | null {
    const time = this.upcoming();
    if (time === NEVER || !this.#options.intake.take(time)) return null;
    const session = this.#due.pop()!;
    this.#places.splice(this.#places.indexOf(Math.min(...this.#places)), 1);
    this.#underWay++;
    this.#notBefore = time + this.#gap();
    const script = this.#scriptOf(session);
    return {
      time,
      session,
      turn: this.#turn,
      input: script.input(this.#turn),
      output: script.output(this.#turn),
      chain: script.chain(this.#turn),
      class: this.#options.class,
    };
  }

  /** Gives nothing itself: what an end allows is what `next` gives then. */
  follow({session}: Arrival, now: SimTime, finished: boolean): null {
    this.#underWay--;
    this.#places.push(now);
    if (finished && this.#turn + 1 < this.#scriptOf(session).turns) this.#through.push(session);
    else this.#scripts.delete(session);
    this.#latestEnd = Math.max(this.#latestEnd, now);
    if (this.#underWay === 0 && this.#due.length === 0) this.#nextRound();
    return null;
  }

  released(session: number): IdRange {
    return this.ids.release(session);
  }

  #nextRound(): void {
    this.#turn++;
    this.#began = this.#latestEnd;
    this.#due = shuffled(
      this.#through.sort((a, b) => a - b),
      this.#order,
    );
    this.#through = [];
  }

  #scriptOf(session: number): Script {
    let script = this.#scripts.get(session);
    if (script === undefined) {
      script = this.#write(session, session);
      this.#scripts.set(session, script);
    }
    return script;
  }
}

function refuseNonsense({sessions, inFlight, rate}: ArrivalsInRounds, path: string): void {
  for (const [key, value] of Object.entries({sessions, in_flight: inFlight}))
    if (!(Number.isInteger(value) && value >= 1)) throw new InputError(`${path}.arrivals.${key}: ${value} is no whole number ≥ 1`);
  if (!(rate > 0 && Number.isFinite(rate)))
    throw new InputError(`${path}.arrivals.rate: ${rate}/s is not a rate; it must be finite and above 0`);
}

/** Fisher and Yates: every order is equally likely. The array is changed. */
function shuffled(items: number[], random: Random): number[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [items[i], items[j]] = [items[j], items[i]];
  }
  return items;
}
