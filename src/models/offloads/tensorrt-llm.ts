import {idle, keys, nothing, type OffloadPreset, only, refused, set} from './offload.js';

/** What every block has that no retention rule names. */
const PRIORITY = 35;

/** TensorRT-LLM's KV cache manager: blocks are copied to host memory when they leave the device, and moved back (FORMATS §8.4). */
export const tensorrtLlm: OffloadPreset = {
  about: "TensorRT-LLM's block reuse: write-back to host memory on eviction, moved back on a hit",
  source: 'github:NVIDIA/TensorRT-LLM tensorrt_llm/llmapi/llm_args.py, docs on KV cache reuse (one commit)',
  knobs: {
    enable_block_reuse: {takes: 'flag', default: true, becomes: (on) => keys(set('kv.prefix_cache', Boolean(on)))},
    enable_partial_reuse: idle('flag', true, 'whole blocks are reused, see what differs'),
    copy_on_partial_reuse: idle('flag', true, 'whole blocks are reused'),
    tokens_per_block: {takes: 'count', default: 32, becomes: (tokens) => keys(set('kv.block_size', Number(tokens)))},
    host_cache_size: {
      takes: 'number',
      default: 0,
      becomes: (bytes, {ranks}) =>
        bytes === 0 ? nothing('no host memory') : keys(set('kv.tiers.dram.capacity', `${Number(bytes) * ranks} B`)),
    },
    onboard_blocks: only('flag', true, 'attention reads KV from HBM only here'),
    secondary_offload_min_priority: {
      takes: 'count',
      default: PRIORITY,
      becomes: (least) =>
        Number(least) > PRIORITY
          ? refused(`every block has priority ${PRIORITY} here, so none would be kept; leave host_cache_size at 0`)
          : keys(set('kv.tiers.dram.write.policy', 'back')),
    },
    free_gpu_memory_fraction: only(
      'number',
      0.9,
      'it is of what weights leave; engine.gpu_memory_utilization is of all, kv.tiers.hbm.capacity in bytes',
    ),
    max_tokens: only('count', null, 'write kv.tiers.hbm.capacity'),
    max_attention_window: only('list', null, 'windows are those of the model'),
    sink_token_length: only('count', null, 'tokens that stay whatever the window are not simulated'),
    event_buffer_max_size: idle('number', 0, 'events take no time here'),
    dtype: only('text', 'auto', 'write kv.dtype'),
    use_kv_cache_manager_v2: only('text', 'auto', 'the rules are those of the first manager'),
  },
  always: [
    set('kv.tiers.dram.inclusive', false),
    set('kv.tiers.hbm.eviction.policy', 'lru'),
    set('kv.tiers.dram.eviction.policy', 'lru'),
    set('kv.load.policy', 'always'),
    set('kv.overlap', 'none'),
  ],
  leftOut: [
    'part of a block is reused too (enable_partial_reuse); here whole blocks are',
    'retention rules give ranges of a prompt a priority; here all blocks have 35, so the order is that of use',
    'leaves of the radix tree go first; here a chain goes tail first, which is the same but for blocks in use',
    'engine.gpu_memory_utilization is the share of all memory; free_gpu_memory_fraction, 0.9, is of what weights leave',
  ],
  unused(memory, {values}) {
    if (memory === 'dram') return values.host_cache_size === 0 ? 'host_cache_size is 0' : null;
    return 'TensorRT-LLM has host memory only';
  },
};
