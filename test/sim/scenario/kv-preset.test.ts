import {describe, expect, it} from 'vitest';
import {offloads} from '../../../src/models/offloads/index.js';
import {planMemory} from '../../../src/sim/scenario/plan.js';
import {decodeSpeed, planLines} from '../../../src/sim/scenario/plan-table.js';
import type {Scenario} from '../../../src/sim/scenario/scenario.js';
import {chat, load, refusal} from '../../support/scenario-text.js';

const host = chat.replace(
  'hardware: h100-sxm',
  'hardware: {device: h100-sxm, memory: {dram: 2 TiB, ssd: nvme-gen4-4tb, remote: 8 TiB}, links: {network: 50 GB/s}}',
);
const eight = `${host}`.replace('engine: vllm', 'engine: {preset: vllm, parallel: {tensor: 8}}');

/** What is written below `kv:`, on one line. */
const text = (kv: string, of = host) => `${of}kv: ${kv}\n`;
const read = (kv: string, of = host) => load({'a.yaml': text(kv, of)});
const refused = (kv: string, of = host) => refusal({'a.yaml': text(kv, of)});
const became = ({kv}: Scenario) => Object.fromEntries(kv.preset!.knobs.map((knob) => [knob.name, knob.became]));

describe('published defaults', () => {
  // FORMATS §8, engine by engine: what stands in the engines' own sources.
  const published: Record<string, Record<string, unknown>> = {
    'vllm-offload': {
      kv_offloading_size: null,
      blocks_per_chunk: 1,
      eviction_policy: 'lru',
      store_threshold: 0,
      max_tracker_size: 64_000,
      offload_prompt_only: true,
      secondary_tiers: [],
    },
    'sglang-hicache': {
      hicache_ratio: 2,
      hicache_write_policy: 'write_through',
      hicache_io_backend: 'kernel',
      hicache_mem_layout: 'layer_first',
      hicache_storage_backend: null,
      hicache_storage_prefetch_policy: 'best_effort',
      hicache_storage_backend_extra_config: null,
      radix_eviction_policy: 'lru',
    },
    lmcache: {
      chunk_size: 256,
      local_cpu: true,
      max_local_cpu_size: 5,
      local_disk: null,
      max_local_disk_size: 0,
      remote_url: null,
      remote_serde: 'naive',
      save_decode_cache: false,
      save_unfull_chunk: false,
      use_layerwise: false,
      cache_policy: 'LRU',
      min_retrieve_tokens: 0,
      enable_async_loading: false,
      blocking_timeout_secs: 10,
      lookup_timeout_ms: 3000,
      pin_timeout_sec: 300,
    },
    'tensorrt-llm': {
      free_gpu_memory_fraction: 0.9,
      enable_block_reuse: true,
      enable_partial_reuse: true,
      tokens_per_block: 32,
      host_cache_size: 0,
      onboard_blocks: true,
      secondary_offload_min_priority: 35,
      event_buffer_max_size: 0,
    },
    'llama-server': {cache_ram: 8192, cache_reuse: 0, ctx_checkpoints: 32, checkpoint_every_n_tokens: 8192, slot_prompt_similarity: 0.1},
    'mooncake-store': {
      global_segment_size: 16_777_216,
      enable_offload: false,
      offload_on_evict: false,
      promotion_on_hit: false,
      promotion_admission_threshold: 2,
      eviction_high_watermark_ratio: 0.9,
      eviction_ratio: 0.05,
      default_kv_lease_ttl: '10s',
    },
    'dynamo-kvbm': {DYN_KVBM_DISABLE_DISK_OFFLOAD_FILTER: false, DYN_KVBM_NCCL_MLA_MODE: false},
  };

  it.each(Object.entries(published))('of %s are those of its knobs', (name, values) => {
    const {knobs} = offloads[name];
    expect(Object.fromEntries(Object.keys(values).map((knob) => [knob, knobs[knob]?.default]))).toEqual(values);
  });

  it('are there for every preset, and each is a value that its knob takes', () => {
    expect(Object.keys(published).sort()).toEqual(Object.keys(offloads).sort());
  });
});

