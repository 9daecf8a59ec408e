import type {BatchSums} from '../../models/cost/cost.js';
import type {Request} from './request.js';

/**
 * The requests that compute one token each step, kept as sums, so that a step costs O(1 + those that leave).
 *
 * Each step that decodes is a *tick*. A member that joined at tick j with c computed tokens has c + (tick − j) now.
 */
export class DecodeSet {
  tick = 0;
  count = 0;
  readonly #blockSize: number;
  readonly #window: number;
  /** Σ computed tokens of the members. */
  #computed = 0;
  /** Σ min(computed + 1, window), and how many members still grow. */
  #clipped = 0;
  #growing = 0;
  /** How many members stop growing when a tick is over. */
  readonly #stops = new Map<number, number>();
  /** How many members need a block at ticks t ≡ i (mod block size). */
  readonly #needs: Int32Array;
  /** The greatest (computed − join tick) of a member, which stays as it is while it decodes; found again by a count after its holder left. */
  #longest = Number.NEGATIVE_INFINITY;
  #longestLeft = false;
  /** A heap of members by (last tick, order). */
  readonly #heap: Request[] = [];

  constructor(blockSize: number, window: number) {
    this.#blockSize = blockSize;
    this.#window = window;
    this.#needs = new Int32Array(blockSize);
  }

  /** Σ computed tokens: what the members' KV holds. */
  get computed(): number {
    return this.#computed;
  }

  /** Blocks that the members need at this tick. */
  need(): number {
    return this.#needs[this.tick % this.#blockSize];
  }

  /** The tick at which the next member computes its last token; Infinity when there is none. */
  nextEnd(): number {
    return this.#heap.length === 0 ? Number.POSITIVE_INFINITY : this.#heap[0].lastTick;
  }

  /** Adds a request that will compute `steps` ≥ 1 tokens, from this tick on. */
  join(request: Request, steps: number): void {
    request.tick = this.tick;
    request.lastTick = this.tick + steps - 1;
    this.count++;
    this.#computed += request.computed;
    this.#needs[this.#phase(request)]++;
    this.#longest = Math.max(this.#longest, request.computed - request.tick);
    if (this.#window !== Number.POSITIVE_INFINITY) {
      const next = request.computed + 1;
      this.#clipped += Math.min(next, this.#window);
      if (next < this.#window) this.#grow(request, 1);
    }
    this.#push(request);
  }

  /** Takes a member out before its last token, with its present counts written back. */
  drop(request: Request): void {
    this.#remove(this.#heap.indexOf(request));
    this.#leave(request);
  }

  #leave(request: Request): void {
    const ticks = this.tick - request.tick;
    this.#needs[this.#phase(request)]--;
    if (request.computed - request.tick === this.#longest) this.#longestLeft = true;
    if (this.#window !== Number.POSITIVE_INFINITY) {
      const next = request.computed + ticks + 1;
      this.#clipped -= Math.min(next, this.#window);
      if (next < this.#window) this.#grow(request, -1);
    }
    request.computed += ticks;
    request.planned += ticks;
    this.count--;
    this.#computed -= request.computed;
  }

  /** Whether the member needs a block at this tick. */
  needs(request: Request): boolean {
    return this.#phase(request) === this.tick % this.#blockSize;
  }

  /** Adds the members' next token to the step's sums. */
  addTo(sums: BatchSums): void {
    sums.decodes = this.count;
    sums.decodeContext = this.#computed + this.count;
    sums.decodeContextClipped = this.#window === Number.POSITIVE_INFINITY ? sums.decodeContext : this.#clipped;
    sums.decodeLongest = this.count === 0 ? 0 : this.#longestKey() + this.tick + 1;
    sums.emitting += this.count;
  }

  /** Every member computes one token. */
  advance(): void {
    this.#computed += this.count;
    this.tick++;
    if (this.#window === Number.POSITIVE_INFINITY) return;
    this.#clipped += this.#growing;
    const stops = this.#stops.get(this.tick);
    if (stops !== undefined) {
      this.#growing -= stops;
      this.#stops.delete(this.tick);
    }
  }

  /** Takes out and returns the next member whose last token was computed by the tick just advanced past, or null. In order of admission. */
  popEnded(): Request | null {
    if (this.#heap.length === 0 || this.#heap[0].lastTick >= this.tick) return null;
    const request = this.#heap[0];
    this.#remove(0);
    this.#leave(request);
    return request;
  }

  #longestKey(): number {
    if (this.#longestLeft) {
      this.#longest = Number.NEGATIVE_INFINITY;
      for (const member of this.#heap) this.#longest = Math.max(this.#longest, member.computed - member.tick);
      this.#longestLeft = false;
    }
    return this.#longest;
  }

  // The request's next token needs a new block when `computed` is a multiple of the block size.
  #phase(request: Request): number {
    const size = this.#blockSize;
    return (((request.tick - request.computed) % size) + size) % size;
  }

  // A member grows until the tick after which its context has reached the window.
  #grow(request: Request, by: number): void {
    this.#growing += by;
    const stop = request.tick + this.#window - request.computed - 1;
    this.#stops.set(stop, (this.#stops.get(stop) ?? 0) + by);
  }

  #push(request: Request): void {
    this.#heap.push(request);
    this.#rise(request, this.#heap.length - 1);
  }

  #remove(index: number): void {
    const last = this.#heap.pop()!;
    const size = this.#heap.length;
    if (index === size) return;
    let hole = index;
    for (let child = 2 * hole + 1; child < size; child = 2 * hole + 1) {
      if (child + 1 < size && before(this.#heap[child + 1], this.#heap[child])) child++;
      if (!before(this.#heap[child], last)) break;
      this.#heap[hole] = this.#heap[child];
      hole = child;
    }
    this.#rise(last, hole);
  }

  #rise(request: Request, hole: number): void {
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      if (!before(request, this.#heap[parent])) break;
      this.#heap[hole] = this.#heap[parent];
      hole = parent;
    }
    this.#heap[hole] = request;
  }
}

function before(a: Request, b: Request): boolean {
  return a.lastTick < b.lastTick || (a.lastTick === b.lastTick && a.order < b.order);
}
