import type {MetricName} from './result.js';

/** What a figure of `result.json` means. */
export interface MetricDefinition {
  readonly unit: string;
  readonly definition: string;
  /** Who defines it so. */
  readonly source: string;
}

type Listed =
  | MetricName
  | 'requests_per_s'
  | 'output_tokens_per_s'
  | 'goodput_requests_per_s'
  | 'mfu_share'
  | 'mbu_share'
  | 'attainment'
  | 'rho';

/** Definitions in one line each; docs/metrics.md has them in full. */
export const metricDefinitions: Readonly<Record<Listed, MetricDefinition>> = {
  ttft_s: {
    unit: 's',
    definition: 'time to first token: first output token − arrival, queue included',
    source: 'kubernetes-sigs/inference-perf docs/metrics.md; genai-perf',
  },
  ttft_server_s: {
    unit: 's',
    definition: 'first output token − first time in a step, queue excluded',
    source: 'LLMServingSim docs/reading-output',
  },
  tpot_s: {
    unit: 's',
    definition: 'time per output token: (E2E − TTFT) / (output tokens − 1); none with one output token',
    source: 'vLLM vllm/benchmarks/serve.py',
  },
  itl_s: {
    unit: 's',
    definition:
      'inter-token latency: every gap between two consecutive tokens of a request, as its client sees it; each gap weighs the same',
    source: 'kubernetes-sigs/inference-perf; genai-perf, but per token',
  },
  e2e_s: {unit: 's', definition: 'last output token − arrival', source: 'vLLM vllm/benchmarks/serve.py'},
  session_s: {
    unit: 's',
    definition: 'first arrival of a session to its last token, thinking included; of sessions that were measured whole and finished',
    source: 'tiercast',
  },
  queue_s: {unit: 's', definition: 'first time in a step − arrival', source: 'microsoft/vidur docs/metrics.md'},
  load_s: {
    unit: 's',
    definition: 'time that blocks from memories below took to load, before the request could run; of requests that loaded some',
    source: 'tiercast',
  },
  normalised_latency_s: {unit: 's', definition: 'E2E / output tokens', source: 'kubernetes-sigs/inference-perf; microsoft/vidur'},
  requests_per_s: {unit: '1/s', definition: 'finished measured requests / measured time', source: 'vLLM vllm/benchmarks/serve.py'},
  output_tokens_per_s: {
    unit: 'tok/s',
    definition: 'output tokens of finished measured requests / measured time',
    source: 'genai-perf; vLLM',
  },
  goodput_requests_per_s: {
    unit: '1/s',
    definition: 'requests that finished within all goals / measured time',
    source: 'vLLM request_goodput; genai-perf docs/goodput.md',
  },
  mfu_share: {
    unit: '0–1',
    definition: 'FLOP of all steps / (busy seconds × dense peak × devices)',
    source: 'microsoft/vidur docs/metrics.md, with 10^12',
  },
  mbu_share: {
    unit: '0–1',
    definition: 'bytes through device memory / (busy seconds × datasheet bandwidth × devices)',
    source: 'zdszero.github.io Metrics, over all steps',
  },
  attainment: {
    unit: '0–1',
    definition: 'measured requests that finished within all goals / measured requests',
    source: 'genai-perf; DistServe',
  },
  rho: {
    unit: '1',
    definition: 'work asked for / time available: ≥ 1 means that the queue grows for ever',
    source: 'queueing theory; docs/metrics.md says how it is estimated',
  },
};
