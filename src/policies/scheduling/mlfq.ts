import {LinkedList} from '../../sim/core/linked-list.js';
import type {SimTime} from '../../sim/core/time.js';
import {JobHeap} from './job-heap.js';
import type {Job, Preemption, Scheduling, SchedulingContext, SchedulingPolicy} from './policy.js';
import {steps} from './steps.js';

interface Rules {
  /** Decode steps that a request may take in the first queue; each further queue allows twice as many. */
  readonly quantum: number;
  readonly levels: number;
  /** Wait after which a request comes to the first queue, ns. */
  readonly starvation: SimTime;
}

/**
 * Skip-join multi-level feedback queue: a request enters the first queue whose quantum its prompt does not exceed, sinks when it has used its quantum up, and gives way to requests of higher queues (Wu et al., FastServe, 2023).
 *
 * Service is counted in decode steps, a prompt as the steps that it takes as long as. Who gives way loses its blocks and computes them again, but for what the prefix cache still holds; FastServe swaps them to the host instead.
 */
export const mlfq: Scheduling = {
  about: 'runs short requests first without knowing lengths: who has used its quantum up sinks a queue and gives way',
  params: {
    quantum: {kind: 'count', default: 32, assumed: true, about: 'decode steps in the first queue; twice as many in each further one'},
    levels: {kind: 'count', default: 6, assumed: true, about: 'queues'},
    starvation: {kind: 'duration', default: 30, assumed: true, about: 'wait after which a request comes to the first queue'},
    ...steps,
  },
  create: ({quantum, levels, starvation}) => {
    const rules = {quantum: quantum as number, levels: levels as number, starvation: Math.round((starvation as number) * 1e9)};
    return (context) => new FeedbackQueues(rules, context);
  },
};

/** Places of a queue; ranks are level × this + order of entry. */
const ENTRIES = 2 ** 42;

class FeedbackQueues<J extends Job<J>> implements SchedulingPolicy<J>, Preemption<J> {
  readonly preemption = this;
  readonly #rules: Rules;
  readonly #context: SchedulingContext<J>;
  readonly #waiting = new JobHeap<J>();
  /** The same requests, the one that has waited longest first. */
  readonly #byWait = new LinkedList<J>();
  #entries = 0;

  constructor(rules: Rules, context: SchedulingContext<J>) {
    this.#rules = rules;
    this.#context = context;
  }

  get size(): number {
    return this.#waiting.size;
  }

  get head(): J | null {
    return this.#waiting.first;
  }

  get steadyUntil(): SimTime {
    const longest = this.#byWait.oldest;
    return longest === null ? Number.POSITIVE_INFINITY : longest.waitsSince + this.#rules.starvation;
  }

  push(job: J, now: SimTime): void {
    job.level = 0;
    job.levelFrom = 0;
    const {view} = this.#context;
    const prompt = view.prefillSteps(job.input);
    while (job.level < this.#rules.levels - 1 && prompt > this.#quantum(job.level)) job.level++;
    this.#enter(job, now);
  }

  putBack(job: J, now: SimTime): void {
    this.#sink(job, this.#service(job));
    this.#enter(job, now);
  }

  remove(job: J): void {
    job.admittedWith = this.#context.view.generated(job);
    this.#leave(job);
  }

  refresh(now: SimTime): void {
    for (let job = this.#byWait.oldest; job !== null && now >= job.waitsSince + this.#rules.starvation; job = this.#byWait.oldest) {
      this.#leave(job);
      job.level = 0;
      job.levelFrom = this.#service(job);
      this.#enter(job, now);
    }
  }

  victim(running: LinkedList<J>): J {
    return this.#lowest(running, Number.NEGATIVE_INFINITY) ?? running.youngest!;
  }

  yields(running: LinkedList<J>): J | null {
    const lowest = this.#lowest(running, this.#context.view.lostTokens);
    return lowest !== null && lowest.level > this.#waiting.first!.level ? lowest : null;
  }

  calmSteps(running: LinkedList<J>): number {
    const head = this.#waiting.first;
    if (head === null) return Number.POSITIVE_INFINITY;
    let calm = Number.POSITIVE_INFINITY;
    for (let job = running.oldest; job !== null; job = job.younger) {
      const service = this.#service(job);
      this.#sink(job, service);
      if (job.level > head.level) return 0;
      if (head.level === this.#rules.levels - 1) continue;
      let end = job.levelFrom;
      for (let level = job.level; level <= head.level; level++) end += this.#quantum(level);
      calm = Math.min(calm, end - service);
    }
    return Math.ceil(calm - 1e-6); // where rounding could decide, one step less
  }

  #quantum(level: number): number {
    return this.#rules.quantum * 2 ** level;
  }

  /** Decode steps' worth of what the request got, its prompt once that is computed. */
  #service(job: J): number {
    const {view} = this.#context;
    const generated = view.generated(job);
    return generated === 0 ? 0 : view.prefillSteps(job.input) + generated - 1;
  }

  #sink(job: J, service: number): void {
    while (job.level < this.#rules.levels - 1 && service - job.levelFrom >= this.#quantum(job.level)) {
      job.levelFrom += this.#quantum(job.level);
      job.level++;
    }
  }

  #enter(job: J, now: SimTime): void {
    job.rank = job.level * ENTRIES + this.#entries++;
    job.waitsSince = now;
    this.#waiting.push(job);
    this.#byWait.push(job);
  }

  #leave(job: J): void {
    this.#waiting.remove(job);
    this.#byWait.remove(job);
  }

  /**
   * Of the running requests that are in the lowest queue the one admitted last; null when there is none.
   *
   * Only who has more than `won` tokens since its admission, so that it keeps one of them when it gives way: two requests that undo each other's work would never end. Who has its last token under way stays.
   */
  #lowest(running: LinkedList<J>, won: number): J | null {
    const {view} = this.#context;
    let lowest: J | null = null;
    for (let job = running.oldest; job !== null; job = job.younger) {
      const generated = view.generated(job);
      if (generated >= job.output || generated - job.admittedWith <= won) continue;
      this.#sink(job, this.#service(job));
      if (lowest === null || job.level >= lowest.level) lowest = job;
    }
    return lowest;
  }
}
