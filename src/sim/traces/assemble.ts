import type {Columns} from './columns.js';
import {DenseIds} from './dense-ids.js';
import type {TraceReader} from './reader.js';
import type {Trace} from './trace.js';

/** Puts what was read in order of time, numbers ids and sessions by first use, and writes runs of ids out. */
export function assemble(columns: Columns, format: string, reader: TraceReader): Omit<Trace, 'notes'> {
  const {rows, has, sessionNames, kindNames} = columns;
  const order = reader.bySession ? byTime(columns.times.subarray(0, rows)) : null;
  const pick = <T extends Float64Array | Int32Array | Uint8Array>(column: T): T =>
    order === null ? (column.slice(0, rows) as T) : (order.map((row) => column[row]) as Float64Array as T);
  const numbers = has.session ? firstUse(order, columns.sessions, sessionNames.size, rows) : null;
  const sessions = numbers === null ? null : Int32Array.from(pick(columns.sessions), (session) => numbers[session]);
  return {
    format,
    rows,
    times: pick(columns.times),
    inputs: Int32Array.from(pick(columns.inputs)),
    outputs: Int32Array.from(pick(columns.outputs)),
    blockSize: has.ids ? reader.blockSize : 0,
    ...writtenOut(columns, order, sessions),
    sessions,
    gaps: has.gap ? pick(columns.gaps) : null,
    kinds: has.kind ? {names: [...kindNames.keys()], of: Uint8Array.from(pick(columns.kinds))} : null,
  };
}

/** Rows by time; those of one time stay in file order. */
function byTime(times: Float64Array): Float64Array {
  return Float64Array.from(times.keys()).sort((a, b) => times[a] - times[b] || a - b);
}

function firstUse(order: Float64Array | null, sessions: Int32Array, count: number, rows: number): Int32Array {
  const numbers = new Int32Array(count).fill(-1);
  let next = 0;
  for (let i = 0; i < rows; i++) {
    const session = sessions[order === null ? i : order[i]];
    if (numbers[session] === -1) numbers[session] = next++;
  }
  return numbers;
}

/** Ids row by row. Those of a session follow each other, so that its chains are few runs however sessions take turns. */
function writtenOut(
  columns: Columns,
  order: Float64Array | null,
  sessions: Int32Array | null,
): Pick<Trace, 'offsets' | 'ids' | 'distinct'> {
  const {rows, firsts, counts, runOffsets} = columns;
  const offsets = new Int32Array(rows + 1);
  const source = (row: number) => (order === null ? row : order[row]);
  for (let row = 0; row < rows; row++) offsets[row + 1] = offsets[row] + columns.offsets[source(row) + 1] - columns.offsets[source(row)];
  let highest = -1;
  for (let run = 0; run < runOffsets[rows]; run++) highest = Math.max(highest, firsts[run] + counts[run] - 1);
  const ids = new Int32Array(offsets[rows]);
  const dense = new DenseIds(highest, ids.length);
  for (const row of bySession(rows, sessions)) {
    let at = offsets[row];
    for (let run = runOffsets[source(row)]; run < runOffsets[source(row) + 1]; run++) {
      for (let i = 0; i < counts[run]; i++) ids[at++] = dense.of(firsts[run] + i);
    }
  }
  return {offsets, ids, distinct: dense.distinct};
}

/** Rows in order, or session by session. */
function bySession(rows: number, sessions: Int32Array | null): Int32Array {
  const all = Int32Array.from({length: rows}, (_, row) => row);
  return sessions === null ? all : all.sort((a, b) => sessions[a] - sessions[b] || a - b);
}
