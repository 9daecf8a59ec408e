import {dtypes, type Flag, type Flags, named, type Refused, same, text} from './flag.js';

/** vLLM's own flags (`vllm serve --help`, underscores for dashes) that map onto keys; every other flag is refused by name. */
export const vllmFlags: Readonly<Record<string, Flag>> = {
  block_size: same('kv.block_size'),
  dtype: named('model.activation_dtype', dtypes),
  enable_chunked_prefill: same('scheduler.chunked_prefill'),
  enable_expert_parallel: {paths: ['engine.parallel.expert'], values: (written, flags) => expertParallel(written, flags)},
  enable_prefix_caching: same('kv.prefix_cache'),
  gpu_memory_utilization: same('engine.gpu_memory_utilization'),
  kv_cache_dtype: text('kv.dtype'),
  long_prefill_token_threshold: same('scheduler.long_prefill_token_threshold'),
  max_model_len: same('engine.max_model_len'),
  max_num_batched_tokens: same('scheduler.max_num_batched_tokens'),
  max_num_seqs: same('scheduler.max_num_seqs'),
  num_gpu_blocks_override: same('kv.blocks'),
  prefill_schedule_interval: same('scheduler.prefill_interval'),
  quantization: text('model.quantization.default'),
  scheduling_policy: named('scheduler.policy.policy', {fcfs: 'fcfs', priority: 'priority'}),
  tensor_parallel_size: same('engine.parallel.tensor'),
  watermark: {paths: ['scheduler.admission.policy', 'scheduler.admission.share'], values: (written) => keptFree(written)},
};

/** Experts are spread over all devices. */
function expertParallel(written: unknown, {tensor_parallel_size: size}: Flags): [number | null] | Refused | undefined {
  if (written === false) return [null];
  if (written !== true) return undefined;
  return typeof size === 'number'
    ? [size]
    : {refused: 'how many devices there are is not said beside it: write tensor_parallel_size here, or engine.parallel.expert'};
}

/** A share of the blocks that stays free when a request is admitted. */
function keptFree(written: unknown): ['none', null] | ['kv-pressure', number] | undefined {
  if (typeof written !== 'number' || written < 0 || written > 1) return undefined;
  return written === 0 ? ['none', null] : ['kv-pressure', 1 - written];
}
