import {type Threads, threadsOf} from '../../traces/threads.js';
import type {Trace} from '../../traces/trace.js';

/** Conversations of a trace that begin with one text. */
export interface Group {
  /** Tokens of that text, in whole blocks; 0: it is none that many have. */
  readonly prefixTokens: number;
  /** Rows of each conversation, in order. */
  readonly threads: readonly (readonly number[])[];
}

/** A text counts as shared when this share of all conversations, and so many, begin with it: each gets its own stream, with its own lengths. */
const SHARED = 0.05;
const LEAST = 10;

/** The conversations of a trace by the longest shared text that they begin with, the most conversations first. A trace without ids has one a row. */
export function groupsOf(trace: Trace): Group[] {
  const threads = rowsByThread(trace.blockSize === 0 ? null : threadsOf(trace), trace.rows);
  const groups = new Map<number, {prefixTokens: number; threads: number[][]}>();
  const users = usersOf(trace, threads);
  const least = Math.max(LEAST, SHARED * threads.length);
  for (const rows of threads) {
    const first = trace.offsets[rows[0]],
      end = first + Math.floor((trace.inputs[rows[0]] - 1) / Math.max(1, trace.blockSize)); // a prompt is more than its prefix
    let at = first;
    while (at < Math.min(end, trace.offsets[rows[0] + 1]) && users[trace.ids[at]] >= least) at++;
    const key = at === first ? NONE : trace.ids[at - 1];
    let group = groups.get(key);
    if (group === undefined) groups.set(key, (group = {prefixTokens: (at - first) * trace.blockSize, threads: []}));
    group.threads.push(rows);
  }
  return [...groups.values()].sort((a, b) => b.threads.length - a.threads.length || a.threads[0][0] - b.threads[0][0]);
}

const NONE = -1;

function rowsByThread(threads: Threads | null, rows: number): number[][] {
  if (threads === null) return Array.from({length: rows}, (_, row) => [row]);
  const all: number[][] = Array.from({length: threads.count}, () => []);
  for (let row = 0; row < rows; row++) all[threads.of[row]].push(row);
  return all;
}

/** By id: conversations of which the first prompt holds it. */
function usersOf({offsets, ids, distinct}: Trace, threads: readonly (readonly number[])[]): Int32Array {
  const users = new Int32Array(distinct);
  for (const [row] of threads) for (let i = offsets[row]; i < offsets[row + 1]; i++) users[ids[i]]++;
  return users;
}
