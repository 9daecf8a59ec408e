import type {Trace} from '../traces/trace.js';

/** The rows of each session of a trace, in order; a trace without sessions has one a row. Sessions stand in the order in which they start. */
export class SessionRows {
  readonly count: number;
  /** Session s has places starts[s] … starts[s + 1]; null: its place is s. */
  readonly #starts: Int32Array | null;
  readonly #rows: Int32Array | null;

  constructor({rows, sessions}: Pick<Trace, 'rows' | 'sessions'>) {
    if (sessions === null) {
      this.count = rows;
      this.#starts = this.#rows = null;
      return;
    }
    let count = 0;
    for (const session of sessions) if (session >= count) count = session + 1;
    const starts = new Int32Array(count + 1);
    for (const session of sessions) starts[session + 1]++;
    for (let session = 0; session < count; session++) starts[session + 1] += starts[session];
    const ends = starts.slice();
    const ordered = new Int32Array(rows);
    for (let row = 0; row < rows; row++) ordered[ends[sessions[row]]++] = row;
    this.count = count;
    this.#starts = starts;
    this.#rows = ordered;
  }

  /** Rows of a session. */
  turns(session: number): number {
    return this.#starts === null ? 1 : this.#starts[session + 1] - this.#starts[session];
  }

  /** The row of a turn, from 0. */
  row(session: number, turn: number): number {
    return this.#starts === null ? session : this.#rows![this.#starts[session] + turn];
  }
}
