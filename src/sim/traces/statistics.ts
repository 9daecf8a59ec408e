import {type Reuse, reuse} from './reuse.js';
import {describeKinds, describeSessions, type KindStatistics, type SessionStatistics} from './sessions.js';
import {type Spread, spreadOf} from './spread.js';
import {ties} from './ties.js';
import type {Trace} from './trace.js';

/** What a trace is, in numbers. */
export interface TraceStatistics {
  readonly rows: number;
  /** Seconds from the first to the last request. */
  readonly span: number;
  readonly input: Spread;
  readonly output: Spread;
  readonly arrivals: {
    /** Requests per second over the span; null when there is no span. */
    readonly rate: number | null;
    /** Coefficient of variation of the gaps between requests. */
    readonly cv: number | null;
    /** Rows that have the time of the row before. */
    readonly tied: number;
    /** Median seconds between different times. */
    readonly step: number;
    /** Greatest number of seconds of which every time is a multiple. */
    readonly resolution: number;
  };
  /** Null when the trace has no ids. */
  readonly reuse: Reuse | null;
  /** Null when rows are on their own. */
  readonly sessions: SessionStatistics | null;
  /** Empty when the trace tells no kinds apart. */
  readonly kinds: readonly KindStatistics[];
}

/** Measures a trace. */
export function describeTrace(trace: Trace): TraceStatistics {
  const {rows, times} = trace;
  const span = times[rows - 1] / 1e9;
  const {rows: tied, step} = ties(times);
  return {
    rows,
    span,
    input: spreadOf(trace.inputs),
    output: spreadOf(trace.outputs),
    arrivals: {
      rate: span > 0 ? (rows - 1) / span : null,
      cv: gapVariation(times),
      tied,
      step: step / 1e9,
      resolution: resolution(times) / 1e9,
    },
    reuse: trace.blockSize > 0 ? reuse(trace) : null,
    sessions: describeSessions(trace),
    kinds: describeKinds(trace),
  };
}

/** Standard deviation of the gaps over their mean; null when there is none to speak of. */
function gapVariation(times: Float64Array): number | null {
  const gaps = times.length - 1;
  const mean = times[gaps] / gaps;
  if (!(mean > 0)) return null;
  let squares = 0;
  for (let row = 1; row < times.length; row++) squares += (times[row] - times[row - 1] - mean) ** 2;
  return Math.sqrt(squares / gaps) / mean;
}

function resolution(times: Float64Array): number {
  let common = 0;
  for (const time of times) {
    for (let rest = time; rest !== 0; ) [common, rest] = [rest, common % rest];
    if (common === 1) break;
  }
  return common;
}