describe('vllm-offload', () => {
  it('gives prompts to host memory when they are computed, GiB over all ranks', async () => {
    const {kv} = await read('{preset: vllm-offload, args: {kv_offloading_size: 64}}', eight);
    expect(kv.tiers).toMatchObject([
      {name: 'dram', capacity: 64 * 2 ** 30, eviction: 'lru', write: {when: 'through', generated: false}, inclusive: true},
    ]);
    expect(kv).toMatchObject({load: 'always', leastLoad: 0, overlap: 'none', chunkBlocks: 1});
  });

  it('takes chunks, ARC, a threshold of lookups, and file systems below', async () => {
    const {kv} = await read(
      '{preset: vllm-offload, args: {cpu_bytes_to_use: 1e9, blocks_per_chunk: 4, eviction_policy: arc, store_threshold: 2}}',
    );
    expect(kv.tiers).toMatchObject([
      {capacity: 1e9, eviction: 'arc', write: {when: 'selective', afterTouches: 2, counts: 'lookups', generated: false}},
    ]);
    expect(kv.chunkBlocks).toBe(4);
    const tiered = await read(
      '{preset: vllm-offload, args: {kv_offloading_size: 64, spec_name: TieringOffloadingSpec, secondary_tiers: [{type: fs, n_read_threads: 4}]}, tiers: {ssd: 1 TiB}}',
    );
    expect(tiered.kv.tiers[1]).toMatchObject({name: 'ssd', write: {when: 'through'}, promote: true});
    expect(tiered.host.ssd!.queueDepth).toBe(4);
  });
});

describe('sglang-hicache', () => {
  it('has twice the tokens of the device in host memory, or so many GB of 1e9 B a rank', async () => {
    const scenario = await read('{preset: sglang-hicache}');
    const plan = planMemory(scenario);
    expect(plan.tiers[0].kvBlocks).toBe(2 * plan.kvBlocks);
    expect((await read('{preset: sglang-hicache, args: {hicache_size: 150}}', eight)).kv.tiers[0].capacity).toBe(1.2e12);
  });

  it('loads 10 tokens or more, layer by layer', async () => {
    expect((await read('{preset: sglang-hicache}')).kv).toMatchObject({load: 'always', leastLoad: 10, overlap: 'layer'});
  });

  it.each([
    ['write_through', {when: 'through', generated: true}],
    ['write_through_selective', {when: 'selective', afterTouches: 2, counts: 'stay', generated: true}],
    ['write_back', {when: 'back'}],
  ])('%s', async (policy, write) => {
    const {kv} = await read(`{preset: sglang-hicache, args: {hicache_write_policy: ${policy}}}`);
    expect(kv.tiers[0].write).toEqual(write);
  });

  it('has one order for device and host, whichever flag says it', async () => {
    const order = ({kv}: Scenario) => [kv.eviction, kv.tiers[0].eviction];
    expect(order(await read('{preset: sglang-hicache, args: {radix_eviction_policy: lfu}}'))).toEqual(['lfu', 'lfu']);
    const sglang = host.replace('engine: vllm', 'engine: {preset: sglang, args: {radix_eviction_policy: lfu}}');
    expect(order(await read('{preset: sglang-hicache, args: {hicache_size: 100}}', sglang))).toEqual(['lfu', 'lfu']);
  });

  it.each(['best_effort', 'wait_complete', 'timeout'])('reads its storage for requests that wait: %s', async (policy) => {
    const files = `hicache_storage_backend: file, hicache_storage_prefetch_policy: ${policy}`;
    const config = 'hicache_storage_backend_extra_config: {prefetch_threshold: 512, prefetch_timeout_base: 2}';
    const {kv} = await read(`{preset: sglang-hicache, args: {${files}, ${config}}, tiers: {ssd: 3 TiB}}`);
    const params = {stop: policy.replace('_', '-'), threshold: 512, capacity: 0.8, timeout_base: 2, timeout_per_ki_token: 0.25};
    expect(kv.prefetch).toEqual({policy: 'queue', params: {...params, rest: 'compute'}});
  });

  it('has a size above 0 or none', async () => {
    const told = await refused('{preset: sglang-hicache, args: {hicache_size: -1}}');
    expect(told).toMatch(/^\S+ kv\.args\.hicache_size: "-1 GB" is below 0$/);
  });

  it('has nothing to prefetch without a storage, and gives way to a policy that the scenario has', async () => {
    const plain = await read('{preset: sglang-hicache, args: {hicache_storage_prefetch_policy: timeout}}');
    expect(plain.kv.prefetch).toBeNull();
    expect(became(plain)).toMatchObject({hicache_storage_prefetch_policy: 'no storage is read'});
    const own = '{preset: sglang-hicache, prefetch: none, args: {hicache_storage_backend: file}, tiers: {ssd: 3 TiB}}';
    expect((await read(own)).kv.prefetch).toBeNull();
    expect(became(await read(own))).toMatchObject({
      hicache_storage_prefetch_policy: 'kv.prefetch as the scenario says',
    });
    expect(await refused(own.replace('backend: file', 'backend: file, hicache_storage_prefetch_policy: timeout'))).toMatch(
      /kv\.args\.hicache_storage_prefetch_policy: set twice: also as kv\.prefetch \(\d+:\d+\); keep one/,
    );
  });

  it.each([
    ['another key', '{prefetch_treshold: 512}', /prefetch_treshold is not one of them/],
    ['what is no number', '{prefetch_threshold: many}', /prefetch_threshold is not one of them/],
  ])('refuses %s in its storage configuration', async (_what, config, line) => {
    const args = `{hicache_storage_backend: file, hicache_storage_backend_extra_config: ${config}}`;
    expect(await refused(`{preset: sglang-hicache, args: ${args}, tiers: {ssd: 3 TiB}}`)).toMatch(line);
    expect(await refused(`{preset: sglang-hicache, args: {hicache_storage_backend_extra_config: ${config}}}`)).toMatch(/is not set/);
  });

  it('has files through the page cache, whose size its knobs do not bound', async () => {
    const {kv} = await read('{preset: sglang-hicache, args: {hicache_storage_backend: file}, tiers: {ssd: 3 TiB}}');
    expect(kv.tiers).toMatchObject([{name: 'dram'}, {name: 'page-cache', promote: true}, {name: 'ssd', promote: true}]);
    expect(await refused('{preset: sglang-hicache, args: {hicache_storage_backend: file}}')).toMatch(
      /kv\.tiers\.ssd\.capacity: missing; no knob of sglang-hicache that is written bounds it$/,
    );
    expect(await refused('{preset: sglang-hicache, tiers: {ssd: 3 TiB}}')).toMatch(
      /kv\.tiers\.ssd: sglang-hicache does not use it: hicache_storage_backend is not set$/,
    );
  });
});

