import type {Stretch} from '../../src/models/cost/scaled.js';
import type {EngineProfile} from '../../src/models/engines/engine.js';
import type {MeasuredRun, MeasuredStage} from '../../src/sim/measured/measured-run.js';
import {type LatencyName, latencySeries} from '../../src/sim/metrics/latency.js';
import {mean, quantile} from '../../src/sim/metrics/quantiles.js';
import type {RequestColumns} from '../../src/sim/metrics/record.js';
import {planMemory} from '../../src/sim/scenario/plan.js';
import type {Scenario} from '../../src/sim/scenario/scenario.js';
import {simulate} from '../../src/sim/scenario/simulate.js';
import {measuredTrace} from './traffic.js';

/** Latencies that are compared. */
export const metrics = ['ttft', 'tpot', 'e2e'] as const;
export type Metric = (typeof metrics)[number];

/** One predicted figure beside the measured one, seconds. */
export interface Comparison {
  readonly run: string;
  readonly stage: string;
  readonly metric: Metric;
  readonly statistic: 'mean' | 'median';
  readonly measured: number;
  readonly predicted: number;
}

export interface PredictOptions {
  /** Requests of each stage that are simulated; all when not said. */
  readonly limit?: number;
  /** Stretches every step. */
  readonly costScale?: number;
  /** Stretches one cost term of every step. */
  readonly stretch?: Stretch;
}

/** What the simulator says of a run, request by request in order of arrival, and the same by stage. */
export interface RunPrediction {
  readonly comparisons: readonly Comparison[];
  readonly requests: RequestColumns;
  /** Row of `requests` for each request sent, in order. */
  readonly rowOf: Int32Array;
  /** Seconds of the steps by cost term. */
  readonly termSeconds: Float64Array;
}

/** Simulates a measured run. Where the run was observed inside the engine, receiving and delivering take no time. */
export function predictRun(scenario: Scenario, run: MeasuredRun, {limit, costScale, stretch}: PredictOptions = {}): RunPrediction {
  const {trace, stages} = measuredTrace(run, scenario.kv.blockSize, limit === undefined ? {} : {limit});
  const engine = run.observedAt === 'engine' ? insideEngine(scenario.engine) : scenario.engine;
  const served: Scenario = {...scenario, engine, workload: {kind: 'replay', arrivals: null, trace}, run: {...scenario.run, requests: null}};
  const {requests, counters} = simulate(served, planMemory(served), {
    replication: 0,
    ...(costScale === undefined ? {} : {costScale}),
    ...(stretch === undefined ? {} : {stretch}),
  });
  const rowOf = new Int32Array(trace.rows).fill(-1);
  for (let row = 0; row < requests.rows; row++) rowOf[requests.id[row]] = row;
  return {
    comparisons: stages.flatMap(({from, to}, i) => compareStage(run.id, run.stages[i], requests, rowOf.subarray(from, to))),
    requests,
    rowOf,
    termSeconds: counters.termSeconds,
  };
}

function insideEngine(engine: EngineProfile): EngineProfile {
  const none = {value: 0, grade: 'assumed', source: 'observed inside the engine'} as const;
  return {...engine, overhead: {...engine.overhead, request: none, delivery: none}};
}

const series: Readonly<Record<Metric, LatencyName>> = {ttft: 'ttft_s', tpot: 'tpot_s', e2e: 'e2e_s'};

function compareStage(run: string, stage: MeasuredStage, requests: RequestColumns, rows: Int32Array): Comparison[] {
  return metrics.flatMap((metric) => {
    const measured = stage[metric];
    const values = latencySeries(requests, rows, series[metric]);
    const base = {run, stage: stage.name, metric};
    const median: Comparison[] =
      measured.median === undefined ? [] : [{...base, statistic: 'median', measured: measured.median, predicted: quantile(values, 0.5)}];
    return stage.mediansOnly === null
      ? [{...base, statistic: 'mean', measured: measured.mean, predicted: mean(values)}, ...median]
      : median;
  });
}
