import {widened} from '../core/widened.js';
import {type BlockIds, type IdRange, NO_OWNER} from './workload.js';

/**
 * Hands out ranges of block ids, and hands those of ended sessions out again.
 *
 * A range is rounded up to one of four sizes per power of two, so that it fits another session of about that length: at most a fifth of it is unused.
 */
export class IdPool implements BlockIds {
  limit = 0;
  #owners = new Int32Array(1024);
  /** By session: the base and length of its own range. */
  #bases = new Int32Array(1024);
  #counts = new Int32Array(1024);
  /** Bases of returned ranges, by size. */
  readonly #free = new Map<number, number[]>();

  owner(id: number): number {
    return this.#owners[id];
  }

  /** A range that is shared and never comes back. */
  share(count: number): number {
    const base = this.#extend(count);
    this.#owners.fill(NO_OWNER, base, base + count);
    return base;
  }

  /** A range for one session; it has at most one. */
  allocate(session: number, count: number): number {
    const size = sizeClass(count);
    const base = this.#free.get(size)?.pop() ?? this.#extend(size);
    this.#owners.fill(session, base, base + size);
    if (session >= this.#bases.length) {
      const length = Math.max(session + 1, this.#bases.length * 2);
      this.#bases = widened(this.#bases, length);
      this.#counts = widened(this.#counts, length);
    }
    this.#bases[session] = base;
    this.#counts[session] = size;
    return base;
  }

  /** Takes the range of `session` back and returns it. */
  release(session: number): IdRange {
    const base = this.#bases[session],
      count = this.#counts[session];
    if (count === 0 || count === undefined) throw new Error(`session ${session} holds no ids: it has none, or they were released before`);
    this.#counts[session] = 0;
    const free = this.#free.get(count);
    if (free === undefined) this.#free.set(count, [base]);
    else free.push(base);
    return {base, count};
  }

  #extend(count: number): number {
    const base = this.limit;
    const limit = base + count;
    if (limit > MAX_IDS) throw new RangeError(`more than ${MAX_IDS} block ids at once: use larger blocks or fewer requests`);
    if (limit > this.#owners.length) this.#owners = widened(this.#owners, Math.max(limit, this.#owners.length * 2));
    this.limit = limit;
    return base;
  }
}

const MAX_IDS = 2 ** 31 - 1; // they stand in Int32Arrays

function sizeClass(count: number): number {
  if (count <= 8) return count;
  const step = 1 << (29 - Math.clz32(count)); // a quarter of the power of two at or below
  return Math.ceil(count / step) * step;
}
