import type {SimTime} from '../../core/time.js';
import type {Trace} from '../../traces/trace.js';
import type {Arrivals, Distribution, SharedPrefixes, StreamConfig, Traffic, WorkloadConfig} from '../workload.js';
import {type Group, groupsOf} from './groups.js';

/** A synthetic workload with the lengths, the gaps, the turns and the shared texts of a trace. */
export interface Fit {
  readonly workload: WorkloadConfig;
  /** What it is compared with: the trace's own requests, to start when they did, or with as many sessions open as the trace has on average. */
  readonly recorded: Extract<Traffic, {kind: 'replay'}>;
  /** The conversations, by stream. */
  readonly groups: readonly Group[];
  /** Of the workload: one a conversation. */
  readonly sessions: number;
  /** What answers took on average where the trace tells, else 0: gaps then hold the answer too. */
  readonly answer: SimTime;
}

/** Values that a column has: quantiles at the middle of so many equal shares. */
const QUANTILES = 1000;

/**
 * Fits a workload to a trace with chained ids: conversations found in its block ids, by the text that they begin with; the columns of each such stream as quantiles.
 *
 * A stream of conversations of one request is `lengths`, another one `agent`. Conversations start by a gamma process with the recorded rate and variation; where starts were not recorded, as many are open as on average in the trace.
 */
export function fitted(trace: Trace): Fit {
  const groups = groupsOf(trace);
  const ends = answerEnds(trace);
  const threads = groups.map((group) => group.threads);
  const answer = meanAnswer(trace, ends);
  const arrivals = trace.gaps === null ? gammaArrivals(trace, threads) : openSessions(trace, threads, answer);
  const streams = groups.map((group, i): StreamConfig => {
    const name = group.prefixTokens > 0 ? `prefix-${i + 1}` : 'other';
    return {name, class: name, traffic: trafficOf(trace, group, arrivals[i], ends)};
  });
  return {
    workload: streams.length === 1 ? streams[0].traffic : {kind: 'streams', streams},
    recorded: {kind: 'replay', trace, arrivals: trace.gaps === null ? null : openSessions(trace, [sessionsOf(trace)], answer)[0]},
    groups,
    sessions: threads.reduce((sum, {length}) => sum + length, 0),
    answer,
  };
}

function trafficOf(trace: Trace, {threads, prefixTokens}: Group, arrivals: Arrivals, ends: Float64Array): Traffic {
  const {inputs, outputs} = trace;
  const later = threads.flatMap((rows) => rows.slice(1).map((row, i) => ({row, before: rows[i]})));
  const common = {
    arrivals,
    outputTokens: quantiles(threads.flat().map((row) => outputs[row])),
    sharedPrefixes: prefixTokens === 0 ? null : prefixOf(prefixTokens),
  };
  const first = quantiles(threads.map(([row]) => inputs[row] - prefixTokens));
  if (later.length === 0) return {kind: 'lengths', inputTokens: first, ...common};
  return {
    kind: 'agent',
    steps: quantiles(threads.map((rows) => rows.length)),
    userTokens: first,
    toolResultTokens: quantiles(added(later.map(({row, before}) => inputs[row] - inputs[before] - outputs[before]))),
    toolTime: quantiles(later.map(({row, before}) => Math.max(0, trace.times[row] - ends[before]) / 1e9)),
    contextLimit: null,
    ...common,
  };
}

function prefixOf(tokens: number): SharedPrefixes {
  return {count: 1, tokens: {dist: 'constant', value: tokens}, popularity: {dist: 'uniform'}};
}

/** What each request adds, at least a token. Where a next prompt drops part of the answer, others add less, so that prompts grow as much on average. */
function added(growths: readonly number[]): number[] {
  const total = growths.reduce((sum, growth) => sum + growth, 0);
  const raised = growths.reduce((sum, growth) => sum + Math.max(1, growth), 0);
  const factor = Math.max(0, total / raised);
  return growths.map((growth) => Math.max(1, Math.round(growth * factor)));
}

type Rows = readonly (readonly number[])[];

/** Rates over the time in which any conversation starts. */
function gammaArrivals({times}: Trace, streams: readonly Rows[]): Arrivals[] {
  const startsOf = (threads: Rows) => threads.map(([row]) => times[row] / 1e9);
  const span = Math.max(...streams.map((threads) => startsOf(threads).pop()!));
  return streams.map((threads): Arrivals => {
    if (!(span > 0)) return {process: 'closed-loop', sessions: threads.length};
    const starts = startsOf(threads);
    const rate = significant(threads.length / span);
    return {process: 'gamma', rate, cv: significant(variation(starts)), of: 'session'};
  });
}

/** Standard deviation of the gaps of rising times over their mean; 1, as if at random, where there are no two gaps. */
function variation(times: readonly number[]): number {
  const gaps = times.length - 1;
  const mean = (times[gaps] - times[0]) / gaps;
  if (gaps < 2 || mean === 0) return 1;
  let squares = 0;
  for (let i = 1; i < times.length; i++) squares += (times[i] - times[i - 1] - mean) ** 2;
  return Math.sqrt(squares / gaps) / mean;
}

/** As many open as on average from the first request to the last answer, each from its first request to its last answer. */
function openSessions({times, rows}: Trace, streams: readonly Rows[], answer: SimTime): Arrivals[] {
  const span = times[rows - 1] + answer;
  return streams.map((threads): Arrivals => {
    const open = threads.reduce((sum, thread) => sum + times[thread[thread.length - 1]] + answer - times[thread[0]], 0);
    return {process: 'closed-loop', sessions: span > 0 ? Math.max(1, Math.round(open / span)) : threads.length};
  });
}

function sessionsOf({sessions, rows}: Trace): number[][] {
  const all = new Map<number, number[]>();
  for (let row = 0; row < rows; row++) {
    const session = sessions?.[row] ?? row;
    const known = all.get(session);
    if (known === undefined) all.set(session, [row]);
    else known.push(row);
  }
  return [...all.values()];
}

/** By row: when its answer ended, where gaps tell; else when it came. */
function answerEnds({times, gaps, sessions, rows}: Trace): Float64Array {
  const ends = times.slice();
  if (gaps === null || sessions === null) return ends;
  const lastOf = new Map<number, number>();
  for (let row = 0; row < rows; row++) {
    const last = lastOf.get(sessions[row]);
    if (last !== undefined) ends[last] = Math.max(times[last], times[row] - gaps[row]);
    lastOf.set(sessions[row], row);
  }
  return ends;
}

/** Over the answers whose end is known. */
function meanAnswer({times, gaps}: Trace, ends: Float64Array): number {
  if (gaps === null) return 0;
  let sum = 0,
    known = 0;
  for (let row = 0; row < times.length; row++) {
    if (ends[row] === times[row]) continue;
    sum += ends[row] - times[row];
    known++;
  }
  return known === 0 ? 0 : Math.round(sum / known);
}

/** Values at the middle of equal shares of a list; one value where all are equal. */
function quantiles(values: readonly number[]): Distribution {
  const sorted = Float64Array.from(values).sort();
  if (sorted[0] === sorted[sorted.length - 1]) return {dist: 'constant', value: significant(sorted[0])};
  const at = (_: unknown, i: number) => significant(sorted[Math.floor(((i + 0.5) / QUANTILES) * sorted.length)]);
  return {dist: 'empirical', values: Float64Array.from({length: QUANTILES}, at)};
}

/** What is written into the file: 9 digits. */
function significant(value: number): number {
  return Number(value.toPrecision(9));
}
