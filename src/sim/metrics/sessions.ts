import {isFinished} from './latency.js';
import type {Measured} from './measured.js';

/**
 * Seconds from the arrival of each session's first request to the last token of its last one, thinking and tools in between included; in the
 * order of those arrivals. Only of sessions all of whose requests were measured and finished.
 */
export function sessionSeries({columns, rows}: Measured): Float64Array {
  const {session, turn, arrival, finished} = columns;
  const starts = new Map<number, {from: number; to: number}>();
  const spoilt = new Set<number>();
  for (const row of rows) {
    const number = session[row];
    const open = starts.get(number);
    if (!isFinished(columns, row) || (open === undefined && turn[row] > 0)) spoilt.add(number);
    else if (open === undefined) starts.set(number, {from: arrival[row], to: finished[row]});
    else open.to = Math.max(open.to, finished[row]);
  }
  const whole = [...starts].filter(([number]) => !spoilt.has(number));
  return Float64Array.from(whole, ([, {from, to}]) => (to - from) / 1e9);
}