describe('lmcache', () => {
  it('keeps chunks of 256 tokens in 5 GiB of each worker, prompts only', async () => {
    const {kv} = await read('{preset: lmcache}', eight);
    expect(kv.tiers).toMatchObject([{name: 'dram', capacity: 40 * 2 ** 30, eviction: 'lru', write: {when: 'through', generated: false}}]);
    expect(kv).toMatchObject({chunkBlocks: 16, overlap: 'none', leastLoad: 0});
  });

  it('takes a disk, a remote store, what is generated, layers and a shortest load', async () => {
    const {kv} = await read(
      '{preset: lmcache, args: {local_disk: /tmp/kv, max_local_disk_size: 100, remote_url: "lm://pool:65432", save_decode_cache: true, use_layerwise: true, cache_policy: LFU, min_retrieve_tokens: 512}, tiers: {remote: 1 TiB}}',
    );
    expect(kv.tiers).toMatchObject([
      {name: 'dram', eviction: 'lfu', write: {when: 'through', generated: true}},
      {name: 'ssd', capacity: 100 * 2 ** 30, eviction: 'lru', promote: true},
      {name: 'remote', promote: true},
    ]);
    expect(kv).toMatchObject({overlap: 'layer', leastLoad: 512});
  });

  it('leaves host memory out with local_cpu: false', async () => {
    const {kv} = await read(
      '{preset: lmcache, args: {local_cpu: false, local_disk: /tmp/kv, max_local_disk_size: 100, save_decode_cache: true}}',
    );
    expect(kv.tiers).toMatchObject([{name: 'ssd', promote: false, write: {generated: true}}]);
  });
});

