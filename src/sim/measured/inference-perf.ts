import {InputError} from '../core/errors.js';
import {Json} from './json.js';
import type {MeasuredRun, MeasuredStage, RepeatedPrompts, Spread} from './measured-run.js';
import type {MeasuredReader} from './reader.js';

/**
 * Load stages of kubernetes-sigs/inference-perf with its shared-prefix generator, one object an experiment: server flags, workload, and percentiles of TTFT and E2E.
 *
 * The generator sends its prompts in turn and at equal gaps, and forces the output length, so `output_tokens` (text tokenised again) is not used.
 */
export const inferencePerf: MeasuredReader = {
  description: 'inference-perf stages with server flags (a list of experiments)',
  matches: (files) => [...files.values()].some((text) => text.trimStart().startsWith('[') && text.includes('"stages"')),
  read: (files) =>
    [...files].flatMap(([name, text]) =>
      Json.parse(text, name)
        .items()
        .map((experiment) => runOf(experiment)),
    ),
};

function runOf(experiment: Json): MeasuredRun {
  const server = experiment.at('server');
  const stated = experiment.at('engine').text();
  return {
    id: experiment.at('id').text(),
    format: 'inference-perf',
    engine: {preset: presetOf(stated), version: /\bv?(\d+\.\d+(\.\d+)?)\b/.exec(stated)?.[1] ?? null, stated},
    device: experiment.at('gpu').text(),
    model: server.at('model').text(),
    settings: {
      tensor: server.at('tensor_parallelism').number(),
      maxNumSeqs: server.numberOrNull('max_num_seqs'),
      maxNumBatchedTokens: server.numberOrNull('max_num_batched_tokens'),
      maxModelLen: server.numberOrNull('max_model_len'),
      gpuMemoryUtilization: server.numberOrNull('gpu_memory_utilization'),
      prefixCache: /prefix caching on/.test(stated) ? true : null,
      blockSize: server.numberOrNull('block_size'),
      kvBlocks: server.numberOrNull('num_gpu_blocks'),
    },
    traffic: trafficOf(experiment),
    stages: experiment
      .at('stages')
      .items()
      .map((stage) => stageOf(stage, experiment.at('workload').at('output_len').number())),
    observedAt: 'client',
  };
}

function presetOf(stated: string): string {
  const known = ['vllm', 'sglang'].find((name) => stated.toLowerCase().startsWith(name));
  if (known === undefined) throw new InputError(`engine: "${stated}" is no engine that is known; known: vllm, sglang`);
  return known;
}

function trafficOf(experiment: Json): RepeatedPrompts {
  const workload = experiment.at('workload');
  const [first] = experiment.at('stages').items();
  return {
    kind: 'repeated-prompts',
    groups: workload.at('num_groups').number(),
    promptsPerGroup: workload.at('num_prompts_per_group').number(),
    systemTokens: workload.at('system_prompt_len').number(),
    promptTokens: spreadOf(first.at('prompt_tokens')),
    outputTokens: workload.at('output_len').number(),
  };
}

function stageOf(stage: Json, output: number): MeasuredStage {
  const ttft = spreadOf(stage.at('ttft_s'));
  const e2e = spreadOf(stage.at('e2e_s'));
  const rate = stage.at('rate_rps').number();
  return {
    name: `${rate} req/s`,
    rate,
    requests: stage.at('requests').number(),
    ttft,
    tpot: {mean: (e2e.mean - ttft.mean) / (output - 1)},
    e2e,
    mediansOnly: transient(ttft, e2e),
  };
}

/** A slow tail of first tokens that the end-to-end times' own median does not know: the start-up of a stage, and no steady state. */
const TRANSIENT = 0.5;

function transient(ttft: Spread, e2e: Spread): string | null {
  const excess = ttft.mean / ttft.median - 1;
  if (excess <= TRANSIENT || e2e.mean / e2e.median - 1 > TRANSIENT) return null;
  return `start-up transient: mean TTFT is ${Math.round(excess * 100)} % above its median`;
}

const shares: readonly (readonly [string, number])[] = [
  ['min', 0],
  ['p5', 0.05],
  ['p10', 0.1],
  ['p25', 0.25],
  ['median', 0.5],
  ['p75', 0.75],
  ['p90', 0.9],
  ['p95', 0.95],
  ['p99', 0.99],
  ['max', 1],
];

function spreadOf(spread: Json): Spread {
  const points = shares.filter(([key]) => spread.has(key)).map(([key, share]) => [share, spread.at(key).number()] as const);
  return {mean: spread.at('mean').number(), median: spread.at('median').number(), points};
}
