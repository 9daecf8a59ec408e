import {idle, keys, nothing, type OffloadPreset, only, refused, set} from './offload.js';

/** What `secondary_tiers` may list: a file system or an object store. */
interface Secondary {
  readonly type: string;
  readonly readThreads: number;
}

/** vLLM's OffloadingConnector: prompts are written through to the host chunk by chunk, and read after the request was admitted (FORMATS §8.1). */
export const vllmOffload: OffloadPreset = {
  about: "vLLM's OffloadingConnector: write-through to host memory, LRU or ARC, optional file system below it",
  source: 'github:vllm-project/vllm vllm/v1/kv_offload/*, vllm/config/*.py@017e9f4448',
  knobs: {
    kv_offloading_size: {
      takes: 'number',
      default: null,
      becomes: (gib) => (gib === null ? nothing('cpu_bytes_to_use says it') : keys(set('kv.tiers.dram.capacity', `${gib} GiB`))), // over all ranks
    },
    cpu_bytes_to_use: {
      takes: 'count',
      default: null,
      becomes: (bytes) => (bytes === null ? nothing('kv_offloading_size says it') : keys(set('kv.tiers.dram.capacity', `${bytes} B`))),
    },
    spec_name: {
      takes: ['CPUOffloadingSpec', 'TieringOffloadingSpec'],
      default: 'CPUOffloadingSpec',
      becomes: (name, {values}) =>
        name === 'CPUOffloadingSpec' && secondaries(values.secondary_tiers).length > 0
          ? refused('secondary_tiers need TieringOffloadingSpec')
          : nothing('secondary_tiers say it'),
    },
    block_size: {
      takes: 'count',
      default: null,
      becomes: (tokens) => (tokens === null ? nothing("a chunk is the engine's block") : keys(set('kv.chunk_size', Number(tokens)))),
    },
    blocks_per_chunk: {
      takes: 'count',
      default: 1,
      becomes: (blocks, {blockTokens, values}) => {
        if (values.block_size !== null) return blocks === 1 ? nothing('block_size says it') : refused('block_size says it too; keep one');
        return blocks === 1 ? nothing("a chunk is the engine's block") : keys(set('kv.chunk_size', Number(blocks) * blockTokens));
      },
    },
    eviction_policy: {
      takes: ['lru', 'arc', 'custom'],
      default: 'lru',
      becomes: (policy) =>
        policy === 'custom'
          ? refused('a policy of your own is kv.tiers.dram.eviction')
          : keys(set('kv.tiers.dram.eviction.policy', String(policy))),
    },
    store_threshold: {
      takes: 'number',
      default: 0,
      becomes: (lookups, {values}) => {
        if (Number(lookups) < 2) return keys(set('kv.tiers.dram.write.policy', 'through'));
        if (secondaries(values.secondary_tiers).length > 0) return refused('with secondary_tiers vLLM takes 0 or 1');
        return keys(
          set('kv.tiers.dram.write.policy', 'selective'),
          set('kv.tiers.dram.write.after_touches', Number(lookups)),
          set('kv.tiers.dram.write.counts', 'lookups'),
        );
      },
    },
    max_tracker_size: only('count', 64_000, 'uses are counted without a limit here'),
    offload_prompt_only: {
      takes: 'flag',
      default: true,
      becomes: (promptOnly) => keys(set('kv.tiers.dram.write.generated', !promptOnly)),
    },
    secondary_tiers: {
      takes: 'list',
      default: [],
      becomes: (list) => {
        const below = secondaries(list);
        if (below.length === 0) return nothing('host memory is the last');
        const other = below.find(({type}) => !(type in memories));
        if (other !== undefined) return refused(`"${other.type}" is no memory of a replica; fs and obj are`);
        return keys(
          ...below.flatMap(({type, readThreads}) => [
            set(`kv.tiers.${memories[type]}.write.policy`, 'through'),
            set(`kv.tiers.${memories[type]}.promote`, true),
            ...(type === 'fs' ? [set('hardware.memory.ssd.queue_depth', readThreads)] : []),
          ]),
        );
      },
    },
    self_describing_kv_events: idle('flag', false, 'events take no time here'),
  },
  always: [
    set('kv.tiers.dram.inclusive', true),
    set('kv.tiers.ssd.inclusive', true),
    set('kv.tiers.remote.inclusive', true),
    set('kv.load.policy', 'always'),
    set('kv.overlap', 'none'),
  ],
  leftOut: [
    'a store that finds too few places is skipped as a whole; here chunk after chunk finds one or not',
    'uses are counted of the 64,000 chunks looked up last; here of all',
    'nothing leaves a secondary tier; here the least recently used block does when it is full',
  ],
  unused(memory, {values}) {
    if (memory === 'dram') return null;
    const type = memory === 'ssd' ? 'fs' : 'obj';
    return secondaries(values.secondary_tiers).some((one) => one.type === type) ? null : `secondary_tiers has no ${type}`;
  },
};

const memories: Readonly<Record<string, 'ssd' | 'remote'>> = {fs: 'ssd', obj: 'remote'};

/** Entries are `fs`, or `{type: fs, n_read_threads: 16, …}`. */
function secondaries(list: unknown): Secondary[] {
  if (!Array.isArray(list)) return [];
  return list.map((one) => {
    const {type, n_read_threads: threads = 16} = (typeof one === 'object' && one !== null ? one : {type: one}) as Record<string, unknown>;
    return {type: String(type), readThreads: Number(threads)};
  });
}
