import {stream} from '../core/random.js';
import type {SimTime} from '../core/time.js';
import {type ArrivalProcess, arrivalProcess, NEVER} from './arrivals.js';
import type {Intake} from './intake.js';
import type {StreamOptions} from './stream.js';
import type {Arrivals} from './workload.js';

/** The sessions of a stream with these arrivals; `perSession` is how many of the things that a rate counts make a session. */
export function supplyOf(arrivals: Arrivals, options: StreamOptions, perSession = 1): Supply {
  return new Supply(processOf(arrivals, options, perSession), options.intake);
}

/** When these sessions start, on the stream's own random numbers. */
export function processOf(arrivals: Arrivals, {seed, replication, path}: StreamOptions, perSession: number): ArrivalProcess {
  return arrivalProcess(arrivals, stream(seed, `${replication}/${path}/arrivals`), perSession, `${path}.arrivals`);
}

/** Starts the sessions of one stream, as far as the run's limits let them, and numbers them. */
export class Supply {
  /** Sessions of this stream that started. */
  sessions = 0;
  /** Number, in the whole run, of the session that started last. */
  session = -1;
  readonly #process: ArrivalProcess;
  readonly #intake: Intake;
  /** Drawn, not yet started. */
  #upcoming: SimTime | null = null;

  constructor(process: ArrivalProcess, intake: Intake) {
    this.#process = process;
    this.#intake = intake;
  }

  /** When the next session starts by itself, or NEVER; nothing is counted. */
  upcoming(): SimTime {
    this.#upcoming ??= this.#process.next();
    return this.#upcoming;
  }

  /** Whether sessions start because others end. */
  get replaces(): boolean {
    return this.#process.replaces;
  }

  /** The start of the next session that starts by itself, or NEVER. */
  start(): SimTime {
    if (!this.#intake.open) return NEVER;
    const time = this.upcoming();
    this.#upcoming = null;
    return this.#begin(time);
  }

  /** The start of the session that takes the place of one that ended at `now`, or NEVER. */
  replace(now: SimTime): SimTime {
    return this.#intake.open ? this.#begin(this.#process.replace(now)) : NEVER;
  }

  /** Whether one more request may arrive at `time`; it is counted. */
  take(time: SimTime): boolean {
    return this.#intake.take(time);
  }

  #begin(time: SimTime): SimTime {
    if (!this.#intake.take(time)) return NEVER;
    this.sessions++;
    this.session = this.#intake.sessions++;
    return time;
  }
}
