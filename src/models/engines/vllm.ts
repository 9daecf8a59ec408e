import type {Figure} from '../provenance.js';
import type {EngineProfile} from './engine.js';

const FORMATS = 'github:vllm-project/vllm vllm/config/*.py, vllm/engine/arg_utils.py@017e9f4448';
const GIB = 1024 ** 3;

/** Releases that this profile stands for, oldest first; the last is the one an unversioned scenario gets. */
export const vllmVersions: readonly string[] = Array.from({length: 14}, (_, i) => `0.${11 + i}`);

/** The first minor release with 0.92: pull request #38284 was merged on 2026-04-21; the recorded 0.19.0 run still has 0.9. */
const FIRST_WITH_092 = 20;

/** The first minor release that schedules asynchronously without being asked: pull request #27614, released with 0.14.0. */
const FIRST_ASYNC = 14;

/** The first minor release that lays a block out in one piece over all layers: the kv-offloading-connector post of 2026-01-08 (vllm-project.github.io@c3a01c4a5807). */
const FIRST_CONTIGUOUS = 12;

/** Steps that are captured as CUDA graphs, in tokens: 1, 2, 4, every 8 up to 256, every 16 up to 512 (cudagraph_capture_sizes of the recorded 0.19.0 run). */
const captureSizes: readonly number[] = [
  1,
  2,
  4,
  ...Array.from({length: 32}, (_, i) => 8 * (i + 1)),
  ...Array.from({length: 16}, (_, i) => 256 + 16 * (i + 1)),
];

/** vLLM's V1 engine: continuous batching, chunked prefill, prefix cache, asynchronous scheduling since 0.14. */
export function vllm(version: string): EngineProfile {
  const minor = Number(version.split('.')[1]);
  return {
    preset: 'vllm',
    version,
    steps: 'mixed',
    publishes: 'plan',
    preemption: 'recompute',
    inFlight: minor >= FIRST_ASYNC ? 2 : 1,
    overhead: {
      step: assumed(1e-3, 'scheduler, input preparation and sampling on the host; hidden behind the device when that takes longer'),
      sequence: assumed(4e-6, 'bookkeeping and detokenisation of one sequence in a step'),
      request: fitted(4.7e-3),
      delivery: fitted(73e-6),
    },
    launchPerLayer: fitted(14e-6),
    graphs: {
      sizes: captureSizes,
      eagerLaunchPerLayer: assumed(50e-6, 'about ten kernels of a layer, near 5 µs each on the host'),
    },
    reserve: {
      context: assumed(0.45e9, 'CUDA context, cuBLAS workspaces'),
      graphs: assumed(0.3e9, 'captured CUDA graphs'),
    },
    gpuMemoryUtilization: {
      value: minor >= FIRST_WITH_092 ? 0.92 : 0.9,
      grade: 'datasheet',
      source: `${FORMATS}: 0.9 until 0.19, 0.92 since #38284 (2026-04-21)`,
    },
    blockSize: 16,
    copyPieces: minor >= FIRST_CONTIGUOUS ? 'block' : 'layer',
    offloads: 'prompt', // offload_prompt_only
    reservedBlocks: 1,
    limits: ({memoryBytes, id}) => limits(memoryBytes, id.startsWith('a100')),
    needsFullContext: true,
    ideal: false,
    source: FORMATS,
  };
}

/** vLLM's defaults for an online server, by the memory of the device. */
function limits(memoryBytes: number, isA100: boolean): {maxNumBatchedTokens: number; maxNumSeqs: number} {
  if (memoryBytes >= 160 * GIB) return {maxNumBatchedTokens: 16_384, maxNumSeqs: 1024};
  if (memoryBytes >= 70 * GIB && !isA100) return {maxNumBatchedTokens: 8192, maxNumSeqs: 1024};
  return {maxNumBatchedTokens: 2048, maxNumSeqs: 256};
}

/** `tiercast calibrate fit-engine` on these runs, without the stages that docs/accuracy.md judges. */
function fitted(value: number): Figure {
  return {value, grade: 'fitted', source: 'vLLM on H100, four Llama-2-7B load stages and one of Llama-2-70B TP4 (inference-sim/training)'};
}

function assumed(value: number, source: string): Figure {
  return {value, grade: 'assumed', source};
}
