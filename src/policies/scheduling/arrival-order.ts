import {LinkedList} from '../../sim/core/linked-list.js';
import type {SimTime} from '../../sim/core/time.js';
import type {Job, SchedulingFactory, SchedulingPolicy} from './policy.js';

/** The order of arrival; who gave way goes before all that wait. */
export const arrivalOrder: SchedulingFactory = <J extends Job<J>>() => new ArrivalOrder<J>();

class ArrivalOrder<J extends Job<J>> implements SchedulingPolicy<J> {
  readonly steadyUntil = Number.POSITIVE_INFINITY;
  readonly preemption = null;
  readonly #waiting = new LinkedList<J>();

  get size(): number {
    return this.#waiting.size;
  }

  get head(): J | null {
    return this.#waiting.oldest;
  }

  push(job: J): void {
    this.#waiting.push(job);
  }

  putBack(job: J, _now: SimTime, end: 'front' | 'back'): void {
    if (end === 'front') this.#waiting.unshift(job);
    else this.#waiting.push(job);
  }

  remove(job: J): void {
    this.#waiting.remove(job);
  }

  refresh(): void {}

  victim(running: LinkedList<J>): J {
    return running.youngest!;
  }
}
