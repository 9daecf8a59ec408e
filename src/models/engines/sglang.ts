import type {Figure} from '../provenance.js';
import type {EngineProfile, Placement} from './engine.js';

const SOURCE = 'github:sgl-project/sglang python/sglang/srt/server_args.py, managers/schedule_batch.py@04653fa';
const MIB = 1024 ** 2;

/** Releases that this profile stands for. Before 0.5 the memory that is kept free was a table by parallelism. */
export const sglangVersions: readonly string[] = ['0.5'];

/** Most running requests: KV tokens / context length × 512, between 2,048 and 4,096 (model_runner_kv_cache_mixin.py); it is above 2,048 only when four whole contexts fit. */
const MAX_RUNNING = 2048;

/** `chunked_prefill_size` and `cuda_graph_max_bs` (with less than four devices, and with four or more) by the memory of a device, GiB. */
const byMemory: readonly {readonly below: number; readonly chunk: number; readonly graphs: readonly [number, number]}[] = [
  {below: 20, chunk: 2048, graphs: [8, 8]},
  {below: 35, chunk: 2048, graphs: [24, 80]},
  {below: 60, chunk: 4096, graphs: [32, 160]},
  {below: 160, chunk: 8192, graphs: [256, 512]},
  {below: Number.POSITIVE_INFINITY, chunk: 16_384, graphs: [512, 512]},
];

/** SGLang: prompts in steps of their own, radix cache, retraction, the next batch planned while one runs. */
export function sglang(version: string): EngineProfile {
  return {
    preset: 'sglang',
    version,
    steps: 'prefill-first', // enable_mixed_chunk is off
    publishes: 'step',
    preemption: 'retract',
    inFlight: 2, // the overlap scheduler; disable_overlap_schedule is off
    overhead: {
      step: assumed(1e-3, 'as vLLM: scheduling and input preparation on the host, hidden behind the device when that takes longer'),
      sequence: assumed(4e-6, 'as vLLM: bookkeeping of one sequence in a step'),
      request: assumed(4.7e-3, 'as fitted for vLLM: receive, tokenise, hash; no run of SGLang was fitted'),
      delivery: assumed(73e-6, 'as fitted for vLLM: detokenise, send'),
    },
    launchPerLayer: assumed(14e-6, 'as fitted for vLLM: gaps between kernels inside a CUDA graph'),
    graphs: graphs(160),
    reserve: {
      context: assumed(0.45e9, 'CUDA context, cuBLAS workspaces'),
      graphs: assumed(0, 'captured CUDA graphs lie in what mem_fraction_static keeps free'),
    },
    gpuMemoryUtilization: {value: 0.88, grade: 'datasheet', source: `${SOURCE}: mem_fraction_static when the memory is not known`},
    utilizationOf: 'weights-and-kv',
    blockSize: 1,
    offloads: 'all',
    overlap: 'layer',
    reservedBlocks: 0,
    limits: (on) => ({maxNumBatchedTokens: rowOf(on).chunk, maxNumSeqs: MAX_RUNNING}),
    placed: (on, chunk) => ({gpuMemoryUtilization: staticShare(on, chunk), graphs: graphs(graphMax(on))}),
    needsFullContext: false,
    ideal: false,
    source: SOURCE,
  };
}

function rowOf({memoryBytes}: Placement) {
  return byMemory.find(({below}) => memoryBytes < below * 1024 * MIB)!;
}

function graphMax(on: Placement): number {
  return rowOf(on).graphs[on.tensor < 4 ? 0 : 1];
}

/** `mem_fraction_static` when nobody sets it: what is left beside 512 MiB, 1.5 MiB a token of the largest chunk, 2 MiB a sequence of the largest graph, and 128 MiB a device; at least 10 GiB is kept free of a device of more than 60. */
function staticShare(on: Placement, chunk: number): Figure {
  const memory = on.memoryBytes / MIB;
  const needed = 512 + 1.5 * Math.max(chunk, 2048) + 2 * graphMax(on) + (on.tensor / 8) * 1024;
  const reserved = memory > 60 * 1024 ? Math.max(needed, 10 * 1024) : needed;
  const value = Math.max(0, Math.round(((memory - reserved) / memory) * 1000) / 1000);
  return {value, grade: 'datasheet', source: `${SOURCE}: ${Math.round(reserved)} MiB of ${Math.round(memory)} are kept free`};
}

/** Decode steps are captured at these numbers of sequences; larger ones, and prompts, are launched kernel by kernel. */
function graphs(most: number): NonNullable<EngineProfile['graphs']> {
  const all = [1, 2, 4, 8, 12, ...range(16, 256, 8), ...range(272, 496, 16), ...range(512, most, 32)];
  return {
    sizes: all.filter((size) => size <= most),
    eagerLaunchPerLayer: assumed(50e-6, 'about ten kernels of a layer, near 5 µs each on the host'),
  };
}

function range(from: number, to: number, by: number): number[] {
  return Array.from({length: Math.max(0, Math.floor((to - from) / by) + 1)}, (_, i) => from + by * i);
}

function assumed(value: number, source: string): Figure {
  return {value, grade: 'assumed', source};
}
