import {byArrival} from '../metrics/latency.js';
import {ends, type RequestColumns, type RunRecord, reasons, type Timeline} from '../metrics/record.js';
import type {ReplicaTrace} from '../metrics/run-trace.js';
import type {MemoryPlan} from './scenario.js';

/** Tracks of a process: steps first, channels behind it. */
const STEPS = 1;
/** Lines are joined until a piece is about so long. */
const PIECE = 1 << 16;

/**
 * A run as trace events for ui.perfetto.dev or chrome://tracing, in pieces of text that are one JSON document. Times are µs.
 *
 * One process a replica: its steps one after the other, transfers by channel, requests by their phases, and counters of requests and KV bytes.
 */
export function* perfettoTrace(name: string, plan: MemoryPlan, record: RunRecord, traces: readonly ReplicaTrace[]): Generator<string> {
  let piece = `{"displayTimeUnit":"ms","otherData":{"scenario":${JSON.stringify(name)}},"traceEvents":[\n`;
  let first = true;
  for (const event of events(plan, record, traces)) {
    piece += first ? event : `,\n${event}`;
    first = false;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}\n]}\n`;
}

function* events(plan: MemoryPlan, record: RunRecord, traces: readonly ReplicaTrace[]): Generator<string> {
  for (const [replica, trace] of traces.entries()) {
    const pid = replica + 1;
    yield json({ph: 'M', pid, name: 'process_name', args: {name: `replica ${replica}`}});
    yield json({ph: 'M', pid, tid: STEPS, name: 'thread_name', args: {name: 'steps'}});
    yield* steps(pid, trace);
    yield* transfers(pid, trace);
    yield* counters(pid, plan, record.replicas[replica].timeline);
  }
  yield* sharedCounters(traces.length + 1, plan, record.timeline);
  yield* requests(record.requests);
}

/** What memories of all replicas keep, in a process of its own. */
function* sharedCounters(pid: number, plan: MemoryPlan, {rows, width, tierBlocks}: Timeline): Generator<string> {
  const shared = plan.tiers.flatMap(({memory, scope}, t) => (scope === undefined || t >= tierBlocks.length ? [] : [{memory, t}]));
  if (shared.length === 0) return;
  yield json({ph: 'M', pid, name: 'process_name', args: {name: 'shared by all replicas'}});
  for (let row = 0; row < rows; row++)
    for (const {memory, t} of shared)
      yield json({
        ph: 'C',
        pid,
        name: `KV bytes in ${memory}`,
        ts: (row * width) / 1000,
        args: {kept: tierBlocks[t][row] * plan.blockBytes},
      });
}

function* steps(pid: number, {steps: n, start, end, decodes, chunkTokens}: ReplicaTrace): Generator<string> {
  for (let i = 0; i < n; i++) {
    const kind = chunkTokens[i] === 0 ? 'decode' : decodes[i] === 0 ? 'prefill' : 'mixed';
    yield `{"ph":"X","pid":${pid},"tid":${STEPS},"name":"${kind}","ts":${micros(start[i])},"dur":${micros(end[i] - start[i])},"args":{"decodes":${decodes[i]},"prefill_tokens":${chunkTokens[i]}}}`;
  }
}

/** Transfers of a channel may overlap, so each is a slice with a beginning and an end of its own. */
function* transfers(pid: number, {transfers: all}: ReplicaTrace): Generator<string> {
  const inOrder = all.map((transfer, id) => ({...transfer, id: `${pid}.${id}`})).sort((a, b) => a.from - b.from);
  for (const {channel, kind, tier, blocks, bytes, from, to, id} of inOrder) {
    const common = {pid, tid: STEPS, cat: channel, id, name: `${kind} ${tier}`};
    yield json({ph: 'b', ...common, ts: from / 1000, args: {channel, blocks, bytes}});
    yield json({ph: 'e', ...common, ts: to / 1000});
  }
}

function* counters(pid: number, plan: MemoryPlan, timeline: Timeline): Generator<string> {
  const {rows, width, running, waiting, loading, kvHeldBlocks, kvCachedBlocks, tierBlocks} = timeline;
  for (let row = 0; row < rows; row++) {
    const ts = (row * width) / 1000;
    yield json({ph: 'C', pid, name: 'requests', ts, args: {running: running[row], waiting: waiting[row], loading: loading[row]}});
    const bytes = {held: kvHeldBlocks[row] * plan.blockBytes, 'kept for reuse': kvCachedBlocks[row] * plan.blockBytes};
    yield json({ph: 'C', pid, name: `KV bytes in ${plan.memory}`, ts, args: bytes});
    for (const [t, {memory, scope}] of plan.tiers.entries())
      if (scope === undefined && t < tierBlocks.length)
        yield json({ph: 'C', pid, name: `KV bytes in ${memory}`, ts, args: {kept: tierBlocks[t][row] * plan.blockBytes}});
  }
}

/** Each request as a slice with its phases inside; one that was never scheduled only waited. */
function* requests(columns: RequestColumns): Generator<string> {
  for (const row of byArrival(columns)) {
    const common = {pid: columns.replica[row] + 1, tid: STEPS, cat: 'request', id: `r${columns.id[row]}`};
    const last = Number.isNaN(columns.finished[row]) ? columns.arrival[row] : columns.finished[row];
    const reason = reasons[columns.reason[row]];
    const args = {
      session: columns.session[row],
      turn: columns.turn[row],
      class: columns.classes[columns.class[row]],
      input_tokens: columns.input[row],
      output_tokens: columns.output[row],
      hit_tokens: columns.hit[row] + columns.hitBelow.reduce((sum, hit) => sum + hit[row], 0),
      preemptions: columns.preemptions[row],
      end: reason === '' ? ends[columns.end[row]] : `${ends[columns.end[row]]}: ${reason}`,
    };
    yield json({ph: 'b', ...common, name: `request ${columns.id[row]}`, ts: columns.arrival[row] / 1000, args});
    for (const [phase, from, to] of phases(columns, row, last)) {
      yield json({ph: 'b', ...common, name: phase, ts: from / 1000});
      yield json({ph: 'e', ...common, name: phase, ts: to / 1000});
    }
    yield json({ph: 'e', ...common, name: `request ${columns.id[row]}`, ts: last / 1000});
  }
}

/** Waiting after a preemption, and what is then loaded again, lies within the phase that it interrupts. */
function phases({arrival, scheduled, firstToken, load}: RequestColumns, row: number, last: number): [string, number, number][] {
  if (Number.isNaN(scheduled[row])) return last > arrival[row] ? [['queue', arrival[row], last]] : [];
  const first = Number.isNaN(firstToken[row]) ? last : firstToken[row];
  const loaded = Math.min(first, scheduled[row] + load[row]);
  const all: [string, number, number][] = [
    ['queue', arrival[row], scheduled[row]],
    ['load', scheduled[row], loaded],
    ['prefill', loaded, first],
    ['decode', first, last],
  ];
  return all.filter(([, from, to]) => to > from);
}

function json(event: object): string {
  return JSON.stringify(event);
}

/** ns as µs, exactly. */
function micros(ns: number): string {
  const rest = ns % 1000;
  return rest === 0 ? String(ns / 1000) : `${Math.floor(ns / 1000)}.${String(rest).padStart(3, '0')}`;
}
