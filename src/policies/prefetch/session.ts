import type {SimTime} from '../../sim/core/time.js';
import {lead, lookahead, nanoseconds, placing} from './parameters.js';
import type {Prefetch, PrefetchPolicy, Prompt, Want} from './policy.js';
import {Schedule} from './schedule.js';

/**
 * Fetches the sessions that are expected next: the end of a session's last answer + its think time, the mean of those seen or their moving average (FACTS: ewma, α = 0.2); of all sessions where it has had none.
 *
 * A session that has not come for twice its think time is given up.
 */
export const session: Prefetch = {
  about: 'fetches the sessions that are expected next: their last use + their think time',
  params: {
    ...lookahead,
    think: {
      kind: 'name',
      default: 'ewma',
      names: ['ewma', 'mean'],
      about: 'think time of a session: moving average of its gaps, or their mean',
    },
    alpha: {kind: 'share', default: 0.2, about: 'ewma: weight of the newest gap'},
    ...lead,
  },
  needs: null,
  placing,
  queue: () => null,
  create: ({lookahead: k, think, alpha, lead: ahead}) =>
    new Sessions(k as number, nanoseconds(ahead), think === 'mean' ? null : (alpha as number)),
};

interface Known {
  /** ns of its last answer's end; NaN while a request of it is here. */
  endedAt: SimTime;
  gap: number;
  gaps: number;
}

class Sessions<P extends Prompt> implements PrefetchPolicy<P> {
  readonly #schedule: Schedule<P>;
  /** Weight of the newest gap; null: the mean of all. */
  readonly #alpha: number | null;
  readonly #known = new Map<number, Known>();
  #sum = 0;
  #count = 0;

  constructor(k: number, ahead: SimTime, alpha: number | null) {
    this.#schedule = new Schedule(k, ahead);
    this.#alpha = alpha;
  }

  queued({session: number}: P, now: SimTime): void {
    const known = this.#known.get(number);
    if (known === undefined || Number.isNaN(known.endedAt)) return;
    this.#learn(known, now - known.endedAt);
    known.endedAt = Number.NaN;
    this.#schedule.drop(number);
  }

  ended(prompt: P, now: SimTime): void {
    let known = this.#known.get(prompt.session);
    if (known === undefined) {
      known = {endedAt: now, gap: 0, gaps: 0};
      this.#known.set(prompt.session, known);
    }
    known.endedAt = now;
    const gap = known.gaps > 0 ? known.gap : this.#count > 0 ? this.#sum / this.#count : Number.NaN;
    if (Number.isNaN(gap)) return;
    this.#schedule.set({prompt, at: now + Math.round(gap), until: now + Math.round(2 * gap)});
  }

  foreseen(): void {}

  forget(number: number): void {
    this.#known.delete(number);
    this.#schedule.drop(number);
  }

  wishes(now: SimTime, want: Want<P>): void {
    this.#schedule.wishes(now, want);
  }

  wakeAt(now: SimTime): SimTime {
    return this.#schedule.wakeAt(now);
  }

  expected(number: number): SimTime {
    return this.#schedule.expected(number);
  }

  #learn(known: Known, gap: SimTime): void {
    this.#sum += gap;
    this.#count++;
    known.gaps++;
    const weight = known.gaps === 1 ? 1 : (this.#alpha ?? 1 / known.gaps);
    known.gap += weight * (gap - known.gap);
  }
}
