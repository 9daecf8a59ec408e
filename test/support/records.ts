import {stream} from '../../src/sim/core/random.js';
import type {End, Reason, ReplicaRecord, RequestColumns, RunRecord} from '../../src/sim/metrics/record.js';
import {ends, reasons} from '../../src/sim/metrics/record.js';

/** One request of a hand-made run; times in seconds. */
export interface RequestRow {
  arrival: number;
  scheduled?: number;
  firstToken?: number;
  finished?: number;
  end?: End;
  reason?: Reason;
  input?: number;
  output?: number;
  hit?: number;
  hitInfinite?: number;
  computed?: number;
  preemptions?: number;
  session?: number;
  turn?: number;
  /** The class, `default` when absent. */
  class?: string;
}

/** Columns of requests in the order given, which is also that of their ids. */
export function requestColumns(rows: readonly RequestRow[]): RequestColumns {
  const ns = (pick: (row: RequestRow) => number | undefined) => Float64Array.from(rows, (row) => Math.round((pick(row) ?? NaN) * 1e9));
  const count = (pick: (row: RequestRow) => number | undefined, otherwise: number) =>
    Int32Array.from(rows, (row) => pick(row) ?? otherwise);
  const classes = [...new Set(rows.map((row) => row.class ?? 'default'))];
  return {
    rows: rows.length,
    classes,
    class: Int32Array.from(rows, (row) => classes.indexOf(row.class ?? 'default')),
    id: Int32Array.from(rows, (_, i) => i),
    session: Int32Array.from(rows, (row, i) => row.session ?? i),
    turn: count((row) => row.turn, 0),
    replica: new Uint16Array(rows.length),
    arrival: ns((row) => row.arrival),
    scheduled: ns((row) => row.scheduled),
    firstToken: ns((row) => row.firstToken),
    finished: ns((row) => row.finished),
    end: Uint8Array.from(rows, (row) => ends.indexOf(row.end ?? 'finished')),
    reason: Uint8Array.from(rows, (row) => reasons.indexOf(row.reason ?? '')),
    input: count((row) => row.input, 100),
    output: count((row) => row.output, 1),
    hit: count((row) => row.hit, 0),
    hitInfinite: count((row) => row.hitInfinite, 0),
    computed: Int32Array.from(rows, (row) => row.computed ?? (row.input ?? 100) - (row.hit ?? 0)),
    preemptions: count((row) => row.preemptions, 0),
    load: new Float64Array(rows.length),
    longestGap: ns((row) => gapOf(row)),
    gaps: [evenGaps(rows)],
    hitBelow: [],
  };
}

/** Seconds between tokens, when they come evenly. */
function gapOf({firstToken, finished, output = 1}: RequestRow): number | undefined {
  return output > 1 && firstToken !== undefined && finished !== undefined ? (finished - firstToken) / (output - 1) : undefined;
}

/** Every gap as a stay of its own. */
function evenGaps(rows: readonly RequestRow[]): RequestColumns['gaps'][number] {
  const all = rows.flatMap((row, id) => {
    const gap = gapOf(row);
    return gap === undefined ? [] : Array.from({length: row.output! - 1}, () => ({id, gap: Math.round(gap * 1e9)}));
  });
  const none = new Int32Array(all.length);
  const stays = {request: Int32Array.from(all, ({id}) => id), gap: Float64Array.from(all, ({gap}) => gap), from: none, to: none};
  return {times: Float64Array.of(0), stays};
}

/**
 * A run that consists of these requests: a request waits from arrival to `scheduled` (or its end) and runs from there; every second in which
 * one runs is a busy one, all of it bound by `hbm`.
 */