describe('tensorrt-llm', () => {
  it('moves blocks of 32 tokens to host memory when they leave, and back', async () => {
    const {kv} = await read('{preset: tensorrt-llm, args: {host_cache_size: 1e9}}', eight);
    expect(kv.blockSize).toBe(32);
    expect(kv.tiers).toMatchObject([{name: 'dram', capacity: 8e9, write: {when: 'back'}, inclusive: false}]);
  });

  it('has no memory below HBM unless it is given one', async () => {
    const {kv, warnings} = await read('{preset: tensorrt-llm}', chat);
    expect(kv.tiers).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('keeps nothing above the priority of all blocks, and says so', async () => {
    expect(await refused('{preset: tensorrt-llm, args: {host_cache_size: 1e9, secondary_offload_min_priority: 36}}')).toMatch(
      /kv\.args\.secondary_offload_min_priority: 36 has no counterpart: every block has priority 35 here, so none would be kept/,
    );
  });
});

describe('llama-server', () => {
  it('has 8192 MiB, what is saved longest ago out first; all of the memory with -1, none with 0', async () => {
    const {kv} = await read('{preset: llama-server}');
    expect(kv.tiers).toMatchObject([{capacity: 8192 * 2 ** 20, eviction: 'fifo', write: {when: 'back'}, inclusive: false}]);
    expect((await read('{preset: llama-server, args: {cache_ram: -1}}')).kv.tiers[0].capacity).toBe(2 * 2 ** 40);
    expect((await read('{preset: llama-server, args: {cache_ram: 0}}')).kv.tiers).toEqual([]);
  });
});

describe('mooncake-store', () => {
  it('has a segment of each client, and files when offload is on: at once, or what is evicted', async () => {
    const files = async (args: string) =>
      (await read(`{preset: mooncake-store, args: {global_segment_size: 80e9, enable_offload: true${args}}, tiers: {ssd: 1 TiB}}`)).kv
        .tiers;
    expect(await files('')).toMatchObject([
      {name: 'dram', capacity: 80e9},
      {name: 'ssd', write: {when: 'through'}, promote: false},
    ]);
    expect(await files(', offload_on_evict: true')).toMatchObject([{}, {write: {when: 'back'}}]);
    expect(await files(', promotion_on_hit: true, promotion_admission_threshold: 1')).toMatchObject([{}, {promote: true}]);
  });

  it('is one pool of several replicas, to which each of their devices gives a segment, unless the scenario says otherwise', async () => {
    const four = `${host}cluster: {replicas: 4}\n`;
    const pool = async (tiers: string, more: string) =>
      (await read(`{preset: mooncake-store, args: {global_segment_size: 20e9, enable_offload: true}, tiers: ${tiers}}`, more)).kv.tiers;
    expect(await pool('{ssd: 1 TiB}', four)).toMatchObject([
      {name: 'dram', capacity: 80e9, scope: 'cluster'},
      {name: 'ssd', capacity: 1024 ** 4, scope: 'cluster'},
    ]);
    const [own] = await pool('{dram: {scope: replica}, ssd: 1 TiB}', four);
    expect([own.capacity, own.scope]).toEqual([20e9, undefined]);
    const [alone, files] = await pool('{ssd: 1 TiB}', host);
    expect([alone.capacity, alone.scope, files.scope]).toEqual([20e9, undefined, undefined]);
    const {warnings} = await read('{preset: mooncake-store, args: {global_segment_size: 20e9}}');
    expect(warnings.filter(({path}) => path.endsWith('scope'))).toEqual([]);
  });

  it('evicts a share of the pool at its high watermark', async () => {
    const marks = async (args: string) =>
      (await read(`{preset: mooncake-store, args: {global_segment_size: 80e9${args}}}`)).kv.tiers[0].watermark;
    expect(await marks('')).toEqual({high: 0.9, low: 0.855});
    expect(await marks(', eviction_high_watermark_ratio: 0.95, eviction_ratio: 0.1')).toEqual({high: 0.95, low: 0.855});
  });
});

describe('dynamo-kvbm', () => {
  it('writes to disk what was hit once, or everything without the filter', async () => {
    const write = async (more: string) =>
      (await read(`{preset: dynamo-kvbm, args: {DYN_KVBM_CPU_CACHE_GB: 100, DYN_KVBM_DISK_CACHE_GB: 1000${more}}}`)).kv.tiers;
    expect(await write('')).toMatchObject([
      {capacity: 1e11, write: {when: 'through'}},
      {capacity: 1e12, write: {when: 'selective', afterTouches: 1, counts: 'hits'}},
    ]);
    expect(await write(', DYN_KVBM_DISABLE_DISK_OFFLOAD_FILTER: true')).toMatchObject([{}, {write: {when: 'through'}}]);
  });
});

describe('a knob', () => {
  it.each([
    [
      'that is unknown',
      '{preset: lmcache, args: {chunk_sise: 256}}',
      /kv\.args\.chunk_sise: unknown knob of lmcache "chunk_sise" \(did you mean "chunk_size"\?\)/,
    ],
    ['of another kind', '{preset: lmcache, args: {chunk_size: big}}', /kv\.args\.chunk_size: "big" is not a whole number from 0 on$/],
    [
      'of another name',
      '{preset: lmcache, args: {cache_policy: CLOCK}}',
      /kv\.args\.cache_policy: "CLOCK" is not one of LRU, LFU, FIFO, MRU, COST_AWARE$/,
    ],
    [
      'without a counterpart',
      '{preset: lmcache, args: {enable_blending: true}}',
      /kv\.args\.enable_blending: true has no counterpart: only prefixes are reused$/,
    ],
    [
      'that is set twice',
      '{preset: lmcache, chunk_size: 512, args: {chunk_size: 256}}',
      /kv\.args\.chunk_size: set twice: also as kv\.chunk_size \(\d+:\d+\); keep one$/,
    ],
    [
      'that another sets too',
      '{preset: vllm-offload, args: {kv_offloading_size: 1, cpu_bytes_to_use: 1000}}',
      /kv\.args\.cpu_bytes_to_use: sets kv\.tiers\.dram\.capacity, and so does kv\.args\.kv_offloading_size; keep one$/,
    ],
    ['without a preset', '{args: {chunk_size: 256}}', /kv\.args: there is no kv\.preset whose knobs these are$/],
    [
      'whose value the scenario refuses',
      '{preset: lmcache, args: {chunk_size: 250}}',
      /kv\.args\.chunk_size: 250 is no multiple of the 16 tokens of a block/,
    ],
  ])('%s is refused at its place', async (_what, kv, line) => {
    const message = await refused(kv);
    expect(message).toMatch(line);
    expect(message.split('\n')).toHaveLength(1);
  });

  it('that is not written gives way to a key that is', async () => {
    const scenario = await read('{preset: lmcache, tiers: {dram: {capacity: 100 GiB, eviction: fifo}}}');
    expect(scenario.kv.tiers[0]).toMatchObject({capacity: 100 * 2 ** 30, eviction: 'fifo'});
    expect(became(scenario)).toMatchObject({
      max_local_cpu_size: 'kv.tiers.dram.capacity as the scenario says',
      cache_policy: 'kv.tiers.dram.eviction.policy as the scenario says',
    });
  });
});

describe('what the preset became', () => {
  it('stands in the plan, knob by knob, with what the engine does otherwise', async () => {
    const scenario = await read(
      '{preset: sglang-hicache, args: {hicache_size: 150, hicache_write_policy: write_through_selective}}',
      eight,
    );
    const plan = planMemory(scenario);
    const lines = planLines(scenario, plan, decodeSpeed(scenario, plan), (rows) => rows.map((row) => row.join(' | ')));
    expect(lines).toContain('sglang-hicache: what its knobs became');
    expect(lines).toContain('  hicache_size | 150 | kv.tiers.dram.capacity: 1200 GB');
    expect(lines).toContain('  hicache_ratio | 2 (default) | hicache_size says it');
    expect(lines).toContain('what sglang-hicache does otherwise');
  });

  it('is the same scenario as its keys: the resolved file gives it again', async () => {
    const scenario = await read('{preset: lmcache, args: {local_disk: /tmp/kv, max_local_disk_size: 100}}');
    const again = await load({'a.yaml': scenario.yaml});
    expect(again.sha256).toBe(scenario.sha256);
    expect(again.kv.tiers).toEqual(scenario.kv.tiers);
  });
});
