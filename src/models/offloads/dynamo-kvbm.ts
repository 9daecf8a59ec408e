import {type Knob, keys, nothing, type OffloadPreset, only, refused, set} from './offload.js';

const overridden: Knob = only('count', null, 'write the bytes, DYN_KVBM_CPU_CACHE_GB or DYN_KVBM_DISK_CACHE_GB');

/** Dynamo's KV block manager: written through to host memory, to disk once a block was asked for again (FORMATS §8.7). */
export const dynamoKvbm: OffloadPreset = {
  about: "Dynamo's KV block manager: write-through to host memory, to disk what was used again",
  source: 'github:ai-dynamo/dynamo docs (KVBM); GB read as 1e9 over all workers, which the documents do not say',
  knobs: {
    DYN_KVBM_CPU_CACHE_GB: {
      takes: 'number',
      default: 0,
      becomes: (gb) => {
        if (gb === 0) return nothing('no host memory');
        return keys(set('kv.tiers.dram.capacity', `${gb} GB`), set('kv.tiers.dram.write.policy', 'through'));
      },
    },
    DYN_KVBM_DISK_CACHE_GB: {
      takes: 'number',
      default: 0,
      becomes: (gb, {values}) => {
        if (gb === 0) return nothing('no disk');
        if (values.DYN_KVBM_CPU_CACHE_GB === 0)
          return refused('a disk without host memory above it (experimental in Dynamo) is not simulated');
        return keys(set('kv.tiers.ssd.capacity', `${gb} GB`));
      },
    },
    DYN_KVBM_CPU_CACHE_OVERRIDE_NUM_BLOCKS: overridden,
    DYN_KVBM_DISK_CACHE_OVERRIDE_NUM_BLOCKS: overridden,
    DYN_KVBM_DISABLE_DISK_OFFLOAD_FILTER: {
      takes: 'flag',
      default: false,
      becomes: (off) =>
        off
          ? keys(set('kv.tiers.ssd.write.policy', 'through'))
          : // A block's counter starts at 1 and doubles with a hit; 2 goes to disk.
            keys(set('kv.tiers.ssd.write.policy', 'selective'), set('kv.tiers.ssd.write.after_touches', 1)),
    },
    DYN_KVBM_NCCL_MLA_MODE: only('flag', false, 'every device loads its own part here'),
  },
  always: [
    set('kv.tiers.dram.inclusive', true),
    set('kv.tiers.ssd.inclusive', true),
    set('kv.load.policy', 'always'),
    set('kv.overlap', 'none'),
  ],
  leftOut: [
    'the frequency of a block decays with time; here its hits add up',
    'which block leaves host memory and disk is not documented; here the least recently used does',
  ],
  unused(memory, {values}) {
    if (memory === 'dram') return values.DYN_KVBM_CPU_CACHE_GB === 0 ? 'DYN_KVBM_CPU_CACHE_GB is not set' : null;
    if (memory === 'ssd') return values.DYN_KVBM_DISK_CACHE_GB === 0 ? 'DYN_KVBM_DISK_CACHE_GB is not set' : null;
    return 'a remote memory (G4) is not simulated with this preset';
  },
};
