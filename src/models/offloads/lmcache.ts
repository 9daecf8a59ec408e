import {idle, type KnobFacts, keys, nothing, type OffloadPreset, only, refused, set} from './offload.js';

/** LMCache under an engine: chunks of 256 tokens, written through to every backend at once (FORMATS §8.3). */
export const lmcache: OffloadPreset = {
  about: 'LMCache: chunks of 256 tokens, written through to host memory, disk and a remote store',
  source: 'github:LMCache/LMCache lmcache/v1/config.py@000620e, storage_backend/*; sizes are GB of 1024³ B a worker',
  knobs: {
    chunk_size: {takes: 'count', default: 256, becomes: (tokens) => keys(set('kv.chunk_size', Number(tokens)))},
    local_cpu: {
      takes: 'flag',
      default: true,
      becomes: (on) => (on ? nothing('max_local_cpu_size says how much') : nothing('no block stays in host memory')),
    },
    max_local_cpu_size: {
      takes: 'number',
      default: 5,
      becomes: (size, {ranks, values}) =>
        values.local_cpu ? keys(set('kv.tiers.dram.capacity', `${Number(size) * ranks} GiB`)) : nothing('local_cpu is false'),
    },
    reserve_local_cpu_size: only('number', 0, 'nothing is set apart in host memory here'),
    local_disk: {
      takes: 'text',
      default: null,
      becomes: (path) => nothing(path === null ? 'no disk' : 'max_local_disk_size says how much'),
    },
    max_local_disk_size: {
      takes: 'number',
      default: 0,
      becomes: (size, {ranks, values}) =>
        values.local_disk === null || size === 0
          ? nothing('no disk')
          : keys(
              set('kv.tiers.ssd.capacity', `${Number(size) * ranks} GiB`),
              set('kv.tiers.ssd.write.policy', 'through'),
              set('kv.tiers.ssd.promote', Boolean(values.local_cpu)),
            ),
    },
    remote_url: {
      takes: 'text',
      default: null,
      becomes: (url, {values}) =>
        url === null
          ? nothing('no remote store')
          : keys(set('kv.tiers.remote.write.policy', 'through'), set('kv.tiers.remote.promote', Boolean(values.local_cpu))),
    },
    remote_serde: only(['naive', 'cachegen'], 'naive', 'KV is not compressed here; cachegen is'),
    save_decode_cache: {
      takes: 'flag',
      default: false,
      becomes: (on, facts) => {
        const nearest = (['dram', 'ssd', 'remote'] as const).find((memory) => unused(memory, facts) === null);
        return nearest === undefined ? nothing('no memory is used') : keys(set(`kv.tiers.${nearest}.write.generated`, Boolean(on)));
      },
    },
    save_unfull_chunk: only('flag', false, 'only whole chunks are kept here'),
    use_layerwise: {takes: 'flag', default: false, becomes: (on) => keys(set('kv.overlap', on ? 'layer' : 'none'))},
    cache_policy: {
      takes: ['LRU', 'LFU', 'FIFO', 'MRU', 'COST_AWARE'],
      default: 'LRU',
      becomes: (policy, {values}) => {
        const name = String(policy).toLowerCase();
        if (!['lru', 'lfu', 'fifo'].includes(name)) return refused('LRU, LFU and FIFO are simulated');
        return values.local_cpu ? keys(set('kv.tiers.dram.eviction.policy', name)) : nothing('local_cpu is false');
      },
    },
    min_retrieve_tokens: {takes: 'number', default: 0, becomes: (tokens) => keys(set('kv.load.min_tokens', Number(tokens)))},
    enable_async_loading: {
      takes: 'flag',
      default: false,
      becomes: (on) =>
        on ? refused('loads begin when a request is admitted, not when it is looked up') : nothing('a load begins at admission'),
    },
    blocking_timeout_secs: idle('number', 10, 'no load hangs here'),
    lookup_timeout_ms: idle('number', 3000, 'a lookup takes no time here'),
    pin_timeout_sec: idle('number', 300, 'what a load reads stays until it has ended'),
    priority_limit: only('number', null, 'requests of every priority are kept here'),
    gds_path: only('text', null, 'write kv.tiers.ssd.via: direct'),
    enable_blending: only('flag', false, 'only prefixes are reused'),
    enable_pd: only('flag', false, 'prefill and decode run on the same replica'),
    enable_p2p: only('flag', false, 'replicas do not read from each other'),
  },
  always: [
    set('kv.tiers.dram.write.policy', 'through'),
    set('kv.tiers.dram.inclusive', true),
    set('kv.tiers.ssd.inclusive', true),
    set('kv.tiers.ssd.eviction.policy', 'lru'),
    set('kv.tiers.remote.inclusive', true),
    set('kv.load.policy', 'always'),
  ],
  leftOut: [
    'a load without enable_async_loading holds the whole step up; here only the request that it is for',
    'disk and remote store are written from the host copy at once; here one after the other, each from the memory above it',
    'blocks of a chunk leave together; here one after the other, and a chunk that lacks one is not loaded',
  ],
  unused,
};

function unused(memory: 'dram' | 'ssd' | 'remote', {values}: KnobFacts): string | null {
  if (memory === 'dram') return values.local_cpu ? null : 'local_cpu is false';
  if (memory === 'ssd') return values.local_disk === null || values.max_local_disk_size === 0 ? 'local_disk or its size is not set' : null;
  return values.remote_url === null ? 'remote_url is not set' : null;
}
