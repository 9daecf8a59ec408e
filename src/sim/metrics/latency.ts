import type {RequestColumns} from './record.js';

const FINISHED = 0;

/** Latencies of one request in ns by metric, NaN when not applicable. Definitions and sources: docs/metrics.md. */
export const latencies = {
  ttft_s: (c, r) => c.firstToken[r] - c.arrival[r],
  ttft_server_s: (c, r) => c.firstToken[r] - c.scheduled[r],
  tpot_s: (c, r) => (c.output[r] > 1 ? (c.finished[r] - c.firstToken[r]) / (c.output[r] - 1) : NaN),
  e2e_s: (c, r) => c.finished[r] - c.arrival[r],
  queue_s: (c, r) => c.scheduled[r] - c.arrival[r],
  load_s: (c, r) => (c.load[r] > 0 ? c.load[r] : NaN),
  itl_max_s: (c, r) => c.longestGap[r],
  normalised_latency_s: (c, r) => (c.output[r] > 0 ? (c.finished[r] - c.arrival[r]) / c.output[r] : NaN),
} as const satisfies Record<string, (columns: RequestColumns, row: number) => number>;

export type LatencyName = keyof typeof latencies;

/** Whether the request got all its tokens; only such requests have latencies. */
export function isFinished(columns: RequestColumns, row: number): boolean {
  return columns.end[row] === FINISHED;
}

/** One metric in seconds of the finished requests among `rows`, in their order, without those it does not apply to. */
export function latencySeries(columns: RequestColumns, rows: Int32Array, name: LatencyName): Float64Array {
  const latency = latencies[name];
  const series = new Float64Array(rows.length);
  let n = 0;
  for (const row of rows) {
    if (!isFinished(columns, row)) continue;
    const value = latency(columns, row);
    if (!Number.isNaN(value)) series[n++] = value / 1e9;
  }
  return series.slice(0, n);
}

/** Rows in order of arrival, equal times in order of id. */
export function byArrival(columns: RequestColumns): Int32Array {
  const {rows, arrival, id} = columns;
  const order = new Int32Array(rows).fill(-1);
  // Ids are mostly given in order of arrival: then they are the order, and nothing needs sorting.
  for (let row = 0; row < rows; row++) if (id[row] >= 0 && id[row] < rows) order[id[row]] = row;
  let inOrder = true;
  for (let i = 0; i < rows && inOrder; i++) inOrder = order[i] >= 0 && (i === 0 || arrival[order[i - 1]] <= arrival[order[i]]);
  if (inOrder) return order;
  for (let row = 0; row < rows; row++) order[row] = row;
  return order.sort((a, b) => arrival[a] - arrival[b] || id[a] - id[b] || a - b);
}
