import {InputError} from '../core/errors.js';
import {Json} from './json.js';
import type {MeasuredRun, RecordedRequest, Spread} from './measured-run.js';
import {fileNamed, type MeasuredFiles, type MeasuredReader} from './reader.js';

const REQUESTS = /(^|\/)requests\.jsonl$/;
const META = /(^|\/)meta\.json$/;
const WORKLOAD = /\.blocks(\d+)\.jsonl$/;

/** One run of vLLM request by request, as LLMServingSim's recorder writes it: `requests.jsonl`, `meta.json`, and the prompts' block ids when `*.blocks16.jsonl` is there. */
export const vllmRequests: MeasuredReader = {
  description: 'requests.jsonl with meta.json of one vLLM run',
  matches: (files) => fileNamed(files, REQUESTS) !== null && fileNamed(files, META) !== null,
  read: (files) => {
    const [metaName, metaText] = fileNamed(files, META)!;
    const meta = Json.parse(metaText, metaName);
    const requests = requestsOf(files);
    return [runOf(meta, requests, blockTokensOf(files))];
  },
};

function runOf(meta: Json, requests: readonly RecordedRequest[], blockTokens: number): MeasuredRun {
  const kwargs = meta.at('engine_kwargs');
  const cache = meta.has('kv_cache') ? meta.at('kv_cache') : kwargs;
  const version = meta.at('vllm_version').text();
  const hardware = meta.at('hardware');
  return {
    id: `${hardware.at('device_name').text()} ${meta.at('model').text()}`,
    format: 'vllm-requests',
    engine: {preset: 'vllm', version, stated: `vLLM ${version}`},
    device: hardware.at('device_name').text(),
    model: meta.at('model').text(),
    settings: {
      tensor: kwargs.numberOrNull('tensor_parallel_size') ?? 1,
      maxNumSeqs: kwargs.numberOrNull('max_num_seqs'),
      maxNumBatchedTokens: kwargs.numberOrNull('max_num_batched_tokens'),
      maxModelLen: kwargs.numberOrNull('max_model_len'),
      gpuMemoryUtilization: cache.numberOrNull('gpu_memory_utilization'),
      prefixCache: cache.flagOrNull('enable_prefix_caching'),
      blockSize: cache.numberOrNull('block_size'),
      kvBlocks: cache.numberOrNull('num_gpu_blocks'),
    },
    traffic: {kind: 'recorded', requests, blockTokens},
    stages: [
      {
        name: `${requests.length} requests`,
        rate: null,
        requests: requests.length,
        ttft: spreadOf(requests.map(({ttft}) => ttft)),
        tpot: spreadOf(requests.filter(({output}) => output > 1).map(({ttft, e2e, output}) => (e2e - ttft) / (output - 1))),
        e2e: spreadOf(requests.map(({e2e}) => e2e)),
        mediansOnly: null,
      },
    ],
    observedAt: 'engine',
  };
}

/** Arrivals are of the wall clock, tokens of the engine's own: the request that was queued fastest is taken to have been queued at once. */
function requestsOf(files: MeasuredFiles): RecordedRequest[] {
  const [name, text] = fileNamed(files, REQUESTS)!;
  const rows = jsonLines(text, name).map((row) => ({
    arrival: row.at('arrival_time').number(),
    queued: row.at('queued_ts').number(),
    first: row.at('first_token_ts').number(),
    last: row.at('last_token_ts').number(),
    input: row.at('input_toks').number(),
    output: row.at('output_toks').number(),
  }));
  if (rows.length === 0) throw new InputError(`${name} holds no request`);
  const offset = rows.reduce((least, {arrival, queued}) => Math.min(least, queued - arrival), Number.POSITIVE_INFINITY);
  const ids = idsOf(files, rows.length);
  const start = rows.reduce((first, {arrival}) => Math.min(first, arrival), Number.POSITIVE_INFINITY);
  return rows
    .map(({arrival, first, last, input, output}, i) => ({
      arrival: arrival - start,
      input,
      output,
      ids: ids[i] ?? [],
      ttft: first - (arrival + offset),
      e2e: last - (arrival + offset),
    }))
    .sort((a, b) => a.arrival - b.arrival);
}

function idsOf(files: MeasuredFiles, count: number): (readonly (readonly [number, number])[])[] {
  const workload = fileNamed(files, WORKLOAD);
  if (workload === null) return [];
  const rows = jsonLines(workload[1], workload[0]);
  if (rows.length !== count)
    throw new InputError(`${workload[0]} has ${rows.length} rows, the run ${count} requests; they belong together`);
  return rows.map((row) =>
    row
      .at('h')
      .items()
      .map((run) => {
        const [base, length] = run.items();
        return [base.number(), length.number()] as const;
      }),
  );
}

function blockTokensOf(files: MeasuredFiles): number {
  const workload = fileNamed(files, WORKLOAD);
  return workload === null ? 0 : Number(WORKLOAD.exec(workload[0])![1]);
}

function jsonLines(text: string, name: string): Json[] {
  return text
    .split('\n')
    .map((line, i) => [line.trim(), i + 1] as const)
    .filter(([line]) => line !== '')
    .map(([line, number]) => Json.parse(line, `${name}:${number}`));
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = Float64Array.from(values).sort();
  const at = (p: number) => {
    const rank = (sorted.length - 1) * p;
    const below = Math.floor(rank);
    return sorted[below] + (rank - below) * (sorted[Math.min(below + 1, sorted.length - 1)] - sorted[below]);
  };
  const points = [0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1].map((p) => [p, at(p)] as const);
  return {mean: values.reduce((sum, value) => sum + value, 0) / values.length, median: at(0.5), points};
}
