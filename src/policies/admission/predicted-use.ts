import {widened} from '../../sim/core/widened.js';
import type {ParameterValues} from '../eviction/eviction.js';
import {Everything} from './all.js';
import type {AdmissionFacts, BlockAdmissionEntry} from './block.js';

/**
 * Lets a block in when its next use is predicted within a time: its last one + a gap.
 *
 * The gap of a session's own block is the moving average of the session's think times (FACTS: predicted (session), α = 0.2), from the end of an answer to the next use; of a block that several sessions use, that of its own uses.
 * Without any, it is the mean of all gaps so far, and before the first gap everything comes in. A predicted use that has passed is none: the session has probably ended.
 */
export const predictedUse: BlockAdmissionEntry = {
  about: 'lets a block in whose next use is predicted within a time, by the think times of its session',
  params: {
    within: {kind: 'duration', default: 600, about: 'from now to the latest predicted use; assumed'},
    alpha: {kind: 'share', default: 0.2, about: 'weight of the newest gap'},
  },
  create: (facts, params) => new PredictedUse(facts, params),
};

class PredictedUse extends Everything {
  readonly #now: () => number;
  readonly #session: (block: number) => number;
  /** ns. */
  readonly #within: number;
  readonly #sessions: Gaps;
  readonly #shared: Gaps;
  readonly #mean = new Mean();

  constructor({now, session}: AdmissionFacts, {within, alpha}: ParameterValues) {
    super();
    this.#now = now!;
    this.#session = session!;
    this.#within = (within as number) * 1e9;
    this.#sessions = new Gaps(alpha as number, this.#mean);
    this.#shared = new Gaps(alpha as number, this.#mean);
  }

  override found(block: number): void {
    const session = this.#session(block);
    if (session >= 0) this.#sessions.begins(session, this.#now());
    else {
      this.#shared.begins(block, this.#now());
      this.#shared.ends(block, this.#now());
    }
  }

  override computed(block: number): void {
    this.found(block);
  }

  override answered(last: number): void {
    const session = this.#session(last);
    if (session >= 0) this.#sessions.ends(session, this.#now());
  }

  override admits(block: number): boolean {
    const session = this.#session(block);
    const now = this.#now();
    const next = session >= 0 ? this.#sessions.next(session, now) : this.#shared.next(block, now);
    return next >= now && next <= now + this.#within;
  }

  override forget(base: number, count: number): void {
    this.#shared.forget(base, count);
  }
}

class Mean {
  #sum = 0;
  #count = 0;

  add(gap: number): void {
    this.#sum += gap;
    this.#count++;
  }

  /** 0 before the first gap. */
  get value(): number {
    return this.#count === 0 ? 0 : this.#sum / this.#count;
  }
}

/** When each of some users used something last, and the moving average of the gaps between; ns. */
class Gaps {
  readonly #alpha: number;
  readonly #mean: Mean;
  /** By user: the end of its last use, NaN before the first and while one is under way. */
  #usedAt = new Float64Array(1024).fill(Number.NaN);
  /** By user: 0 before its second use. */
  #gaps = new Float64Array(1024);

  constructor(alpha: number, mean: Mean) {
    this.#alpha = alpha;
    this.#mean = mean;
  }

  begins(user: number, now: number): void {
    if (user >= this.#usedAt.length) this.#grow(user + 1);
    const gap = now - this.#usedAt[user];
    this.#usedAt[user] = Number.NaN;
    if (!(gap > 0)) return;
    this.#mean.add(gap);
    const before = this.#gaps[user];
    this.#gaps[user] = before === 0 ? gap : this.#alpha * gap + (1 - this.#alpha) * before;
  }

  ends(user: number, now: number): void {
    if (user >= this.#usedAt.length) this.#grow(user + 1);
    this.#usedAt[user] = now;
  }

  /** When the user's next use is predicted; while one is under way, as if it ended now. */
  next(user: number, now: number): number {
    const known = user < this.#usedAt.length;
    const last = known ? this.#usedAt[user] : Number.NaN;
    return (Number.isNaN(last) ? now : last) + ((known && this.#gaps[user]) || this.#mean.value);
  }

  forget(base: number, count: number): void {
    this.#usedAt.fill(Number.NaN, base, base + count);
    this.#gaps.fill(0, base, base + count);
  }

  #grow(users: number): void {
    const known = this.#usedAt.length;
    const length = Math.max(users, known * 2);
    this.#usedAt = widened(this.#usedAt, length).fill(Number.NaN, known);
    this.#gaps = widened(this.#gaps, length);
  }
}