export function runRecord(rows: readonly RequestRow[], timelineRows = 1000): RunRecord {
  const requests = requestColumns(rows);
  const endOf = (row: RequestRow) => row.finished ?? row.arrival;
  const lastEnd = Math.max(...rows.map(endOf));
  const width = (lastEnd / timelineRows) * 1e9;
  const spread = (from: (row: RequestRow) => number, to: (row: RequestRow) => number) =>
    overTime(
      rows.map((row) => [from(row), to(row)]),
      lastEnd / timelineRows,
      timelineRows,
    );
  const running = spread((row) => row.scheduled ?? endOf(row), endOf);
  const waiting = spread(
    (row) => row.arrival,
    (row) => row.scheduled ?? endOf(row),
  );
  const busy = union(rows.flatMap((row) => (row.scheduled === undefined ? [] : [[row.scheduled, endOf(row)]])));
  const busyRows = overTime(busy, lastEnd / timelineRows, timelineRows);
  const boundSeconds = new Float64Array(timelineRows * 5);
  busyRows.forEach((share, i) => {
    boundSeconds[i * 5 + 1] = share * (lastEnd / timelineRows);
  });
  const busySeconds = busy.reduce((sum, [from, to]) => sum + to - from, 0);
  const waited = union(rows.map((row) => [row.arrival, row.scheduled ?? endOf(row)]));
  const replica: ReplicaRecord = {
    timeline: {
      width,
      rows: timelineRows,
      running,
      waiting,
      kvHeldBlocks: running.map((n) => n * 4),
      kvCachedBlocks: running.map(() => 0),
      loading: running.map(() => 0),
      tierBlocks: [],
      flowBytes: [],
      batchTokens: running.map((n) => Math.min(1, n)),
      stepSeconds: busyRows.map((share) => share * (lastEnd / timelineRows)),
      boundSeconds,
    },
    tiers: [],
    resources: [],
    counters: {
      steps: rows.length * 2,
      prefillSteps: rows.length,
      mixedSteps: 0,
      decodeSteps: rows.length,
      busySeconds,
      prefillSeconds: busySeconds / 4,
      mixedSeconds: 0,
      decodeSeconds: (busySeconds * 3) / 4,
      boundSeconds: Float64Array.of(0, busySeconds, 0, 0, 0),
      termSeconds: Float64Array.of(busySeconds),
      outsideSeconds: Float64Array.of(0),
      flops: 1e9 * busySeconds,
      bytes: 1e9 * busySeconds,
      prefillTokens: requests.computed.reduce((sum, n) => sum + n, 0),
      generatedTokens: requests.output.reduce((sum, n) => sum + n, 0),
      discardedTokens: 0,
      preemptions: requests.preemptions.reduce((sum, n) => sum + n, 0),
      evictions: 0,
      lookupTokensAfterPreemption: 0,
      hitTokensAfterPreemption: 0,
      duplicateBlocks: 0,
      maxWaiting: 1,
      maxRunning: 1,
      maxHeldBlocks: 4,
      waitingSeconds: waited.reduce((sum, [from, to]) => sum + to - from, 0),
    },
    eventLog: '00',
  };
  return {
    ...replica,
    requests,
    replicas: [replica],
    firstArrival: Math.round(Math.min(...rows.map((row) => row.arrival)) * 1e9),
    lastArrival: Math.round(Math.max(...rows.map((row) => row.arrival)) * 1e9),
    lastEnd: Math.round(lastEnd * 1e9),
  };
}

/** A single server, first come first served: exponential gaps of mean 1/rate, services of mean 1 s (M/M/1, ρ = rate). */
export function singleServer(
  rate: number,
  requests: number,
  seed: number,
  options: {timeout?: number; queueLimit?: number} = {},
): RunRecord {
  const random = stream(seed, 'test/single-server');
  const exponential = (mean: number) => -mean * Math.log(1 - random());
  const rows: RequestRow[] = [];
  const starts: number[] = [];
  let now = 0;
  let free = 0;
  for (let i = 0; i < requests; i++) {
    now += exponential(1 / rate);
    const service = exponential(1);
    const start = Math.max(now, free);
    if (options.queueLimit !== undefined && starts.filter((time) => time > now).length >= options.queueLimit) {
      rows.push({arrival: now, end: 'rejected', reason: 'queue_limit'});
    } else if (options.timeout !== undefined && start - now > options.timeout) {
      rows.push({arrival: now, finished: now + options.timeout, end: 'timed-out', reason: 'queue_timeout'});
    } else {
      free = start + service;
      starts.push(start);
      rows.push({arrival: now, scheduled: start, firstToken: free, finished: free});
    }
  }
  return runRecord(rows);
}

/** Mean number of intervals that cover each cell of `width` seconds. */
function overTime(intervals: readonly (readonly number[])[], width: number, cells: number): Float64Array {
  const covered = new Float64Array(cells);
  for (const [from, to] of intervals) {
    for (let cell = Math.floor(from / width); cell < cells && cell * width < to; cell++) {
      covered[cell] += Math.max(0, Math.min(to, (cell + 1) * width) - Math.max(from, cell * width)) / width;
    }
  }
  return covered;
}

function union(intervals: readonly (readonly number[])[]): number[][] {
  const joined: number[][] = [];
  for (const [from, to] of [...intervals].sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}
