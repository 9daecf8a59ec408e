import type {Device} from '../../src/models/devices/device.js';
import type {EngineProfile} from '../../src/models/engines/engine.js';
import type {Llm} from '../../src/models/llms/llm.js';
import type {Figure} from '../../src/models/provenance.js';
import type {MemoryPlan, Scenario} from '../../src/sim/scenario/scenario.js';
import {noPrices} from './plain-scenario.js';

const figure = (value: number): Figure => ({value, grade: 'assumed', source: 'test'});
const bf16 = {name: 'bf16', bytesPerParam: 2, compute: 'activation'} as const;

const llm: Llm = {
  name: 'Tiny-1M',
  family: 'llama',
  hidden: 64,
  vocab: 1000,
  maxPositions: 4096,
  tiedEmbeddings: false,
  layers: [
    {
      count: 2,
      attention: {kind: 'gqa', heads: 4, kvHeads: 2, headDim: 16, valueDim: 16, window: null, extraParams: 0},
      feedForward: {kind: 'dense', width: 128, matrices: 3, extraParams: 0},
      normParams: 128,
    },
  ],
  otherParams: 64,
  formats: {attention: bf16, mlp: bf16, experts: bf16, shared_experts: bf16, embeddings: bf16, head: bf16},
  source: 'test',
};

const device: Device = {
  id: 'toy',
  name: 'Toy GPU',
  kind: 'gpu',
  vendor: 'test',
  home: 'hbm',
  memory: {hbm: {capacity: figure(1e9), bandwidth: figure(2e9)}},
  compute: {bf16: figure(4e9)},
  links: {},
  power: null,
  gpuLimit: null,
};

const engine: EngineProfile = {
  preset: 'vllm',
  version: '0.24.0',
  steps: 'mixed',
  publishes: 'plan',
  preemption: 'recompute',
  inFlight: 1,
  overhead: {step: figure(0), sequence: figure(0), request: figure(0), delivery: figure(0)},
  launchPerLayer: figure(0),
  graphs: null,
  reserve: {context: figure(0), graphs: figure(0)},
  gpuMemoryUtilization: figure(0.9),
  blockSize: 16,
  reservedBlocks: 1,
  limits: () => ({maxNumBatchedTokens: 2048, maxNumSeqs: 256}),
  needsFullContext: false,
  ideal: false,
  source: 'test',
};

/** A scenario that loads nothing: a toy model on a toy device, lengths at 1 req/s, nothing cut as warm-up. */
export function toyScenario(change: Partial<Scenario> = {}): Scenario {
  return {
    name: 'toy',
    description: '',
    llm,
    activationType: 'bf16',
    device,
    count: 1,
    costModel: {kind: 'constant', seconds: 1},
    engine,
    parallel: {tensor: 1, expert: 1, exchange: 'all-reduce'},
    gpuMemoryUtilization: 0.9,
    maxModelLen: null,
    scheduler: {
      policy: 'fcfs',
      parameters: {},
      steps: 'mixed',
      promptsPerStep: Number.POSITIVE_INFINITY,
      admission: {policy: 'none', value: 0},
      batching: 'continuous',
      maxNumSeqs: 256,
      maxNumBatchedTokens: 2048,
      chunkedPrefill: true,
      longPrefillTokenThreshold: 0,
      prefillInterval: 1,
      preemption: 'recompute',
      queueLimit: null,
      timeout: null,
    },
    kv: {
      format: bf16,
      blockSize: 16,
      prefixCache: true,
      upFront: null,
      blocks: null,
      capacityCap: null,
      eviction: 'lru',
      tiers: [],
      load: 'always',
      leastLoad: 0,
      chunkBlocks: 1,
      preset: null,
      overlap: 'none',
      prefetch: null,
    },
    host: {dram: null, ssd: null, remote: null, links: {host: null, storage: null, direct: null, network: null}},
    cluster: {replicas: 1, router: 'round-robin'},
    workload: {
      kind: 'lengths',
      arrivals: {process: 'poisson', rate: 1, of: 'request'},
      inputTokens: {dist: 'constant', value: 100},
      outputTokens: {dist: 'constant', value: 1},
      sharedPrefixes: null,
    },
    slo: {ttft: null, tpot: null, e2e: null, attainment: 0.95, session: null, makespan: null, classes: {}},
    cost: noPrices,
    run: {
      requests: 100,
      sessions: null,
      duration: null,
      warmup: {kind: 'requests', value: 0},
      seed: 1,
      replications: 1,
      bounds: 'hits',
    },
    report: {title: 'toy', panels: null, sample: 20_000},
    yaml: 'model: tiny\n',
    chosen: [],
    resolved: {model: {name: 'tiny'}},
    sha256: 'ab',
    assumptions: [],
    warnings: [],
    files: [],
    ...change,
  };
}

/** A plan of 100 blocks of 16 tokens and 1,000 bytes. */
export const toyPlan: MemoryPlan = {
  memory: 'hbm',
  deviceBytes: 1e9,
  usableBytes: 9e8,
  terms: [{name: 'weights', bytes: 8e8, formula: '0.4 G × 2 B', grade: 'datasheet'}],
  weightsBytes: 8e8,
  overheadBytes: 0,
  kvBytes: 1e8,
  freeBytes: 0,
  blockBytesPerDevice: 1000,
  blockBytes: 1000,
  kvBytesPerToken: 62.5,
  kvBlocks: 100,
  kvTokens: 1600,
  blocksFrom: 'derived',
  derivedBlocks: 100,
  maxModelLen: 4096,
  maxContextTokens: 1600,
  maxBatch: 16,
  tiers: [],
};
