import type {MeasuredRun, RecordedRequests} from '../../../src/sim/measured/measured-run.js';
import {planMemory} from '../../../src/sim/scenario/plan.js';
import type {Scenario} from '../../../src/sim/scenario/scenario.js';
import {deploymentOf} from '../../engine-fit/deployment.js';
import type {RunPrediction} from '../../engine-fit/predict.js';
import type {Distortion, ValidationCheck} from '../check.js';
import {type Pair, type RowLabel, rowOf, type ValidationRow} from '../row.js';
import {pairsOf, predictWithInterval} from '../serve.js';

const FOLDER = 'e2e/vllm_runs/RTX4090/Llama-3.1-8B/vllm';

/** One vLLM run on an RTX 4090, overloaded, request by request: with the recorded number of KV blocks, and with the derived one. */
export const vllmRtx4090: ValidationCheck = {
  name: 'vLLM on RTX 4090',
  needs: [FOLDER],
  run: async (data, distortion) => {
    const [run] = data.runs(FOLDER);
    const scenario = await deploymentOf(run);
    const derived: Scenario = {...scenario, kv: {...scenario.kv, blocks: null}};
    const blocks = planMemory(derived);
    const note = `${blocks.derivedBlocks} blocks derived, ${run.settings.kvBlocks} recorded`;
    return [
      ...runRows(run, scenario, 'recorded block count', distortion),
      ...runRows(run, derived, 'derived block count', distortion).map((row) => ({...row, target: null, note: row.note ?? note})),
      rowOf({...label('KV blocks', 'derived'), note: null}, [{measured: run.settings.kvBlocks!, predicted: blocks.derivedBlocks}]),
    ];
  },
};

function label(metric: string, which: string): RowLabel {
  return {
    section: 'serving',
    subject: `vLLM 0.19, Llama-3.1-8B, RTX 4090, ${which}`,
    metric,
    fitted: 'engine: H100 runs; kernels: tables of this GPU',
  };
}

function runRows(run: MeasuredRun, scenario: Scenario, which: string, distortion: Distortion | null): ValidationRow[] {
  const {comparisons, prediction} = predictWithInterval(scenario, run, distortion);
  const targets = {tpot: 0.02, e2e: 0.03, ttft: 0.05} as const;
  const means = (Object.keys(targets) as (keyof typeof targets)[]).map((metric) =>
    rowOf(
      {...label(`${metric.toUpperCase()} mean`, which), target: {statistic: 'mean', most: targets[metric]}},
      pairsOf(comparisons.filter((one) => one.metric === metric && one.statistic === 'mean')),
    ),
  );
  const each = perRequest(run, prediction);
  return [...means, ...Object.entries(each).map(([metric, pairs]) => rowOf(label(`${metric} of each request`, which), pairs))];
}

function perRequest(run: MeasuredRun, {requests: r, rowOf: rows}: RunPrediction): Record<string, Pair[]> {
  const traffic = run.traffic as RecordedRequests;
  const pair = (measured: number, ns: number): Pair => ({measured, predicted: ns / 1e9});
  const at = traffic.requests.map((request, i) => ({request, row: rows[i]}));
  return {
    TTFT: at.map(({request, row}) => pair(request.ttft, r.firstToken[row] - r.arrival[row])),
    E2E: at.map(({request, row}) => pair(request.e2e, r.finished[row] - r.arrival[row])),
    TPOT: at
      .filter(({request}) => request.output > 1)
      .map(({request, row}) =>
        pair((request.e2e - request.ttft) / (request.output - 1), (r.finished[row] - r.firstToken[row]) / (r.output[row] - 1)),
      ),
  };
}
