/** A flag of vLLM, and the key that says the same. */
interface Mapped {
  readonly path: string;
  /** The key's value for the flag's, when the words differ; undefined when the flag's value has no counterpart. */
  readonly value?: (written: unknown) => string | number | boolean | undefined;
}

const dtypes: Readonly<Record<string, string>> = {bfloat16: 'bf16', float16: 'fp16', half: 'fp16', float32: 'fp32', float: 'fp32'};

/** vLLM's own flags (`vllm serve --help`, underscores for dashes) that map onto keys; every other flag is refused by name. */
export const vllmArgs: Readonly<Record<string, Mapped>> = {
  block_size: {path: 'kv.block_size'},
  dtype: {path: 'model.activation_dtype', value: (written) => dtypes[String(written)]},
  enable_chunked_prefill: {path: 'scheduler.chunked_prefill'},
  enable_prefix_caching: {path: 'kv.prefix_cache'},
  gpu_memory_utilization: {path: 'engine.gpu_memory_utilization'},
  kv_cache_dtype: {path: 'kv.dtype', value: (written) => String(written)},
  long_prefill_token_threshold: {path: 'scheduler.long_prefill_token_threshold'},
  max_model_len: {path: 'engine.max_model_len'},
  max_num_batched_tokens: {path: 'scheduler.max_num_batched_tokens'},
  max_num_seqs: {path: 'scheduler.max_num_seqs'},
  num_gpu_blocks_override: {path: 'kv.blocks'},
  quantization: {path: 'model.quantization.default', value: (written) => String(written)},
  tensor_parallel_size: {path: 'engine.parallel.tensor'},
};
