import type {SimTime} from '../../sim/core/time.js';
import type {Prompt, Want} from './policy.js';

/** A session's next use as somebody foresees it. */
export interface Expectation<P extends Prompt> {
  readonly prompt: P;
  readonly at: SimTime;
  /** From then on nobody expects it any more. */
  readonly until: SimTime;
}

/** Sessions in the order in which their next uses are expected; one expectation a session, the earlier session first among equals. */
export class Schedule<P extends Prompt> {
  readonly #order: Expectation<P>[] = [];
  readonly #bySession = new Map<number, Expectation<P>>();
  readonly #lookahead: number;
  readonly #lead: SimTime;

  /** The `lookahead` first are wished for, none earlier than `lead` ns before its use. */
  constructor(lookahead: number, lead: SimTime) {
    this.#lookahead = lookahead;
    this.#lead = lead;
  }

  set(expectation: Expectation<P>): void {
    this.drop(expectation.prompt.session);
    this.#bySession.set(expectation.prompt.session, expectation);
    this.#order.splice(this.#place(expectation), 0, expectation);
  }

  drop(session: number): void {
    const known = this.#bySession.get(session);
    if (known === undefined) return;
    this.#bySession.delete(session);
    this.#order.splice(this.#place(known), 1);
  }

  expected(session: number): SimTime {
    return this.#bySession.get(session)?.at ?? Number.POSITIVE_INFINITY;
  }

  wishes(now: SimTime, want: Want<P>): void {
    this.#expire(now);
    const end = Math.min(this.#lookahead, this.#order.length);
    for (let i = 0; i < end && this.#order[i].at - this.#lead <= now; i++) {
      const {prompt, at} = this.#order[i];
      want(prompt, prompt.blocks, at);
    }
  }

  wakeAt(now: SimTime): SimTime {
    let next = Number.POSITIVE_INFINITY;
    const end = Math.min(this.#lookahead, this.#order.length);
    for (let i = 0; i < end; i++) {
      const {at, until} = this.#order[i];
      next = Math.min(next, until > now ? until : Number.POSITIVE_INFINITY);
      if (at - this.#lead > now) return Math.min(next, at - this.#lead);
    }
    return next;
  }

  /** Those among the first that nobody expects any more make room for others. */
  #expire(now: SimTime): void {
    for (let i = 0; i < Math.min(this.#lookahead, this.#order.length); ) {
      const {prompt, until} = this.#order[i];
      if (until <= now) this.drop(prompt.session);
      else i++;
    }
  }

  /** Where an expectation stands, or belongs. */
  #place({at, prompt}: Expectation<P>): number {
    let low = 0,
      high = this.#order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#order[middle];
      if (other.at < at || (other.at === at && other.prompt.session < prompt.session)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
