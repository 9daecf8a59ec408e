/** Counts up to here are remembered; larger ones are worked out again each time. */
const REMEMBERED = 65_536;

/** Rows of numbers by a count, each filled when it is first asked for. */
export class RowTable {
  /** The numbers of the row that `at` named last start there. */
  values: Float64Array = new Float64Array(0);
  readonly #stride: number;
  readonly #fill: (row: Float64Array, count: number) => void;
  #table = new Float64Array(0);
  #filled = new Uint8Array(0);
  readonly #scratch: Float64Array;

  /** `fill` adds to a row of zeros. */
  constructor(stride: number, fill: (row: Float64Array, count: number) => void) {
    this.#stride = stride;
    this.#fill = fill;
    this.#scratch = new Float64Array(stride);
  }

  /** Where the row of `count` starts in `values`. */
  at(count: number): number {
    if (count > REMEMBERED) {
      this.#scratch.fill(0);
      this.#fill(this.#scratch, count);
      this.values = this.#scratch;
      return 0;
    }
    const at = count * this.#stride;
    if (count >= this.#filled.length) this.#grow(count);
    this.values = this.#table;
    if (this.#filled[count] === 0) {
      this.#filled[count] = 1;
      this.#fill(this.#table.subarray(at, at + this.#stride), count);
    }
    return at;
  }

  #grow(count: number): void {
    const rows = Math.max(64, count + 1, this.#filled.length * 2);
    const table = new Float64Array(rows * this.#stride);
    table.set(this.#table);
    const filled = new Uint8Array(rows);
    filled.set(this.#filled);
    this.#table = table;
    this.#filled = filled;
  }
}
