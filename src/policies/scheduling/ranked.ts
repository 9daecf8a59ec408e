import type {LinkedList} from '../../sim/core/linked-list.js';
import {JobHeap} from './job-heap.js';
import type {Job, SchedulingContext, SchedulingFactory, SchedulingPolicy} from './policy.js';

/** The lowest runs first; it is asked once, when the request arrives. */
export type Rank = <J extends Job<J>>(job: J, context: SchedulingContext<J>) => number;

/** Makes a policy from a rank, for every order that stands when a request arrives; `victim` names who gives way when blocks run out, the request admitted last unless said. */
export function ranked(rank: Rank, victim: Victim = youngest): SchedulingFactory {
  return (context) => new RankedPolicy(rank, victim, context);
}

/** One of the running requests, oldest admission first. */
export type Victim = <J extends Job<J>>(running: LinkedList<J>) => J;

function youngest<J extends Job<J>>(running: LinkedList<J>): J {
  return running.youngest!;
}

class RankedPolicy<J extends Job<J>> implements SchedulingPolicy<J> {
  readonly steadyUntil = Number.POSITIVE_INFINITY;
  readonly preemption = null;
  readonly #rank: Rank;
  readonly #victim: Victim;
  readonly #context: SchedulingContext<J>;
  readonly #waiting = new JobHeap<J>();

  constructor(rank: Rank, victim: Victim, context: SchedulingContext<J>) {
    this.#rank = rank;
    this.#victim = victim;
    this.#context = context;
  }

  get size(): number {
    return this.#waiting.size;
  }

  get head(): J | null {
    return this.#waiting.first;
  }

  push(job: J): void {
    job.rank = this.#rank(job, this.#context);
    this.#waiting.push(job);
  }

  putBack(job: J): void {
    this.#waiting.push(job);
  }

  remove(job: J): void {
    this.#waiting.remove(job);
  }

  refresh(): void {}

  victim(running: LinkedList<J>): J {
    return this.#victim(running);
  }
}
