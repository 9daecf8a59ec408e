import {kolmogorovDistance} from '../../traces/kolmogorov.js';
import {reuseDistances} from '../../traces/reuse-distances.js';
import {wholeBlocks} from '../../traces/threads.js';
import {ties} from '../../traces/ties.js';
import type {Trace} from '../../traces/trace.js';
import {type Drawn, type DrawOptions, drawn} from './draw.js';
import type {Fit} from './fit.js';

/** How near a fitted workload comes to its trace. */
export interface FitQuality {
  readonly requests: Pair;
  readonly distances: readonly Distance[];
  /** Shares of block accesses that LRU answers, by size; `blocks` null: a cache without end. Null when the trace has no ids. */
  readonly hits: readonly (Pair & {readonly blocks: number | null})[] | null;
  /** What is known not to be carried. */
  readonly missing: Missing;
}

/** A figure of the trace, and the same of what was drawn. */
export interface Pair {
  readonly recorded: number;
  readonly fitted: number;
}

/** Kolmogorov-Smirnov distance of one quantity, and its means. */
export interface Distance extends Pair {
  readonly of: string;
  readonly distance: number;
}

/** What `agent` and `lengths` cannot say. */
export interface Missing {
  /** Of all accesses, those of first prompts to blocks that an earlier request had, beyond the shared text of their stream. */
  readonly branches: number;
  /** Of all later requests, those whose prompt grew by less than the answer before. */
  readonly dropped: number;
}

/** Draws the workload once and measures it beside the trace that it was fitted to; `seed` is that of the drawing. */
export function fitQuality(trace: Trace, fit: Fit, seed: number): FitQuality {
  const options: DrawOptions = {
    seed,
    sessions: fit.sessions,
    blockSize: trace.blockSize,
    partialIds: hasPartialIds(trace),
    answer: fit.answer,
  };
  const ours = drawn(fit.workload, options);
  const theirs = fit.recorded.arrivals === null ? trace : drawn(fit.recorded, options);
  return {
    requests: {recorded: trace.rows, fitted: ours.rows},
    distances: [
      distance('input tokens', trace.inputs, ours.inputs),
      distance('output tokens', trace.outputs, ours.outputs),
      distance(
        'requests of a conversation',
        fit.groups.flatMap(({threads}) => threads.map(({length}) => length)),
        turnsOf(ours),
      ),
      ...arrivalDistance(theirs, ours, fit),
    ],
    hits: trace.blockSize === 0 ? null : hitsBySize(theirs, ours),
    missing: missingOf(trace, fit),
  };
}

/** Whether a partial last block has an id. */
function hasPartialIds(trace: Trace): boolean {
  const {rows, offsets, inputs, blockSize} = trace;
  for (let row = 0; row < rows; row++) if (offsets[row + 1] - offsets[row] > Math.floor(inputs[row] / blockSize)) return true;
  return false;
}

function distance(of: string, recorded: ArrayLike<number>, fitted: ArrayLike<number>): Distance {
  return {of, distance: kolmogorovDistance(recorded, fitted), recorded: mean(recorded), fitted: mean(fitted)};
}

function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum / values.length;
}

function turnsOf({sessions}: Drawn): number[] {
  const turns = new Map<number, number>();
  for (const session of sessions) turns.set(session, (turns.get(session) ?? 0) + 1);
  return [...turns.values()];
}

/** Seconds between requests, as long as recorded ones come: conversations that are drawn independently may go on for longer. Nothing where all come at one time. */
function arrivalDistance(theirs: Pick<Trace, 'times' | 'rows'>, ours: Drawn, fit: Fit): Distance[] {
  const end = fit.recorded.arrivals === null ? theirs.times[theirs.rows - 1] : Number.POSITIVE_INFINITY;
  const gaps = (times: Float64Array) => times.filter((time) => time <= end).map((time, i, all) => (i === 0 ? 0 : time - all[i - 1]) / 1e9);
  const recorded = gaps(theirs.times).subarray(1),
    fitted = gaps(ours.times).subarray(1);
  if (recorded.length === 0 || fitted.length === 0 || ties(theirs.times).step === 0) return [];
  return [distance('seconds between requests', recorded, fitted)];
}

type Accesses = Pick<Trace, 'rows' | 'offsets' | 'ids' | 'distinct'>;

function hitsBySize(theirs: Accesses, ours: Accesses): (Pair & {blocks: number | null})[] {
  const sizes = sizesBelow(theirs.distinct);
  const shares = (accesses: Accesses) => {
    const distances = reuseDistances(accesses);
    const hits = [...distances.within(sizes.map((size) => size - 1)), distances.total]; // a hit at distance d needs d + 1 blocks
    return hits.map((count) => count / Math.max(1, accesses.ids.length));
  };
  const recorded = shares(theirs),
    fitted = shares(ours);
  return [...sizes, null].map((blocks, i) => ({blocks, recorded: recorded[i], fitted: fitted[i]}));
}

/** 1, 3, 10, 30 …: the last seven below a number of blocks. */
function sizesBelow(distinct: number): number[] {
  const sizes: number[] = [];
  for (let decade = 1; decade < distinct; decade *= 10) sizes.push(decade, 3 * decade);
  return sizes.filter((size) => size < distinct).slice(-7);
}

function missingOf(trace: Trace, {groups}: Fit): Missing {
  const {offsets, ids, inputs, outputs} = trace;
  const prefix = new Int32Array(trace.rows).fill(-1); // of first prompts, in blocks
  let later = 0,
    dropped = 0;
  for (const {threads, prefixTokens} of groups) {
    for (const rows of threads) {
      prefix[rows[0]] = trace.blockSize === 0 ? 0 : prefixTokens / trace.blockSize;
      for (let i = 1; i < rows.length; i++, later++) if (inputs[rows[i]] < inputs[rows[i - 1]] + outputs[rows[i - 1]]) dropped++;
    }
  }
  const seen = new Uint8Array(trace.distinct);
  let branches = 0;
  for (let row = 0; row < trace.rows; row++) {
    const shared = prefix[row] < 0 ? Number.POSITIVE_INFINITY : prefix[row];
    const whole = trace.blockSize === 0 ? 0 : wholeBlocks(trace, row);
    for (let block = 0; block < offsets[row + 1] - offsets[row]; block++) {
      const id = ids[offsets[row] + block];
      if (seen[id] && block >= shared && block < whole) branches++;
      seen[id] = 1;
    }
  }
  return {branches: branches / Math.max(1, ids.length), dropped: later === 0 ? 0 : dropped / later};
}
