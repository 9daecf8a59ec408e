import type {Figure} from '../provenance.js';
import type {EngineProfile, Placement} from './engine.js';

const SOURCE = 'github:ggml-org/llama.cpp common/arg.cpp, tools/server/server.cpp, server-context.cpp (fork 69d8e4b, 2026)';
const GIB = 1024 ** 3;

/** llama.cpp numbers its builds and keeps no defaults apart by them; this is the year of the sources read. */
export const llamaCppVersions: readonly string[] = ['2026'];

/** `--parallel` when nobody sets it: four slots over one context. */
const SLOTS = 4;

/** llama.cpp's server, all layers on the device: slots, KV allocated at start, prompts reused by the slot that has them. */
export function llamaCpp(version: string): EngineProfile {
  return {
    preset: 'llama.cpp',
    version,
    steps: 'mixed', // a batch holds the token of each slot that generates, then prompts up to --batch-size
    publishes: 'end',
    preemption: 'none',
    inFlight: 1,
    overhead: {
      step: assumed(0.3e-3, 'building the batch and the graph on the host; no run was fitted'),
      sequence: assumed(0.1e-3, 'sampling over the vocabulary on the host; no run was fitted'),
      request: assumed(1e-3, 'HTTP, template, tokenisation; no run was fitted'),
      delivery: assumed(20e-6, 'detokenising and sending one token; no run was fitted'),
    },
    launchPerLayer: assumed(14e-6, 'as fitted for vLLM: gaps between the kernels of a layer'),
    graphs: {
      sizes: [1],
      eagerLaunchPerLayer: assumed(50e-6, 'about ten kernels of a layer, near 5 µs each on the host'),
    },
    reserve: {
      context: assumed(0.45e9, 'device context, BLAS workspaces'),
      graphs: assumed(0, 'no captured graphs of many sizes'),
    },
    gpuMemoryUtilization: {value: 1, grade: 'datasheet', source: `${SOURCE}: no share; --fit leaves 1 GiB of each device`},
    kvUpFront: true,
    blockSize: 1,
    reservedBlocks: 0,
    limits: () => ({maxNumBatchedTokens: 2048, maxNumSeqs: SLOTS}),
    placed: (on) => ({gpuMemoryUtilization: fitted(on), graphs: llamaCpp(version).graphs}),
    needsFullContext: false,
    ideal: false,
    source: SOURCE,
  };
}

/** `--fit`, on by default: the context shrinks until 1 GiB of each device stays free. */
function fitted({memoryBytes}: Placement): Figure {
  const value = Math.max(0, Math.round((1 - GIB / memoryBytes) * 1e4) / 1e4);
  return {value, grade: 'datasheet', source: `${SOURCE}: --fit leaves 1 GiB of each device`};
}

function assumed(value: number, source: string): Figure {
  return {value, grade: 'assumed', source};
}
