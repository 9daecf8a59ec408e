import type {Job} from './policy.js';

/** Waiting jobs, the lowest rank first, the first to arrive among equals; each knows its place, so that any can leave in O(log n). */
export class JobHeap<J extends Job<J>> {
  readonly #jobs: J[] = [];

  get size(): number {
    return this.#jobs.length;
  }

  get first(): J | null {
    return this.#jobs.length === 0 ? null : this.#jobs[0];
  }

  push(job: J): void {
    job.place = this.#jobs.length;
    this.#jobs.push(job);
    this.#rise(job);
  }

  remove(job: J): void {
    const last = this.#jobs.pop()!;
    if (last === job) return;
    last.place = job.place;
    this.#jobs[last.place] = last;
    this.#rise(last);
    this.#sink(last);
  }

  #rise(job: J): void {
    const jobs = this.#jobs;
    while (job.place > 0) {
      const parent = jobs[(job.place - 1) >> 1];
      if (!goesBefore(job, parent)) return;
      this.#swap(parent, job);
    }
  }

  #sink(job: J): void {
    const jobs = this.#jobs;
    for (let child = 2 * job.place + 1; child < jobs.length; child = 2 * job.place + 1) {
      if (child + 1 < jobs.length && goesBefore(jobs[child + 1], jobs[child])) child++;
      if (!goesBefore(jobs[child], job)) return;
      this.#swap(job, jobs[child]);
    }
  }

  #swap(upper: J, lower: J): void {
    [upper.place, lower.place] = [lower.place, upper.place];
    this.#jobs[upper.place] = upper;
    this.#jobs[lower.place] = lower;
  }
}

/** Whether `a` is served before `b`: by rank, then by arrival. */
export function goesBefore<J extends Job<J>>(a: J, b: J): boolean {
  return a.rank < b.rank || (a.rank === b.rank && a.id < b.id);
}
