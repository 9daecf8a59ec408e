import type {SimTime} from '../../sim/core/time.js';
import {lead, lookahead, nanoseconds, placing} from './parameters.js';
import type {Prefetch, PrefetchPolicy, Prompt, Want} from './policy.js';
import {Schedule} from './schedule.js';

/** Fetches the prompts that arrive next, for it is told of them before they come: a bound, which no engine reaches. */
export const oracle: Prefetch = {
  about: 'fetches the prompts that do arrive next: a bound',
  params: {...lookahead, ...lead},
  needs: 'arrivals',
  placing,
  queue: () => null,
  create: ({lookahead: k, lead: ahead}) => new Foreseen(k as number, nanoseconds(ahead)),
};

class Foreseen<P extends Prompt> implements PrefetchPolicy<P> {
  readonly #schedule: Schedule<P>;

  constructor(k: number, ahead: SimTime) {
    this.#schedule = new Schedule(k, ahead);
  }

  queued({session}: P): void {
    this.#schedule.drop(session);
  }

  ended(): void {}

  foreseen(prompt: P, at: SimTime): void {
    this.#schedule.set({prompt, at, until: Number.POSITIVE_INFINITY});
  }

  forget(session: number): void {
    this.#schedule.drop(session);
  }

  wishes(now: SimTime, want: Want<P>): void {
    this.#schedule.wishes(now, want);
  }

  wakeAt(now: SimTime): SimTime {
    return this.#schedule.wakeAt(now);
  }

  expected(session: number): SimTime {
    return this.#schedule.expected(session);
  }
}
