import type {SimTime} from '../core/time.js';

/** What a run has come to so far. */
export interface Progress {
  /** Requests that ended. */
  readonly ended: number;
  /** Tokens generated, less those discarded by preemptions. */
  readonly keptTokens: number;
  readonly preemptions: number;
}

/** So many preemptions without a token kept or a request ended are no thrashing any more: each of them is to let somebody else compute. */
const SPIRAL = 100_000;

/** Finds out that a run goes round in circles: requests give way to each other, and none of them gets further. */
export class ProgressWatch {
  #ended = 0;
  #kept = 0;
  /** Preemptions when one of the two last rose. */
  #preemptions = 0;

  /** Throws when far too many preemptions have come since the last token that was kept. Called now and then. */
  check({ended, keptTokens: kept, preemptions}: Progress, now: SimTime): void {
    if (ended > this.#ended || kept > this.#kept) {
      this.#ended = ended;
      this.#kept = Math.max(kept, this.#kept);
      this.#preemptions = preemptions;
      return;
    }
    const since = preemptions - this.#preemptions;
    if (since >= SPIRAL) throw new Error(spiral(since, ended, now));
  }
}

function spiral(preemptions: number, ended: number, now: SimTime): string {
  return `preemption spiral at ${now * 1e-9} s: ${preemptions} preemptions since a token was kept or a request ended (${ended} have); write scheduler.preemption: none, give KV more room, or choose another scheduler.policy`;
}
