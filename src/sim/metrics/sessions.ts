import {isFinished} from './latency.js';
import type {Measured} from './measured.js';

/**
 * Seconds from the arrival of each session's first request to the last token of its last one, thinking and tools in between included; in the
 * order of those arrivals. Only of sessions all of whose requests were measured and finished.
 */
export function sessionSeries(run: Measured): Float64Array {
  return Float64Array.from(wholeSessions(run), ({from, to}) => (to - from) / 1e9);
}

/** Tokens of KV that each of the same sessions has when it is longest: a prompt and its answer, without the last token, which is never read back. */
export function longestContexts(run: Measured): Float64Array {
  return Float64Array.from(wholeSessions(run), ({tokens}) => tokens);
}

interface WholeSession {
  readonly from: number;
  to: number;
  tokens: number;
}

function wholeSessions({columns, rows}: Measured): WholeSession[] {
  const {session, turn, arrival, finished, input, output} = columns;
  const starts = new Map<number, WholeSession>();
  const spoilt = new Set<number>();
  for (const row of rows) {
    const number = session[row];
    const open = starts.get(number);
    const tokens = input[row] + output[row] - 1;
    if (!isFinished(columns, row) || (open === undefined && turn[row] > 0)) spoilt.add(number);
    else if (open === undefined) starts.set(number, {from: arrival[row], to: finished[row], tokens});
    else {
      open.to = Math.max(open.to, finished[row]);
      open.tokens = Math.max(open.tokens, tokens);
    }
  }
  return [...starts].filter(([number]) => !spoilt.has(number)).map(([, whole]) => whole);
}
