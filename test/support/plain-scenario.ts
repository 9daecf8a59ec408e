import {builtinDevice} from '../../src/models/devices/index.js';
import {engineProfile} from '../../src/models/engines/index.js';
import {builtinLlm, kvFormat} from '../../src/models/llms/index.js';
import type {Scenario} from '../../src/sim/scenario/scenario.js';

/** Prices of a scenario that gives none. */
export const noPrices: Scenario['cost'] = {
  device: null,
  host: 0,
  dram: 0,
  ssd: 0,
  energy: 0,
  sources: {device: null, host: null, dram: null, ssd: null, energy: null},
};

interface Shape {
  model?: string;
  device?: string;
  engine?: string;
  version?: string | null;
  tensor?: number;
  kv?: string;
}

/** A scenario as the loader would make it, with defaults of engine and device; `changed` overrides whole keys. */
export function plainScenario(
  {model = 'llama-3.1-8b', device = 'h100-sxm', engine = 'vllm', version = null, tensor = 1, kv = 'auto'}: Shape,
  changed: Partial<Scenario> = {},
): Scenario {
  const llm = builtinLlm(model);
  const base = engineProfile(engine, version);
  const resolved = builtinDevice(device);
  const on = {memoryBytes: resolved.memory[resolved.home]?.capacity?.value ?? 0, id: device, tensor};
  const limits = base.limits(on);
  const profile = {...base, ...base.placed?.(on, limits.maxNumBatchedTokens)};
  return {
    name: 'plain',
    description: '',
    llm,
    activationType: 'bf16',
    device: resolved,
    count: tensor,
    costModel: {kind: 'auto'},
    engine: profile,
    parallel: {tensor, expert: 1, exchange: 'all-reduce'},
    gpuMemoryUtilization: profile.gpuMemoryUtilization.value,
    maxModelLen: null,
    scheduler: {
      policy: 'fcfs',
      parameters: {},
      steps: profile.steps,
      promptsPerStep: Number.POSITIVE_INFINITY,
      admission: {policy: 'none', value: 0},
      batching: 'continuous',
      ...limits,
      chunkedPrefill: true,
      longPrefillTokenThreshold: 0,
      prefillInterval: 1,
      preemption: profile.preemption,
      queueLimit: null,
      timeout: null,
    },
    kv: {
      format: kvFormat(kv, llm),
      blockSize: profile.blockSize,
      prefixCache: true,
      upFront: profile.kvUpFront ? 'one' : null,
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
      outputTokens: {dist: 'constant', value: 10},
      sharedPrefixes: null,
    },
    slo: {ttft: null, tpot: null, e2e: null, attainment: 0.95, session: null, makespan: null, classes: {}},
    cost: noPrices,
    run: {requests: 10, sessions: null, duration: null, warmup: {kind: 'auto'}, seed: 1, replications: 1, bounds: 'off'},
    report: {title: 'plain', panels: null, sample: 20_000},
    yaml: '',
    chosen: [],
    resolved: {},
    sha256: '',
    assumptions: [],
    warnings: [],
    files: [],
    ...changed,
  };
}
