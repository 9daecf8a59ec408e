import {isFinished} from './latency.js';
import {quantile} from './quantiles.js';
import type {RequestColumns, RunRecord, Timeline} from './record.js';

/** How much was asked of the deployment, one run. Shares and means are over the whole run, warm-up and drain included; of several replicas, shares are their means, counts their sums. */
export interface Load {
  /** Work asked for over time available; null when the run is too short to say. */
  readonly rho: number | null;
  readonly overloaded: boolean;
  readonly busyShare: number;
  readonly meanRunning: number;
  readonly meanWaiting: number;
  readonly waitingShare: number;
  readonly meanHeldBlocks: number;
  readonly spanSeconds: number;
  readonly makespanSeconds: number;
}

/** Fewer arrivals cannot tell a growing queue from chance. */
const LEAST_ARRIVALS = 100;
/** Nor can a span in which a request hardly enters and leaves. */
const LEAST_RESIDENCES = 3;
/** Serving what was left must take longer than this share of the span, or this share of the requests be turned away. */
const MARGIN = 0.05;

/**
 * Says whether a run was overloaded, and its ρ.
 *
 * Overloaded, for traffic from outside, means either of
 * - a *backlog*: more requests waited in the last third of the arrivals than in the middle third (at least one on average), and after the
 *   last arrival requests went on waiting for longer than 5 % of the span of arrivals. ρ = busy seconds until all was served / span;
 * - *loss*: more than 5 % of the requests left the queue unserved (queue limit, time-out), and ρ as above, over the share served, is ≥ 1.
 *
 * Otherwise ρ is the busy share of the span of arrivals. A server of one at a time is then loaded by ρ; a batching one is busy whenever
 * anybody is there, so its ρ says how often it is empty, and nears 1 long before it is full. A closed loop waits for its answers and cannot
 * overload. Null below 100 arrivals or when the span is under three times the median residence.
 */
export function offeredLoad(record: RunRecord, closedLoop: boolean): Load {
  const {requests, timeline, counters, replicas, firstArrival, lastArrival, lastEnd} = record;
  const servers = replicas.length;
  const span = (lastArrival - firstArrival) / 1e9;
  const makespan = (lastEnd - firstArrival) / 1e9;
  const base = {
    busyShare: makespan > 0 ? Math.min(1, counters.busySeconds / makespan / servers) : 0,
    meanRunning: overRun(record, timeline, 'running'),
    meanWaiting: overRun(record, timeline, 'waiting'),
    waitingShare: makespan > 0 ? Math.min(1, counters.waitingSeconds / makespan / servers) : 0,
    meanHeldBlocks: overRun(record, timeline, 'kvHeldBlocks'),
    spanSeconds: span,
    makespanSeconds: makespan,
  };
  if (requests.rows < LEAST_ARRIVALS || !(span > LEAST_RESIDENCES * medianResidence(requests))) {
    return {...base, rho: null, overloaded: false};
  }
  const served = 1 - leftTheQueue(requests) / requests.rows;
  const worked = counters.busySeconds / span / servers / served;
  const lossy = 1 - served > MARGIN && worked >= 1;
  if (!closedLoop && (lossy || backlogGrew(record))) return {...base, rho: worked, overloaded: true};
  return {...base, rho: busySecondsWithin(record) / span / servers, overloaded: false};
}

/** What one replica of a run carried, over the whole run. */
export function replicaLoad(record: RunRecord, replica: number): Pick<Load, 'busyShare' | 'meanRunning' | 'meanWaiting'> {
  const {timeline, counters} = record.replicas[replica];
  const makespan = (record.lastEnd - record.firstArrival) / 1e9;
  return {
    busyShare: makespan > 0 ? Math.min(1, counters.busySeconds / makespan) : 0,
    meanRunning: overRun(record, timeline, 'running'),
    meanWaiting: overRun(record, timeline, 'waiting'),
  };
}

/** Mean of a column over the run. Rows hold means, so what they hold ends with the run, not with the last row. */
function overRun({firstArrival, lastEnd}: RunRecord, timeline: Timeline, column: 'running' | 'waiting' | 'kvHeldBlocks'): number {
  return lastEnd > firstArrival ? integral(timeline, timeline[column], firstArrival, lastEnd) / 1e9 / ((lastEnd - firstArrival) / 1e9) : 0;
}

function backlogGrew({timeline, firstArrival, lastArrival}: RunRecord): boolean {
  const span = lastArrival - firstArrival;
  const third = span / 3;
  const middle = integral(timeline, timeline.waiting, firstArrival + third, lastArrival - third) / third;
  const last = integral(timeline, timeline.waiting, lastArrival - third, lastArrival) / third;
  let lastWaiting = 0;
  for (let row = 0; row < timeline.rows; row++) if (timeline.waiting[row] > 0) lastWaiting = (row + 1) * timeline.width;
  return last >= 1 && last > middle && lastWaiting - lastArrival > MARGIN * span;
}

/** Busy seconds until the last arrival. */
function busySecondsWithin({timeline, counters, firstArrival, lastArrival}: RunRecord): number {
  const bounds = counters.boundSeconds.length;
  const busy = new Float64Array(timeline.rows);
  for (let row = 0; row < timeline.rows; row++) {
    for (let bound = 0; bound < bounds; bound++) busy[row] += timeline.boundSeconds[row * bounds + bound];
  }
  // `integral` takes means over an interval; busy seconds are a sum over it.
  return Math.min(integral(timeline, busy, firstArrival, lastArrival) / timeline.width, counters.busySeconds);
}

/** ∫ column dt between two times in ns; each row holds the mean of its interval. */
function integral(timeline: Timeline, column: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let row = 0; row < timeline.rows; row++) {
    const start = row * timeline.width;
    const overlap = Math.min(to, start + timeline.width) - Math.max(from, start);
    if (overlap > 0) sum += column[row] * overlap;
  }
  return sum;
}

/** Median seconds from the first step of a request to its last token; 0 when none finished. */
function medianResidence(columns: RequestColumns): number {
  const residences = new Float64Array(columns.rows);
  let n = 0;
  for (let row = 0; row < columns.rows; row++) {
    if (isFinished(columns, row)) residences[n++] = (columns.finished[row] - columns.scheduled[row]) / 1e9;
  }
  return n === 0 ? 0 : quantile(residences.subarray(0, n), 0.5);
}

const TIMED_OUT = 2;
const QUEUE_LIMIT = 1;

/** Requests that the queue turned away or that gave up waiting. */
function leftTheQueue(columns: RequestColumns): number {
  let left = 0;
  for (let row = 0; row < columns.rows; row++) {
    if (columns.end[row] === TIMED_OUT || columns.reason[row] === QUEUE_LIMIT) left++;
  }
  return left;
}
