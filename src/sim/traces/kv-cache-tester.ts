import {idList, idRuns, jsonObject, parsedObject, wholeNumber} from './json-rows.js';
import type {Fail, Ids, TraceReader, TraceRow} from './reader.js';

const fields = {time: 't', input: 'in', output: 'out', ids: 'h'};
const BLOCK = 64;

type Fields = Readonly<Record<string, unknown>>;

/** A request of a session on its way to a row: times in seconds from the session's start. */
interface Call {
  readonly at: number;
  /** How long its answer took; 0 where that is not recorded. */
  readonly took: number;
  /** Seconds since the answer before it of the same agent; null: not recorded. */
  readonly thought: number | null;
  /** The agent that made it: 0 for the session's own, a number for each subagent. */
  readonly agent: number;
  readonly input: number;
  readonly output: number;
  readonly runs: readonly (readonly [number, number])[];
}

/**
 * Recorded coding sessions, one a line (callanjfox/kv-cache-tester): seconds from the session's start, think times, prefix ids per 64 tokens that are local to the session.
 *
 * When sessions started was not recorded: all begin at 0. A subagent's `t` is when it was done, `duration_ms` later than it began; its calls belong to its session, in order of time.
 */
export const kvCacheTester: TraceReader = {
  description: 'JSON lines of callanjfox/kv-cache-tester, a session each: requests with t, in, out, think_time, h in runs or hash_ids',
  blockSize: BLOCK,
  partialIds: false,
  unit: "seconds from the session's start; all sessions begin at 0, because when they did was not recorded",
  fields,
  bySession: true,

  matches(head) {
    const session = parsedObject(head);
    return session !== null && Array.isArray(session.requests) && 'block_size' in session;
  },

  *read(lines, fail) {
    let base = 0,
      sessions = 0;
    for (const line of lines) {
      const session = jsonObject(line, fail);
      refuseOther(session, fail);
      const calls = inOrder(callsOf(session.requests, 0, 0, {count: 0}, fail));
      const local = session.hash_id_scope !== 'global';
      yield* rowsOf(calls, String(session.id ?? sessions), local ? base : 0);
      sessions++;
      if (local) base += highest(calls) + 1;
    }
  },

  column(line, field) {
    return line.indexOf(`"${field}"`) + 1;
  },

  unread() {
    return ['model', 'stop', 'ttft'];
  },
};

function refuseOther({block_size, hash_id_scope}: Fields, fail: Fail): void {
  if (block_size !== BLOCK) fail('block_size', `${JSON.stringify(block_size)} tokens an id; only ${BLOCK} is read`);
  if (hash_id_scope !== 'local' && hash_id_scope !== 'global')
    fail('hash_id_scope', `${JSON.stringify(hash_id_scope)} is neither "local" nor "global"`);
}

function callsOf(requests: unknown, start: number, agent: number, agents: {count: number}, fail: Fail): Call[] {
  if (!Array.isArray(requests)) return fail('requests', 'is no list');
  let latest = 0;
  return requests.flatMap((request: Fields) => {
    if (typeof request !== 'object' || request === null) return fail('requests', `${JSON.stringify(request)} is no request`);
    const at = seconds(request, fields.time, fail);
    if (at < latest) fail(fields.time, `${latest - at} s before the request above; requests of a session are in order of time`);
    latest = at;
    if (request.type !== 'subagent') return [callOf(request, start + at, agent, fail)];
    const began = start + at - (optional(request, 'duration_ms', fail) ?? 0) / 1000;
    return callsOf(request.requests, Math.max(0, began), ++agents.count, agents, fail);
  });
}

function callOf(request: Fields, at: number, agent: number, fail: Fail): Call {
  const runs = request.h === undefined ? asRuns(idList(request.hash_ids, 'hash_ids', fail)) : idRuns(request.h, fields.ids, fail);
  return {
    at,
    took: optional(request, 'api_time', fail) ?? 0,
    thought: optional(request, 'think_time', fail),
    agent,
    input: wholeNumber(request, fields.input, fail),
    output: Math.max(1, wholeNumber(request, fields.output, fail)), // an answer that was broken off has none
    runs,
  };
}

function seconds(row: Fields, field: string, fail: Fail): number {
  return optional(row, field, fail) ?? fail(field, 'missing');
}

function optional(row: Fields, field: string, fail: Fail): number | null {
  const value = row[field];
  if (value === undefined || value === null) return null;
  return typeof value === 'number' && value >= 0 && Number.isFinite(value)
    ? value
    : fail(field, `${JSON.stringify(value)} is no number from 0 on`);
}

function asRuns(ids: readonly number[]): readonly (readonly [number, number])[] {
  return ids.map((id) => [id, 1]);
}

function inOrder(calls: Call[]): Call[] {
  return calls.sort((a, b) => a.at - b.at);
}

/** The think time of an agent holds only where its own call was the one before; after another's, the times tell. */
function rowsOf(calls: readonly Call[], session: string, base: number): TraceRow[] {
  return calls.map(({at, input, output, runs, thought, agent}, i) => {
    const before = calls[i - 1];
    const gap = before === undefined ? 0 : before.agent === agent && thought !== null ? thought : Math.max(0, at - before.at - before.took);
    const ids: Ids = {runs: base === 0 ? runs : runs.map(([first, count]) => [first + base, count])};
    return {time: ns(at), input, output, ids, session, gap: ns(gap)};
  });
}

function highest(calls: readonly Call[]): number {
  return calls.reduce((most, {runs}) => runs.reduce((id, [first, count]) => Math.max(id, first + count - 1), most), 0);
}

function ns(time: number): number {
  return Math.round(time * 1e9);
}
