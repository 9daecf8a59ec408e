import {widened} from '../core/widened.js';

/** Block ids in order; cleared, it keeps its memory for the next ones. */
export class IdList {
  length = 0;
  #ids = new Int32Array(64);

  push(id: number): void {
    if (this.length === this.#ids.length) this.#ids = widened(this.#ids, 2 * this.length);
    this.#ids[this.length++] = id;
  }

  at(index: number): number {
    return this.#ids[index];
  }

  clear(): void {
    this.length = 0;
  }
}
