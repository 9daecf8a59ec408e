/**
 * Renumbers ids to 0, 1, 2 … in the order in which they are asked for first; ids that come in that order keep their numbers.
 *
 * Ids of a chain are then consecutive where it is new, which keeps chains short as runs.
 */
export class DenseIds {
  /** Ids seen: all numbers are below it. */
  distinct = 0;
  readonly #table: Int32Array | null;
  readonly #map = new Map<number, number>();

  /** `highest` is the highest id that will be asked for, `count` how many there are about. */
  constructor(highest: number, count: number) {
    this.#table = highest < 4 * count + 1024 ? new Int32Array(highest + 1) : null;
  }

  of(id: number): number {
    if (this.#table === null) return this.#mapped(id);
    const known = this.#table[id];
    if (known > 0) return known - 1;
    this.#table[id] = ++this.distinct;
    return this.distinct - 1;
  }

  #mapped(id: number): number {
    let known = this.#map.get(id);
    if (known === undefined) this.#map.set(id, (known = this.distinct++));
    return known;
  }
}
