type Spread = Readonly<Record<string, number>>;

/** One inference-perf experiment with one stage; `changed` replaces spreads of the stage. */
export function experiment(changed: Readonly<Record<string, Spread>> = {}) {
  return {
    id: 'toy',
    engine: 'vLLM (V1, prefix caching on)',
    gpu: 'H100 SXM 80 GB',
    server: {
      model: 'meta-llama/Llama-2-7b-hf',
      tensor_parallelism: 2,
      max_model_len: 4096,
      max_num_batched_tokens: 2048,
      max_num_seqs: 128,
    },
    workload: {num_groups: 2, num_prompts_per_group: 3, system_prompt_len: 32, question_len: 30, output_len: 11},
    stages: [
      {
        rate_rps: 4,
        requests: 240,
        prompt_tokens: {mean: 65, min: 60, median: 65, max: 70},
        ttft_s: {mean: 0.02, median: 0.019},
        e2e_s: {mean: 0.52, median: 0.51},
        ...changed,
      },
    ],
  };
}

/** Two requests of one vLLM run, with the block ids of their prompts. */
export function requestFiles(): Map<string, string> {
  const meta = {
    model: 'meta-llama/Llama-3.1-8B',
    vllm_version: '0.19.0',
    engine_kwargs: {tensor_parallel_size: 1, max_num_seqs: 256, max_num_batched_tokens: 2048, max_model_len: 32768},
    kv_cache: {num_gpu_blocks: 2588, block_size: 16, gpu_memory_utilization: 0.9, enable_prefix_caching: true},
    hardware: {device_name: 'NVIDIA GeForce RTX 4090'},
  };
  const requests = [
    {input_toks: 40, output_toks: 3, arrival_time: 1000, queued_ts: 100, first_token_ts: 100.1, last_token_ts: 100.2},
    {input_toks: 33, output_toks: 1, arrival_time: 1000.5, queued_ts: 100.505, first_token_ts: 100.605, last_token_ts: 100.605},
  ];
  const lines = (rows: readonly unknown[]) => `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`;
  return new Map([
    ['meta.json', JSON.stringify(meta)],
    ['requests.jsonl', lines(requests)],
    [
      'w.blocks16.jsonl',
      lines([
        {h: [[1, 2]]},
        {
          h: [
            [1, 1],
            [3, 1],
          ],
        },
      ]),
    ],
  ]);
}
