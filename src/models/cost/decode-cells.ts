import type {KernelTime} from './kernel-time.js';

/** Cells of one octave of context. */
const CELLS = 8;
const OCTAVES = 24;
const WIDTH = CELLS * OCTAVES;
/** Sequences up to here have a row of cells; more are asked for each time. */
const ROWS = 2048;

/** Times of decode attention by number of sequences and context, each asked of the fit once, linear in the context between an eighth of an octave. */
export class DecodeCells {
  /** What the last call found: seconds, and whether that lies beyond what was measured. */
  seconds = 0;
  outside = false;
  readonly #time: KernelTime;
  readonly #shape: (batch: number, context: number) => readonly number[];
  readonly #rows: (Row | undefined)[] = [];

  constructor(time: KernelTime, shape: (batch: number, context: number) => readonly number[]) {
    this.#time = time;
    this.#shape = shape;
  }

  /** Looks `batch` sequences at a context of 1 or more up. */
  find(batch: number, context: number): void {
    if (batch >= ROWS) {
      this.seconds = this.#time.seconds(this.#shape(batch, context));
      this.outside = this.#time.outside(this.#shape(batch, context));
      return;
    }
    const octave = 31 - Math.clz32(context);
    const x = (context * INVERSE[octave] - 1) * CELLS;
    const cell = x | 0;
    const at = octave * CELLS + cell;
    let row = this.#rows[batch];
    if (row === undefined) {
      row = new Row();
      this.#rows[batch] = row;
    }
    const {seconds, outside} = row;
    if (outside[at] === UNKNOWN) this.#fill(row, batch, at);
    if (outside[at + 1] === UNKNOWN) this.#fill(row, batch, at + 1);
    this.seconds = seconds[at] + (x - cell) * (seconds[at + 1] - seconds[at]);
    this.outside = outside[at] === outside[at + 1] ? outside[at] === YES : this.#time.outside(this.#shape(batch, context));
  }

  #fill({seconds, outside}: Row, batch: number, at: number): void {
    const octave = Math.floor(at / CELLS);
    const shape = this.#shape(batch, 2 ** octave * (1 + (at - octave * CELLS) / CELLS));
    seconds[at] = this.#time.seconds(shape);
    outside[at] = this.#time.outside(shape) ? YES : NO;
  }
}

/** 1 / 2^octave, exactly. */
const INVERSE = Float64Array.from({length: 32}, (_, octave) => 2 ** -octave);

const [UNKNOWN, NO, YES] = [0, 1, 2];

/** Cells of one number of sequences. */
class Row {
  readonly seconds = new Float64Array(WIDTH);
  readonly outside = new Uint8Array(WIDTH);
}
