import type {Trace} from '../../src/sim/traces/trace.js';

/** A request of a made-up trace. Ids are as they stand; 4 tokens a block. */
export interface MadeRow {
  /** Seconds. */
  readonly at: number;
  readonly ids: readonly number[];
  /** All whole blocks unless it says otherwise. */
  readonly input?: number;
  readonly output?: number;
  readonly session?: number;
  /** Seconds. */
  readonly gap?: number;
}

/** A trace of these rows. */
export function madeTrace(rows: readonly MadeRow[]): Trace {
  const offsets = new Int32Array(rows.length + 1);
  for (const [row, {ids}] of rows.entries()) offsets[row + 1] = offsets[row] + ids.length;
  const ids = Int32Array.from(rows.flatMap((row) => row.ids));
  return {
    format: 'made',
    rows: rows.length,
    times: Float64Array.from(rows, ({at}) => at * 1e9),
    inputs: Int32Array.from(rows, (row) => row.input ?? row.ids.length * 4),
    outputs: Int32Array.from(rows, ({output}) => output ?? 1),
    blockSize: 4,
    offsets,
    ids,
    distinct: ids.reduce((most, id) => Math.max(most, id + 1), 0),
    sessions: rows[0].session === undefined ? null : Int32Array.from(rows, ({session}) => session!),
    gaps: rows[0].gap === undefined ? null : Float64Array.from(rows, ({gap}) => gap! * 1e9),
    kinds: null,
    notes: [],
  };
}
