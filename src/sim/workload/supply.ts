import type {SimTime} from '../core/time.js';
import {type ArrivalProcess, NEVER} from './arrivals.js';
import type {WorkloadOptions} from './workload.js';

/** Counts what has arrived against the run's limits, and numbers the sessions. */
export class Supply {
  /** Sessions started: the number of the next one. */
  sessions = 0;
  #requests = 0;
  readonly #process: ArrivalProcess;
  readonly #maxRequests: number;
  readonly #maxSessions: number;
  readonly #end: SimTime;

  constructor(process: ArrivalProcess, {requests, sessions, duration}: WorkloadOptions['limit']) {
    this.#process = process;
    this.#maxRequests = requests ?? Infinity;
    this.#maxSessions = sessions ?? Infinity;
    this.#end = duration === null ? Number.MAX_VALUE : Math.round(duration * 1e9);
  }

  /** The start of the next session that starts by itself, or NEVER. */
  start(): SimTime {
    return this.sessions < this.#maxSessions ? this.#begin(this.#process.next()) : NEVER;
  }

  /** The start of the session that takes the place of one that ended at `now`, or NEVER. */
  replace(now: SimTime): SimTime {
    return this.sessions < this.#maxSessions ? this.#begin(this.#process.replace(now)) : NEVER;
  }

  /** Whether one more request may arrive at `time`; it is counted. */
  take(time: SimTime): boolean {
    if (this.#requests >= this.#maxRequests || time > this.#end) return false;
    this.#requests++;
    return true;
  }

  #begin(time: SimTime): SimTime {
    if (!this.take(time)) return NEVER;
    this.sessions++;
    return time;
  }
}
