import {widened} from '../core/widened.js';

/** What each block that is on its way comes with: a map from block ids to transfers that allocates nothing for a block. */
export class Arrivals<T> {
  /** By block: place of its transfer + 1; 0: it is not on its way. */
  #placeOf = new Int32Array(1024);
  readonly #transfers: (T | null)[] = [];
  /** By place: blocks that still come with it. */
  readonly #blocks: number[] = [];
  readonly #free: number[] = [];
  /** Where the last block was put: those of one transfer come together. */
  #place = -1;

  get(id: number): T | undefined {
    const place = id < this.#placeOf.length ? this.#placeOf[id] - 1 : -1;
    return place < 0 ? undefined : this.#transfers[place]!;
  }

  /** A block that was not on its way is now, with `transfer`. */
  set(id: number, transfer: T): void {
    if (id >= this.#placeOf.length) this.#placeOf = widened(this.#placeOf, Math.max(id + 1, 2 * this.#placeOf.length));
    if (this.#place < 0 || this.#transfers[this.#place] !== transfer) this.#open(transfer);
    this.#placeOf[id] = this.#place + 1;
    this.#blocks[this.#place]++;
  }

  /** A block that was on its way is here, or does not come. */
  delete(id: number): void {
    const place = this.#placeOf[id] - 1;
    this.#placeOf[id] = 0;
    if (--this.#blocks[place] > 0) return;
    this.#transfers[place] = null;
    this.#free.push(place);
  }

  /** Blocks on their way. For audits: it looks at all ids. */
  *keys(): Iterable<number> {
    for (let id = 0; id < this.#placeOf.length; id++) if (this.#placeOf[id] > 0) yield id;
  }

  #open(transfer: T): void {
    this.#place = this.#free.pop() ?? this.#transfers.length;
    this.#transfers[this.#place] = transfer;
    this.#blocks[this.#place] = 0;
  }
}
