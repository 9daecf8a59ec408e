import type {SimTime} from '../core/time.js';
import type {WorkloadOptions} from './workload.js';

/** Counts what has arrived against the run's limits, over all streams, and numbers the sessions of the run. */
export class Intake {
  /** Sessions started: the number of the next one. */
  sessions = 0;
  #requests = 0;
  readonly #maxRequests: number;
  readonly #maxSessions: number;
  readonly #end: SimTime;

  constructor({requests, sessions, duration}: WorkloadOptions['limit']) {
    this.#maxRequests = requests ?? Infinity;
    this.#maxSessions = sessions ?? Infinity;
    this.#end = duration === null ? Number.MAX_VALUE : Math.round(duration * 1e9);
  }

  /** Whether one more session may start at all. */
  get open(): boolean {
    return this.sessions < this.#maxSessions;
  }

  /** Whether one more request may arrive at `time`; it is counted. */
  take(time: SimTime): boolean {
    if (this.#requests >= this.#maxRequests || time > this.#end) return false;
    this.#requests++;
    return true;
  }
}
