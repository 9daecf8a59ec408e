import type {Trace} from '../traces/trace.js';

/** How many blocks matter at one time. */
export interface LivePoint {
  /** s from the start. */
  readonly seconds: number;
  /** Different blocks read within the window before: Denning's working set. */
  readonly recent: number;
  /** Blocks that were read and will be read again: what a perfect predictor keeps. */
  readonly live: number;
}

/** As many points as a chart can show. */
const POINTS = 200;

type Rows = Pick<Trace, 'rows' | 'times' | 'offsets' | 'ids' | 'distinct'>;

/** The working set over time, and the most blocks that were ever live: with that room a perfect predictor misses nothing that comes again. */
export function liveBlocks(trace: Rows, windowSeconds: number): {points: LivePoint[]; most: number} {
  const {rows, times, offsets, ids} = trace;
  const last = lastAccess(trace);
  const recent = new Recent(trace, windowSeconds * 1e9);
  const seen = new Uint8Array(trace.distinct);
  const span = times[rows - 1];
  const points: LivePoint[] = [];
  let live = 0,
    most = 0;
  for (let row = 0; row < rows; row++) {
    for (let access = offsets[row]; access < offsets[row + 1]; access++) {
      const block = ids[access];
      if (last[block] === access) {
        if (seen[block]) live--;
      } else if (!seen[block]) live++;
      seen[block] = 1;
      if (live > most) most = live;
    }
    recent.read(row);
    const due = (points.length * span) / POINTS;
    if (times[row] >= due || row === rows - 1) {
      recent.forget(times[row]);
      points.push({seconds: times[row] / 1e9, recent: recent.count, live});
    }
  }
  return {points, most};
}

function lastAccess({ids, distinct}: Rows): Int32Array {
  const last = new Int32Array(distinct);
  for (let access = 0; access < ids.length; access++) last[ids[access]] = access;
  return last;
}

/** Counts the different blocks of the rows within a window. */
class Recent {
  count = 0;
  readonly #trace: Rows;
  readonly #window: number;
  /** By block: rows within the window that read it. */
  readonly #readers: Int32Array;
  /** The first row within the window. */
  #first = 0;

  constructor(trace: Rows, window: number) {
    this.#trace = trace;
    this.#window = window;
    this.#readers = new Int32Array(trace.distinct);
  }

  read(row: number): void {
    const {offsets, ids} = this.#trace;
    for (let i = offsets[row]; i < offsets[row + 1]; i++) if (this.#readers[ids[i]]++ === 0) this.count++;
  }

  /** Leaves out rows that are older than the window at `now`. */
  forget(now: number): void {
    const {times, offsets, ids} = this.#trace;
    for (; times[this.#first] <= now - this.#window; this.#first++)
      for (let i = offsets[this.#first]; i < offsets[this.#first + 1]; i++) if (--this.#readers[ids[i]] === 0) this.count--;
  }
}
