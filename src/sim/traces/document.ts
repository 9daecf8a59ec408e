import type {Reuse} from './reuse.js';
import type {Spread} from './spread.js';
import type {TraceStatistics} from './statistics.js';
import type {Trace} from './trace.js';

/** Hits of one policy, as `--json` writes them. */
export interface HitsDocument {
  policy: string;
  blocks: number;
  hits: number;
  share: number;
}

/** What `tiercast trace --json` prints: schema `tiercast.trace/1`, SI, null = unknown. */
export interface TraceDocument {
  schema: 'tiercast.trace/1';
  file: string;
  format: string;
  rows: number;
  span_s: number;
  block_tokens: number | null;
  input_tokens: Spread;
  output_tokens: Spread;
  arrivals: {rate_per_s: number | null; gap_cv: number | null; tied_rows: number; tie_step_s: number; resolution_s: number};
  reuse: ReuseDocument | null;
  /** Null when rows are on their own. `seen_share`: of ids, those that an earlier request of the session had; gaps in seconds, from an answer or from a request. */
  sessions: {count: number; turns: Spread; gap_s: Spread | null; gap_from: 'answer' | 'request'; seen_share: number | null} | null;
  /** Kinds of work that the trace tells apart; hits in a cache without end that all have in common. */
  kinds: {name: string; rows: number; accesses: number; hits: number; share: number | null}[];
  notes: readonly {readonly code: string; readonly text: string}[];
  /** With `--hits`: of `reuse.accesses`. */
  hits: HitsDocument[] | null;
  /** With `--head`. */
  head: {time_s: number; input_tokens: number; output_tokens: number; ids: number}[] | null;
  /** With `--fit`. */
  fit: FitDocument | null;
}

/** What was written, and how near it comes: Kolmogorov-Smirnov distances, hits of LRU as shares of accesses by blocks (null: without end), what is known not to be carried as shares of accesses and of later requests. */
interface FitDocument {
  files: readonly string[];
  sessions: number;
  requests: Compared;
  distances: readonly (Compared & {of: string; distance: number})[];
  hits: readonly (Compared & {blocks: number | null})[] | null;
  missing: {branches: number; dropped: number};
  notes: readonly string[];
}

interface Compared {
  recorded: number;
  fitted: number;
}

interface ReuseDocument {
  chained: boolean;
  accesses: number;
  distinct_blocks: number;
  hits: number;
  /** Of accesses; a partial last block counts as one. */
  share: number;
  whole_blocks: number;
  whole_block_hits: number;
  /** Of all prompt tokens, those in whole blocks that were there before. */
  tokens_share: number;
  /** Different blocks between two uses; null when there are no two. */
  distance_blocks: Record<'p50' | 'p90' | 'p95' | 'p99' | 'max', number> | null;
}

/** Makes the document, numbers with 9 significant digits. */
export function traceDocument(
  file: string,
  trace: Trace,
  statistics: TraceStatistics,
  extras: Pick<TraceDocument, 'hits' | 'head' | 'fit'>,
): TraceDocument {
  const {arrivals, input, output} = statistics;
  return rounded({
    schema: 'tiercast.trace/1',
    file,
    format: trace.format,
    rows: trace.rows,
    span_s: statistics.span,
    block_tokens: trace.blockSize || null,
    input_tokens: input,
    output_tokens: output,
    arrivals: {
      rate_per_s: arrivals.rate,
      gap_cv: arrivals.cv,
      tied_rows: arrivals.tied,
      tie_step_s: arrivals.step,
      resolution_s: arrivals.resolution,
    },
    reuse: statistics.reuse && reuseDocument(trace, statistics.reuse, input.total),
    sessions: sessionsDocument(statistics),
    kinds: statistics.kinds.map((kind) => ({...kind, share: kind.accesses === 0 ? null : kind.hits / kind.accesses})),
    notes: trace.notes,
    hits: extras.hits,
    head: extras.head,
    fit: extras.fit,
  });
}

function sessionsDocument({sessions}: TraceStatistics): TraceDocument['sessions'] {
  if (sessions === null) return null;
  const {count, turns, gaps, gapsFrom, accesses, seenBefore} = sessions;
  return {count, turns, gap_s: gaps, gap_from: gapsFrom, seen_share: accesses === 0 ? null : seenBefore / accesses};
}

function reuseDocument(
  {blockSize}: Trace,
  {chained, accesses, distinct, hits, wholeBlocks, wholeHits, distances}: Reuse,
  total: number,
): ReuseDocument {
  const at = (share: number) => distances.quantile(share);
  return {
    chained,
    accesses,
    distinct_blocks: distinct,
    hits,
    share: hits / accesses,
    whole_blocks: wholeBlocks,
    whole_block_hits: wholeHits,
    tokens_share: (wholeHits * blockSize) / total,
    distance_blocks: hits === 0 ? null : {p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99), max: at(1)},
  };
}

function rounded<T>(document: T): T {
  return JSON.parse(JSON.stringify(document, (_key, value) => (typeof value === 'number' ? Number(value.toPrecision(9)) : value)));
}
