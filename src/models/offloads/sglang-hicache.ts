import {type KnobValue, keys, nothing, type OffloadPreset, type Outcome, only, refused, set} from './offload.js';

const writes: Readonly<Record<string, ReturnType<typeof keys>>> = {
  write_through: keys(set('kv.tiers.dram.write.policy', 'through'), set('kv.tiers.dram.write.generated', true)),
  // A node counts its insertions; it is new again when it comes back after it had left the device.
  write_through_selective: keys(
    set('kv.tiers.dram.write.policy', 'selective'),
    set('kv.tiers.dram.write.after_touches', 2),
    set('kv.tiers.dram.write.counts', 'stay'),
    set('kv.tiers.dram.write.generated', true),
  ),
  write_back: keys(set('kv.tiers.dram.write.policy', 'back')),
};

/** Where each storage backend lies; null: it is not simulated. */
const storages: Readonly<Record<string, 'ssd' | 'remote' | null>> = {
  file: 'ssd',
  mooncake: 'remote',
  hf3fs: null,
  nixl: null,
  aibrix: null,
  dynamic: null,
  eic: null,
};

/** What `hicache_storage_backend_extra_config` may say, and the key that says the same, with its unit (hiradix_cache.py). */
const extras: Readonly<Record<string, {readonly key: string; readonly unit?: 's'}>> = {
  prefetch_threshold: {key: 'kv.prefetch.threshold'},
  prefetch_timeout_base: {key: 'kv.prefetch.timeout_base', unit: 's'},
  prefetch_timeout_per_ki_token: {key: 'kv.prefetch.timeout_per_ki_token', unit: 's'},
};

function prefetching(config: KnobValue, {values}: {readonly values: Readonly<Record<string, KnobValue>>}): Outcome {
  if (config === null) return nothing('prefetches have their defaults');
  if (values.hicache_storage_backend === null) return refused('it is about the storage, and hicache_storage_backend is not set');
  const written = Object.entries(config as Record<string, unknown>);
  const strange = written.find(([key, value]) => !Object.hasOwn(extras, key) || typeof value !== 'number');
  if (strange !== undefined)
    return refused(`numbers for ${Object.keys(extras).join(', ')} are simulated, ${strange[0]} is not one of them`);
  return keys(
    ...written.map(([name, value]) => {
      const {key, unit} = extras[name];
      return set(key, unit === undefined ? (value as number) : `${value} ${unit}`);
    }),
  );
}

/** SGLang's HiCache: host memory and a storage below the radix tree, loads that overlap with the prefill (FORMATS §8.2). */
export const sglangHicache: OffloadPreset = {
  about: "SGLang's HiCache: radix nodes to host memory, files or a pool below it, loads layer by layer",
  source: 'github:sgl-project/sglang python/sglang/srt/{server_args,mem_cache/*}.py@04653fa',
  knobs: {
    enable_hierarchical_cache: only('flag', true, 'the preset is the hierarchical cache; leave kv.preset away'),
    hicache_ratio: {
      takes: 'number',
      default: 2,
      becomes: (ratio, {values}) => {
        if (values.hicache_size !== 0) return nothing('hicache_size says it');
        if (Number(ratio) <= 1) return refused('SGLang wants more tokens in host memory than on the device: above 1');
        return keys(set('kv.tiers.dram.of_hbm', Number(ratio)));
      },
    },
    hicache_size: {
      takes: 'number',
      default: 0,
      becomes: (size, {ranks}) =>
        size === 0 ? nothing('hicache_ratio says it') : keys(set('kv.tiers.dram.capacity', `${Number(size) * ranks} GB`)), // GB = 1e9 a rank
    },
    hicache_write_policy: {takes: Object.keys(writes), default: 'write_through', becomes: (policy) => writes[String(policy)]},
    hicache_io_backend: only(['kernel', 'direct', 'kernel_ascend'], 'kernel', 'copies are priced as those of kernel'),
    hicache_mem_layout: only(
      ['layer_first', 'page_first', 'page_first_direct', 'page_first_kv_split', 'page_head'],
      'layer_first',
      'copies are priced as those of layer_first',
    ),
    hicache_storage_backend: {
      takes: Object.keys(storages),
      default: null,
      becomes: (backend) => {
        if (backend === null) return nothing('host memory is the last');
        const memory = storages[String(backend)];
        if (memory === null) return refused('file and mooncake are simulated; another pool is mooncake with the figures of its network');
        return keys(
          set(`kv.tiers.${memory}.write.policy`, 'through'),
          set(`kv.tiers.${memory}.promote`, true),
          ...(memory === 'ssd' ? [set('kv.tiers.ssd.io', 'page-cache')] : []),
        );
      },
    },
    radix_eviction_policy: {
      takes: ['lru', 'lfu'],
      default: 'lru',
      becomes: (policy, {hbmEviction}) =>
        keys(
          set('kv.tiers.hbm.eviction.policy', String(policy)),
          set('kv.tiers.dram.eviction.policy', hbmEviction ?? String(policy)), // one flag for both
        ),
    },
    hicache_storage_prefetch_policy: {
      takes: ['best_effort', 'wait_complete', 'timeout'],
      default: 'best_effort',
      becomes: (policy, {values}) =>
        values.hicache_storage_backend === null
          ? nothing('no storage is read')
          : keys(set('kv.prefetch.policy', 'queue'), set('kv.prefetch.stop', String(policy).replace('_', '-'))),
    },
    hicache_storage_backend_extra_config: {takes: 'map', default: null, becomes: prefetching},
  },
  always: [
    set('kv.tiers.dram.inclusive', true),
    set('kv.tiers.ssd.inclusive', true),
    set('kv.tiers.remote.inclusive', true),
    set('kv.load.policy', 'always'),
    set('kv.load.min_tokens', 10), // load_back_threshold, hiradix_cache.py
    set('kv.overlap', 'layer'),
  ],
  leftOut: [
    'the storage is read 128 pages at a time, and whole batches of what has come are used; here all whole pages are',
    'the storage is asked what it holds before it is read; here that takes no time',
    'host copies of blocks that the device holds too cannot leave; here they are the last to, being read with it',
    'a node is written and evicted as a whole; here its blocks are, tail first',
  ],
  unused(memory, {values}) {
    if (memory === 'dram' || storages[String(values.hicache_storage_backend)] === memory) return null;
    return `hicache_storage_backend is ${values.hicache_storage_backend ?? 'not set'}`;
  },
};
