import {type Spread, spreadOf} from './spread.js';
import type {Trace} from './trace.js';

/** What the sessions of a trace are, in numbers. */
export interface SessionStatistics {
  readonly count: number;
  /** Requests of a session. */
  readonly turns: Spread;
  /** Seconds from an answer to the session's next request, or from request to request where answers have no times; null when no session has two. */
  readonly gaps: Spread | null;
  readonly gapsFrom: 'answer' | 'request';
  /** Ids, and those that an earlier request of the same session had. */
  readonly accesses: number;
  readonly seenBefore: number;
}

/** Hits of one kind of work in a cache without end that all have in common. */
export interface KindStatistics {
  readonly name: string;
  readonly rows: number;
  readonly accesses: number;
  readonly hits: number;
}

/** Measures the sessions of a trace that has some. */
export function describeSessions(trace: Trace): SessionStatistics | null {
  const {sessions, rows, times, offsets, ids, distinct} = trace;
  if (sessions === null) return null;
  const order = Int32Array.from({length: rows}, (_, row) => row).sort((a, b) => sessions[a] - sessions[b] || a - b);
  const lastIn = new Int32Array(distinct).fill(-1);
  const turns: number[] = [];
  const gaps: number[] = [];
  let seenBefore = 0,
    before = -1;
  for (const row of order) {
    const session = sessions[row];
    if (before >= 0 && sessions[before] === session) {
      turns[turns.length - 1]++;
      gaps.push((trace.gaps === null ? times[row] - times[before] : trace.gaps[row]) / 1e9);
    } else turns.push(1);
    for (let access = offsets[row]; access < offsets[row + 1]; access++) {
      if (lastIn[ids[access]] === session) seenBefore++;
      else lastIn[ids[access]] = session;
    }
    before = row;
  }
  return {
    count: turns.length,
    turns: spreadOf(Float64Array.from(turns)),
    gaps: gaps.length === 0 ? null : spreadOf(Float64Array.from(gaps)),
    gapsFrom: trace.gaps === null ? 'request' : 'answer',
    accesses: ids.length,
    seenBefore,
  };
}

/** Measures the kinds of work of a trace; empty when it tells none apart. */
export function describeKinds({kinds, rows, offsets, ids, distinct}: Trace): KindStatistics[] {
  if (kinds === null) return [];
  const all = kinds.names.map((name) => ({name, rows: 0, accesses: 0, hits: 0}));
  const seen = new Uint8Array(distinct);
  for (let row = 0; row < rows; row++) {
    const kind = all[kinds.of[row]];
    kind.rows++;
    kind.accesses += offsets[row + 1] - offsets[row];
    for (let access = offsets[row]; access < offsets[row + 1]; access++) {
      kind.hits += seen[ids[access]];
      seen[ids[access]] = 1;
    }
  }
  return all;
}
