import {LinkedList} from '../../sim/core/linked-list.js';
import type {SimTime} from '../../sim/core/time.js';
import type {Job, Scheduling, SchedulingContext, SchedulingPolicy} from './policy.js';
import {steps} from './steps.js';

/** Beyond so many waiting requests, matching all of them costs more than it gives: SGLang's schedule_policy.py. */
const MATCHED_AT_MOST = 128;

/** Longest cached prefix first, order of arrival among equals; with more than 128 waiting the order of arrival (SGLang's `lpm`). */
export const lpm: Scheduling = {
  about: 'runs the request with the longest cached prefix first; first come, first served with more than 128 waiting',
  params: steps,
  create: () => (context) => new LongestPrefix(context),
};

class LongestPrefix<J extends Job<J>> implements SchedulingPolicy<J> {
  readonly preemption = null;
  readonly #context: SchedulingContext<J>;
  /** In the order of arrival; who gave way goes before. */
  readonly #waiting = new LinkedList<J>();
  /** The same requests by prefix, the next one last; empty when the order of arrival holds. */
  #order: J[] = [];
  #orderedAt = -1;

  constructor(context: SchedulingContext<J>) {
    this.#context = context;
  }

  get size(): number {
    return this.#waiting.size;
  }

  get head(): J | null {
    return this.#order.length > 0 ? this.#order[this.#order.length - 1] : this.#waiting.oldest;
  }

  /** What is cached may change while decodes run, and the order with it. */
  get steadyUntil(): number {
    return this.size > MATCHED_AT_MOST || this.size < 2 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  }

  push(job: J): void {
    this.#waiting.push(job);
    this.#order.length = 0;
  }

  putBack(job: J, _now: SimTime, end: 'front' | 'back'): void {
    if (end === 'front') this.#waiting.unshift(job);
    else this.#waiting.push(job);
    this.#order.length = 0;
  }

  remove(job: J): void {
    this.#waiting.remove(job);
    const at = this.#order.lastIndexOf(job);
    if (at >= 0) this.#order.splice(at, 1);
  }

  /** Once a step, as SGLang does: what the step itself brings in is not seen. */
  refresh(): void {
    const {view} = this.#context;
    if (this.size > MATCHED_AT_MOST) {
      this.#order.length = 0;
      return;
    }
    if (this.#order.length === this.size && this.#orderedAt === view.cacheVersion) return;
    this.#orderedAt = view.cacheVersion;
    this.#order.length = 0;
    for (let job = this.#waiting.youngest; job !== null; job = job.older) {
      job.rank = view.cached(job);
      this.#order.push(job);
    }
    this.#order.sort((a, b) => a.rank - b.rank); // stable: the earlier stays behind the later, and is taken first
  }

  victim(running: LinkedList<J>): J {
    return running.youngest!;
  }
}
