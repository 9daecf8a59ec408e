import type {KernelTime} from './kernel-time.js';

/** Cells of one octave of context. */
const CELLS = 8;
const OCTAVES = 24;
const WIDTH = CELLS * OCTAVES;
/** Sequences up to here have a row of cells; more are asked for each time. */
const ROWS = 2048;

/** Times of decode attention by number of sequences and context, each asked of the fit once, linear in the context between an eighth of an octave. */
export class DecodeCells {
  readonly #time: KernelTime;
  readonly #shape: (batch: number, context: number) => readonly number[];
  readonly #rows: (Float64Array | undefined)[] = [];

  constructor(time: KernelTime, shape: (batch: number, context: number) => readonly number[]) {
    this.#time = time;
    this.#shape = shape;
  }

  /** Seconds of `batch` sequences at a context of 1 or more. */
  seconds(batch: number, context: number): number {
    if (batch >= ROWS) return this.#time.seconds(this.#shape(batch, context));
    const octave = 31 - Math.clz32(context);
    const base = 2 ** octave;
    const x = (context / base - 1) * CELLS;
    const cell = x | 0;
    const row = this.#row(batch);
    const at = octave * CELLS + cell;
    const low = this.#cell(row, batch, at);
    return low + (x - cell) * (this.#cell(row, batch, at + 1) - low);
  }

  outside(batch: number, context: number): boolean {
    return this.#time.outside(this.#shape(batch, context));
  }

  #row(batch: number): Float64Array {
    let row = this.#rows[batch];
    if (row === undefined) {
      row = new Float64Array(WIDTH).fill(Number.NaN);
      this.#rows[batch] = row;
    }
    return row;
  }

  #cell(row: Float64Array, batch: number, at: number): number {
    let seconds = row[at];
    if (Number.isNaN(seconds)) {
      const octave = Math.floor(at / CELLS);
      seconds = this.#time.seconds(this.#shape(batch, 2 ** octave * (1 + (at - octave * CELLS) / CELLS)));
      row[at] = seconds;
    }
    return seconds;
  }
}
