import {stream} from '../../src/sim/core/random.js';
import {
  type MeasuredRun,
  type MeasuredStage,
  type RecordedRequests,
  type RepeatedPrompts,
  spreadAt,
} from '../../src/sim/measured/measured-run.js';
import type {Trace} from '../../src/sim/traces/trace.js';

/** What was sent in a measured run, as a trace to replay; rows [from, to) belong to one stage. */
export interface MeasuredTrace {
  readonly trace: Trace;
  readonly stages: readonly {readonly from: number; readonly to: number}[];
}

/** Silence between two stages, seconds: the last requests of one are over before the next begins. */
const PAUSE = 60;

/** Makes the trace of a run. Of each stage at most `limit` requests are sent; the same seed sends them at the same times. */
export function measuredTrace(run: MeasuredRun, blockTokens: number, {limit = Number.POSITIVE_INFINITY, seed = 1} = {}): MeasuredTrace {
  return run.traffic.kind === 'recorded' ? recorded(run.traffic, limit) : repeated(run.traffic, run.stages, blockTokens, limit, seed);
}

/**
 * Stages of repeated prompts, one after the other.
 *
 * inference-perf's constant load draws exponential gaps and scales them so that the requests fill the stage exactly (inference_perf/loadgen/load_timer.py): the rate is constant, the gaps are not.
 */
function repeated(
  prompts: RepeatedPrompts,
  stages: readonly MeasuredStage[],
  blockTokens: number,
  limit: number,
  seed: number,
): MeasuredTrace {
  const random = stream(seed, 'calibrate/arrivals');
  const times: number[] = [];
  const bounds: {from: number; to: number}[] = [];
  let start = 0;
  for (const {rate, requests} of stages) {
    const count = Math.min(requests, limit);
    const gaps = Array.from({length: count}, () => -Math.log(1 - random()));
    const scale = count / rate! / gaps.reduce((sum, gap) => sum + gap, 0);
    bounds.push({from: times.length, to: times.length + count});
    for (const gap of gaps) times.push(Math.round((start += gap * scale) * 1e9));
    start += PAUSE;
  }
  const {lengths, ids, distinct} = promptSet(prompts, blockTokens);
  const rows = times.map((_, row) => row % lengths.length);
  return {
    trace: {
      ...columns(
        times,
        rows.map((prompt) => lengths[prompt]),
        rows.map(() => prompts.outputTokens),
      ),
      ...chains(rows.map((prompt) => ids[prompt])),
      blockSize: blockTokens,
      distinct,
    },
    stages: bounds,
  };
}

/** The distinct prompts: lengths at even shares of the measured spread, and block ids that a group shares as far as its system prompt goes. */
function promptSet({groups, promptsPerGroup, systemTokens, promptTokens}: RepeatedPrompts, blockTokens: number) {
  const count = groups * promptsPerGroup;
  const lengths: number[] = [];
  const ids: number[][] = [];
  const shared = Math.floor(systemTokens / blockTokens);
  let next = groups * shared;
  for (let prompt = 0; prompt < count; prompt++) {
    const length = Math.round(spreadAt(promptTokens, (prompt + 0.5) / count));
    const group = prompt % groups;
    const own = Math.max(0, Math.floor(length / blockTokens) - shared);
    lengths.push(length);
    ids.push([...range(group * shared, shared), ...range(next, own)]);
    next += own;
  }
  return {lengths, ids, distinct: next};
}

function recorded({requests, blockTokens}: RecordedRequests, limit: number): MeasuredTrace {
  const rows = requests.slice(0, limit);
  const ids = rows.map((row) => row.ids.flatMap(([base, count]) => range(base, count)));
  return {
    trace: {
      ...columns(
        rows.map(({arrival}) => Math.round(arrival * 1e9)),
        rows.map(({input}) => input),
        rows.map(({output}) => output),
      ),
      ...chains(ids),
      blockSize: blockTokens,
      distinct: ids.flat().reduce((most, id) => Math.max(most, id + 1), 0),
    },
    stages: [{from: 0, to: rows.length}],
  };
}

function columns(times: number[], inputs: number[], outputs: number[]) {
  return {
    format: 'measured',
    rows: times.length,
    times: Float64Array.from(times),
    inputs: Int32Array.from(inputs),
    outputs: Int32Array.from(outputs),
    sessions: null,
    gaps: null,
    kinds: null,
    notes: [],
  };
}

function chains(ids: readonly (readonly number[])[]): Pick<Trace, 'offsets' | 'ids'> {
  const offsets = new Int32Array(ids.length + 1);
  for (let row = 0; row < ids.length; row++) offsets[row + 1] = offsets[row] + ids[row].length;
  return {offsets, ids: Int32Array.from(ids.flat())};
}

function range(base: number, count: number): number[] {
  return Array.from({length: count}, (_, i) => base + i);
}
