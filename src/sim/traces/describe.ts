import {grouped} from './columns.js';
import type {Reuse} from './reuse.js';
import type {SessionStatistics} from './sessions.js';
import type {Spread} from './spread.js';
import type {TraceStatistics} from './statistics.js';
import type {Trace} from './trace.js';

/** The statistics of a trace as lines of text. */
export function traceLines(trace: Trace, found: 'by content' | 'named', statistics: TraceStatistics): string[] {
  const {arrivals} = statistics;
  const tied = trace.notes.find(({code}) => code === 'tied_timestamps');
  const rate = arrivals.rate === null ? 'all at one time' : `${arrivals.rate.toFixed(2)} req/s · CV of gaps ${arrivals.cv!.toFixed(2)}`;
  const ids = statistics.reuse === null ? 'no ids' : `chained ids: ${statistics.reuse.chained ? 'yes' : 'NO'} · block ${trace.blockSize}`;
  return [
    line('format', `${trace.format} (${found}) · rows ${grouped(trace.rows)} · span ${clock(statistics.span)} · ${ids}`),
    line('input', spread(statistics.input)),
    line('output', spread(statistics.output)),
    line('arrivals', `${rate} · ${seconds(arrivals.resolution)} resolution`),
    ...(tied === undefined ? [] : [line('', `!! ${tied.text}`)]),
    ...sessionLines(statistics.sessions),
    ...(statistics.reuse === null
      ? [line('reuse', 'unknown: the trace has no block ids, so nothing in it can be shared')]
      : reuseLines(trace, statistics.reuse)),
    ...kindLines(statistics),
    ...trace.notes.filter((note) => note !== tied).map(({text}) => line('note', text)),
  ];
}

function sessionLines(sessions: SessionStatistics | null): string[] {
  if (sessions === null) return [];
  const {count, turns, gaps, gapsFrom, accesses, seenBefore} = sessions;
  const lines = [line('sessions', `${grouped(count)} · turns ${figures(turns, 1)}`)];
  if (gaps !== null)
    lines.push(
      line('', `seconds from ${gapsFrom === 'answer' ? 'an answer to the next request' : 'request to request'} ${figures(gaps, 1)}`),
    );
  if (accesses > 0) lines.push(line('', `${percent(seenBefore, accesses)} of blocks were in an earlier request of their session`));
  return lines;
}

function kindLines({kinds}: TraceStatistics): string[] {
  const text = ({name, rows, accesses, hits}: TraceStatistics['kinds'][number]) =>
    `${name} ${percent(hits, accesses)} (${grouped(rows)} requests)`;
  return kinds.length === 0 ? [] : [line('', `infinite-cache hit by kind: ${kinds.map(text).join(' · ')}`)];
}

function reuseLines({blockSize, inputs}: Trace, reuse: Reuse): string[] {
  const total = inputs.reduce((sum, input) => sum + input, 0);
  const {accesses, hits, wholeBlocks, wholeHits, distances} = reuse;
  const shares = [
    ...(wholeBlocks === accesses
      ? [`${percent(hits, accesses)} of blocks (${grouped(hits)} of ${grouped(accesses)} accesses; only whole blocks have ids)`]
      : [
          `${percent(hits, accesses)} of blocks (${grouped(hits)} of ${grouped(accesses)} accesses; a partial last block counts as one)`,
          `${percent(wholeHits, wholeBlocks)} of whole blocks`,
        ]),
    `${percent(wholeHits * blockSize, total)} of tokens, in whole blocks`,
  ];
  const lines = [
    line('reuse', `infinite-cache hit ${shares.join(' · ')}`),
    line('', `${grouped(reuse.distinct)} distinct blocks of ${blockSize} tokens`),
  ];
  if (hits === 0) return lines;
  const at = (share: number) => {
    const blocks = Math.round(distances.quantile(share));
    return `p${share * 100} ${grouped(blocks)}`;
  };
  const far = Math.round(distances.quantile(0.5)) * blockSize;
  return [
    ...lines,
    line(
      '',
      `reuse distance ${[0.5, 0.9, 0.95, 0.99].map(at).join(' · ')} · max ${grouped(distances.quantile(1))} different blocks; p50 is ${grouped(far)} tokens of KV`,
    ),
  ];
}

/** Hit shares as a table, one line a policy. */
export function hitLines(accesses: number, sizes: readonly number[], rows: readonly {policy: string; hits: readonly number[]}[]): string[] {
  const name = Math.max(10, ...rows.map(({policy}) => policy.length + 2));
  const row = (head: string, cells: readonly string[]) => head.padEnd(name) + cells.map((cell) => cell.padStart(10)).join('');
  return [
    row('blocks', sizes.map(grouped)),
    ...rows.map(({policy, hits}) =>
      row(
        policy,
        hits.map((count) => percent(count, accesses)),
      ),
    ),
    `hits of ${grouped(accesses)} block accesses in file order, head to tail, hit or brought in at once; no clock`,
  ];
}

/** Rows as they were read, as a table. */
export function headLines(trace: Trace, rows: number): string[] {
  const cells = (...texts: (string | number)[]) => texts.map((text) => String(text).padStart(12)).join('');
  return [
    cells('row', 'time_s', 'input', 'output', ...(trace.blockSize > 0 ? ['ids'] : [])),
    ...Array.from({length: Math.min(rows, trace.rows)}, (_, row) => {
      const count = trace.offsets[row + 1] - trace.offsets[row];
      return cells(row + 1, trace.times[row] / 1e9, trace.inputs[row], trace.outputs[row], ...(trace.blockSize > 0 ? [count] : []));
    }),
  ];
}

function line(head: string, text: string): string {
  return `${head.padEnd(12)}${text}`;
}

function spread(values: Spread): string {
  return `${figures(values, 0)} tokens`;
}

function figures({mean, p50, p95, min, max}: Spread, digits: number): string {
  return Object.entries({mean, p50, p95, min, max})
    .map(([name, value]) => `${name} ${grouped(Number(value.toFixed(digits)))}`)
    .join(' · ');
}

function percent(part: number, whole: number): string {
  return `${whole === 0 ? '0.00' : ((100 * part) / whole).toFixed(2)} %`;
}

function seconds(value: number): string {
  if (value === 0) return 'no';
  return value >= 1
    ? `${value} s`
    : value >= 1e-3
      ? `${Number((value * 1e3).toPrecision(6))} ms`
      : `${Number((value * 1e6).toPrecision(6))} µs`;
}

/** 3537 → 58:57; 90,061 → 25:01:01. */
function clock(span: number): string {
  const whole = Math.round(span);
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(whole / 3600),
    minutes = Math.floor(whole / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
