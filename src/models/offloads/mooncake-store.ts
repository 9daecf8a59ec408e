import {keys, nothing, type OffloadPreset, only, refused, set} from './offload.js';

/** Mooncake Store: objects in the DRAM of all hosts, one pool for all replicas, files below when offload is on (FORMATS §8.6). */
export const mooncakeStore: OffloadPreset = {
  about: 'Mooncake Store: a pool in host memory, files below it, copies that eviction drops',
  source: 'github:kvcache-ai/Mooncake mooncake-store/src/master.cpp, include/types.h, docs/source/design/store@3b5a594',
  knobs: {
    global_segment_size: {
      takes: 'count',
      default: 16 * 1024 ** 2,
      becomes: (bytes, {ranks, pooled}) => keys(set('kv.tiers.dram.capacity', `${Number(bytes) * ranks * pooled} B`)), // of one client
    },
    replica_num: only('count', 1, 'a block has one copy in a memory here'),
    enable_offload: {
      takes: 'flag',
      default: false,
      becomes: (on, {values}) =>
        on ? keys(set('kv.tiers.ssd.write.policy', values.offload_on_evict ? 'back' : 'through')) : nothing('no files'),
    },
    offload_on_evict: {
      takes: 'flag',
      default: false,
      becomes: (on, {values}) => (on && !values.enable_offload ? refused('enable_offload is false') : nothing('enable_offload says it')),
    },
    promotion_on_hit: {
      takes: 'flag',
      default: false,
      becomes: (on, {values}) => {
        if (!values.enable_offload) return on ? refused('enable_offload is false') : nothing('no files');
        if (on && values.promotion_admission_threshold !== 1)
          return refused('a block comes up with its first hit: promotion_admission_threshold 1');
        return keys(set('kv.tiers.ssd.promote', Boolean(on)));
      },
    },
    promotion_admission_threshold: {takes: 'count', default: 2, becomes: () => nothing('promotion_on_hit says it')},
    eviction_high_watermark_ratio: {
      takes: 'number',
      default: 0.9,
      becomes: (high) => keys(set('kv.tiers.dram.watermark.high', Number(high))),
    },
    eviction_ratio: {
      takes: 'number',
      default: 0.05,
      becomes: (share, {values}) =>
        keys(set('kv.tiers.dram.watermark.low', lowMark(Number(values.eviction_high_watermark_ratio), Number(share)))),
    },
    default_kv_lease_ttl: only('text', '10s', 'what was read stays as long as a load needs it'),
    default_kv_soft_pin_ttl: only('text', '30min', 'blocks are not pinned by time'),
    allow_evict_soft_pinned_objects: only('flag', true, 'blocks are not pinned by time'),
    enable_disk_eviction: only('flag', true, 'the least recently used block leaves a full disk'),
    quota_bytes: only('count', 0, 'write kv.tiers.ssd.capacity'),
    dynamic_replication_mode: only(['off', 'observe', 'enforce'], 'off', 'a block has one copy in a memory here'),
  },
  always: [
    set('kv.tiers.dram.write.policy', 'through'),
    set('kv.tiers.dram.eviction.policy', 'lru'),
    set('kv.tiers.dram.inclusive', true),
    set('kv.tiers.ssd.eviction.policy', 'lru'),
    set('kv.tiers.ssd.inclusive', true),
    set('kv.load.policy', 'always'),
  ],
  several: [set('kv.tiers.dram.scope', 'cluster'), set('kv.tiers.ssd.scope', 'cluster')],
  leftOut: [
    'what lies on another host comes over a network; here all of the pool is as near to each replica as memory of its own host',
    'objects that were read in the last 10 s stay; here those that a load reads',
    'files go by buckets of 256 MB; here by blocks',
  ],
  unused(memory, {values}) {
    if (memory === 'dram') return null;
    if (memory === 'ssd') return values.enable_offload ? null : 'enable_offload is false';
    return 'the pool is kv.tiers.dram with this preset';
  },
};

/** What is left once a share of the objects has gone: of so many that are there at the high mark. Rounded, so that 0.9 · 0.95 is 0.855. */
function lowMark(high: number, share: number): number {
  return Number((high * (1 - share)).toPrecision(9));
}
