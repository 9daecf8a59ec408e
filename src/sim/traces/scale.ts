import {InputError} from '../core/errors.js';
import type {Trace} from './trace.js';

export type Dequantise = 'none' | 'uniform';

/** What a replay changes of a trace. */
export interface TraceScale {
  /** 0.5 = half the recorded request rate. */
  readonly rateScale: number;
  /** `uniform` spreads the rows of one time evenly to the next time. */
  readonly dequantise: Dequantise;
  /** Only the first rows, or null for all. */
  readonly limit: number | null;
}

/** A trace with other times, and perhaps fewer rows: first de-quantised on the recorded times, then stretched, then cut. Gaps stay: how long a tool or a user takes does not depend on the load; and turns of a session, which wait for each other, are not spread. */
export function scaleTrace(trace: Trace, {rateScale, dequantise, limit}: TraceScale): Trace {
  if (!(rateScale > 0 && Number.isFinite(rateScale))) {
    throw new InputError(`workload.rate_scale: ${rateScale} must be a finite number above 0; 0.5 is half the recorded rate`);
  }
  if (limit !== null && !(Number.isInteger(limit) && limit >= 1)) throw new InputError(`workload.limit: ${limit} is no whole number ≥ 1`);
  const rows = Math.min(limit ?? trace.rows, trace.rows);
  const spreads = dequantise === 'uniform' && trace.sessions === null;
  const spread = spreads ? spreadTies(trace.times) : trace.times;
  return {
    ...trace,
    rows,
    times: spread.slice(0, rows).map((time) => Math.round(time / rateScale)),
    inputs: trace.inputs.slice(0, rows),
    outputs: trace.outputs.slice(0, rows),
    offsets: trace.offsets.slice(0, rows + 1),
    ids: trace.ids.slice(0, trace.offsets[rows]),
    sessions: trace.sessions?.slice(0, rows) ?? null,
    gaps: trace.gaps?.slice(0, rows) ?? null,
    kinds: trace.kinds && {names: trace.kinds.names, of: trace.kinds.of.slice(0, rows)},
    notes: spreads ? spreadNotes(trace) : trace.notes,
  };
}

/** The last group has no next time: it is spread over the step before it. */
function spreadTies(times: Float64Array): Float64Array {
  const spread = new Float64Array(times.length);
  let step = 0;
  for (let first = 0, next = 0; first < times.length; first = next) {
    while (next < times.length && times[next] === times[first]) next++;
    if (next < times.length) step = times[next] - times[first];
    for (let row = first; row < next; row++) spread[row] = times[first] + (step * (row - first)) / (next - first);
  }
  return spread;
}

function spreadNotes({notes}: Trace): Trace['notes'] {
  return notes.map((note) =>
    note.code === 'tied_timestamps'
      ? {
          code: 'dequantised',
          text: 'rows that share a time were spread evenly to the next time (dequantise: uniform); that order and spacing are not measured',
        }
      : note,
  );
}
