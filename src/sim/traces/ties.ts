import {grouped} from './columns.js';
import type {Trace} from './trace.js';

/** How often rows share a time, and how far apart different times are. */
export interface Ties {
  /** Rows that have the time of the row before. */
  readonly rows: number;
  /** Median ns between different times; 0 when there is but one. */
  readonly step: number;
}

/** Counts the ties of times that never fall. */
export function ties(times: Float64Array): Ties {
  const steps = new Float64Array(times.length);
  let count = 0;
  for (let row = 1; row < times.length; row++) if (times[row] > times[row - 1]) steps[count++] = times[row] - times[row - 1];
  const step = count === 0 ? 0 : steps.subarray(0, count).sort()[count >> 1];
  return {rows: times.length - 1 - count, step};
}

/** A note when more than one row in ten is tied: a few ties happen by chance. */
export function tieNotes({times, sessions}: Pick<Trace, 'times' | 'sessions'>): {code: string; text: string}[] {
  if (sessions !== null) return []; // turns wait for each other, so nothing comes in a burst that did not
  const {rows, step} = ties(times);
  if (rows * 10 <= times.length) return [];
  const steps = step === 0 ? 'all have one time' : `steps of about ${Number((step / 1e9).toPrecision(2))} s`;
  const text = `${grouped(rows)} of ${grouped(times.length)} rows share the time of the row before (${steps}): replaying as it is invents bursts → dequantise: uniform`;
  return [{code: 'tied_timestamps', text}];
}
