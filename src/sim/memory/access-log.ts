import {widened} from '../core/widened.js';
import type {Chain} from '../workload/chain.js';

/** What one replica's requests read and made, block by block, in order; each block under a number that is never used again. */
export interface LoggedAccesses {
  readonly ids: Int32Array;
  /** Numbers are below it. */
  readonly distinct: number;
  /** By piece: its first access, the accesses from there on that can be hits, and the request that asked, or −1 where nothing counts. */
  readonly first: Int32Array;
  readonly counted: Int32Array;
  readonly request: Int32Array;
}

/** Writes down which blocks the requests of one replica look up and make, so that bounds can be worked out when the run is over. */
export class AccessLog {
  #ids = new Int32Array(4096);
  #length = 0;
  #first = new Int32Array(1024);
  #counted = new Int32Array(1024);
  #request = new Int32Array(1024);
  #pieces = 0;
  #distinct = 0;
  /** By block id: its number + 1; 0: none yet. */
  #numbers = new Int32Array(1024);
  readonly #most: number;
  #over = false;

  /** More accesses than `most` are not kept: then nothing is. */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  /** Blocks [from, to) of a chain are looked up or made. Of a request's first lookup those before `counted` can be hits; of anything else, as `request` −1, none. */
  add({bases, counts, blocks}: Chain, from: number, to: number, request = -1, counted = from): void {
    const end = Math.min(to, blocks);
    if (from >= end || this.#over) return;
    if (this.#length + end - from > this.#most) {
      this.#over = true;
      this.#ids = new Int32Array(0);
      return;
    }
    this.#piece(request, Math.min(counted, end) - from);
    this.#reserve(end - from);
    for (let run = 0, first = 0; first < end; first += counts[run++]) {
      const stop = Math.min(first + counts[run], end);
      for (let index = Math.max(first, from); index < stop; index++) this.#ids[this.#length++] = this.#number(bases[run] + index - first);
    }
  }

  /** The ids will stand for other blocks. */
  forget(base: number, count: number): void {
    this.#numbers.fill(0, base, base + count);
  }

  /** All that was written down; null: it was more than may be kept. */
  take(): LoggedAccesses | null {
    if (this.#over) return null;
    return {
      ids: this.#ids.subarray(0, this.#length),
      distinct: this.#distinct,
      first: this.#first.subarray(0, this.#pieces),
      counted: this.#counted.subarray(0, this.#pieces),
      request: this.#request.subarray(0, this.#pieces),
    };
  }

  #number(id: number): number {
    if (id >= this.#numbers.length) this.#numbers = widened(this.#numbers, 2 ** Math.ceil(Math.log2(id + 1)));
    if (this.#numbers[id] === 0) this.#numbers[id] = ++this.#distinct;
    return this.#numbers[id] - 1;
  }

  #piece(request: number, counted: number): void {
    const piece = this.#pieces++;
    if (piece === this.#first.length) {
      this.#first = widened(this.#first, 2 * piece);
      this.#counted = widened(this.#counted, 2 * piece);
      this.#request = widened(this.#request, 2 * piece);
    }
    this.#first[piece] = this.#length;
    this.#counted[piece] = counted;
    this.#request[piece] = request;
  }

  #reserve(more: number): void {
    let length = this.#ids.length;
    while (length < this.#length + more) length *= 2;
    if (length > this.#ids.length) this.#ids = widened(this.#ids, length);
  }
}
