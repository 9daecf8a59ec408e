import {latencySeries} from '../metrics/latency.js';
import type {Measured} from '../metrics/measured.js';
import {measuredAfter} from '../metrics/measured.js';
import type {RunRecord} from '../metrics/record.js';
import {distribution} from '../metrics/summary.js';
import type {ResultDocument} from './result.js';
import {durationText, percentText} from './text.js';

/** What the prefix cache and more memory are worth in time: the same requests, simulated without the one and with endless of the other. */
export function worth(
  {metrics}: ResultDocument,
  runs: readonly Measured[],
  bounds: {readonly none: readonly RunRecord[]; readonly infinite: readonly RunRecord[]} | null,
): ResultDocument['verdict'] {
  const now = metrics.ttft_s.p95;
  if (bounds === null || now === null) return [];
  const p95 = (records: readonly RunRecord[]) => {
    const again = records.map((record, i) => measuredAfter(record.requests, runs[i].warmup));
    return distribution(again.map((run) => latencySeries(run.columns, run.rows, 'ttft_s'))).p95;
  };
  const [none, infinite] = [p95(bounds.none), p95(bounds.infinite)];
  if (none === null || infinite === null) return [];
  const text = `TTFT p95 would be ${durationText(none)} without a prefix cache (${change(now, none)}) and ${durationText(infinite)} with endless KV memory (${change(now, infinite)}).`;
  return [{code: 'prefix_cache_worth', text}];
}

function change(from: number, to: number): string {
  const share = to / from - 1;
  if (Math.abs(share) < 0.0005) return 'no change';
  return `${share < 0 ? '−' : '+'}${percentText(Math.abs(share))}`;
}
