import {keys, nothing, type OffloadPreset, only, set} from './offload.js';

/** llama-server's host prompt cache: what leaves a slot goes to host memory, comes back by moving out, and the oldest goes first (FORMATS §8.5). */
export const llamaServer: OffloadPreset = {
  about: "llama-server's host prompt cache: written when it leaves, moved back on a hit, oldest out first",
  source: 'github:ggml-org/llama.cpp common/arg.cpp, tools/server/server-{context,task}.cpp (fork, 69d8e4b)',
  knobs: {
    cache_ram: {
      takes: 'number',
      default: 8192,
      becomes: (mib) => {
        if (mib === 0) return nothing('no host memory');
        return keys(set('kv.tiers.dram.capacity', mib === -1 ? 'rest' : `${mib} MiB`));
      },
    },
    cache_reuse: only('number', 0, 'KV is not shifted to other positions'),
    ctx_checkpoints: only('number', 32, 'checkpoints of windowed and recurrent layers are not simulated'),
    checkpoint_every_n_tokens: only('number', 8192, 'checkpoints of windowed and recurrent layers are not simulated'),
    slot_prompt_similarity: only('number', 0.1, 'blocks are found by their prefix, not by slot'),
    no_kv_offload: only('flag', false, 'attention on the CPU is not simulated'),
  },
  always: [
    set('kv.tiers.dram.eviction.policy', 'fifo'),
    set('kv.tiers.dram.write.policy', 'back'),
    set('kv.tiers.dram.inclusive', false),
    set('kv.load.policy', 'always'),
    set('kv.overlap', 'none'),
  ],
  leftOut: [
    'a prompt moves as a whole when its slot is taken; here its blocks move when HBM needs room, tail first',
    'a prompt comes back only where at least a quarter of it is of use; here whatever matches does',
    'states in host memory that are the beginning of a newer one are removed; here equal blocks are kept once',
  ],
  unused(memory, {values}) {
    if (memory === 'dram') return values.cache_ram === 0 ? 'cache_ram is 0' : null;
    return 'llama-server has host memory only';
  },
};
