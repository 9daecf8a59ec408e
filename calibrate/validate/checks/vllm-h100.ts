import type {MeasuredRun} from '../../../src/sim/measured/measured-run.js';
import {deploymentOf} from '../../engine-fit/deployment.js';
import type {ValidationCheck} from '../check.js';
import {type Pair, type RowLabel, rowOf, type ValidationRow} from '../row.js';
import {type Interval80, pairsOf, predictWithInterval} from '../serve.js';

const FILE = 'e2e/vllm_h100/experiments.json';

/** The stages that the constants of the vLLM preset were fitted to: src/models/engines/vllm.ts. */
const FITTED = ['llama-2-7b@', '70b-tp4-general@8'];
const SAYS = 'engine: four Llama-2-7B stages and one 70B stage';

/** Six vLLM runs on H100 at eleven loads: those that the engine was fitted to, and by model the others. */
export const vllmH100: ValidationCheck = {
  name: 'vLLM on H100',
  needs: [FILE],
  run: async (data, distortion) => {
    const all: {run: MeasuredRun; fitted: boolean; comparisons: Interval80[]}[] = [];
    for (const run of data.runs(FILE)) {
      const {comparisons} = predictWithInterval(await deploymentOf(run), run, distortion);
      for (const {name} of run.stages) {
        all.push({run, fitted: wasFitted(run, name), comparisons: comparisons.filter(({stage}) => stage === name)});
      }
    }
    const rows: ValidationRow[] = [];
    for (const model of [...new Set(all.map(({run}) => run.model))]) {
      for (const fitted of [true, false]) {
        const stages = all.filter((one) => one.run.model === model && one.fitted === fitted);
        if (stages.length > 0) rows.push(...modelRows(model, fitted, stages));
      }
    }
    return rows;
  },
};

function wasFitted(run: MeasuredRun, stage: string): boolean {
  return FITTED.some((word) => {
    const [id, begins] = word.split('@');
    return run.id.includes(id) && stage.startsWith(begins);
  });
}

function modelRows(
  model: string,
  fitted: boolean,
  stages: readonly {run: MeasuredRun; comparisons: readonly Interval80[]}[],
): ValidationRow[] {
  const [{run}] = stages;
  const devices = run.settings.tensor === 1 ? '' : ` × ${run.settings.tensor}`;
  const label = (metric: string, most: number): RowLabel => ({
    section: 'serving',
    subject: `vLLM, ${model.split('/').at(-1)}, H100${devices}`,
    metric,
    fitted: fitted ? 'engine: these stages' : SAYS,
    target: fitted ? null : {statistic: 'mean', most},
  });
  const of = (metric: string, statistic: string): Pair[] =>
    stages.flatMap(({comparisons}) => pairsOf(comparisons.filter((one) => one.metric === metric && one.statistic === statistic)));
  // A stage that is no steady state is judged by its medians, and has no median of TPOT.
  const e2e = stages.flatMap(({comparisons}) => pairsOf(mainOf(comparisons)));
  return [
    rowOf(label('E2E', 0.08), e2e),
    rowOf(label('TPOT', 0.08), of('tpot', 'mean')),
    rowOf(label('TTFT median', 0.15), of('ttft', 'median')),
    rowOf(label('TTFT mean', 0.25), of('ttft', 'mean')),
  ];
}

function mainOf(comparisons: readonly Interval80[]): Interval80[] {
  const e2e = comparisons.filter(({metric}) => metric === 'e2e');
  const means = e2e.filter(({statistic}) => statistic === 'mean');
  return means.length > 0 ? means : e2e;
}
