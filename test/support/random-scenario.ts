import {evictionPolicies} from '../../src/policies/eviction/index.js';
import {type Random, stream} from '../../src/sim/core/random.js';
import {planMemory} from '../../src/sim/scenario/plan.js';
import type {KvTier, MemoryPlan, Scenario} from '../../src/sim/scenario/scenario.js';
import type {Arrivals, Traffic, WorkloadConfig} from '../../src/sim/workload/workload.js';
import {plainScenario} from './plain-scenario.js';
import {figure} from './tier-chats.js';

const MODELS = ['llama-3.1-8b', 'qwen3-30b-a3b', 'gemma-2-9b', 'deepseek-v2-lite', 'gpt-oss-20b', 'opt-6.7b'];

/** A random whole scenario: a built-in model on one H100 that is short of KV blocks, under chat or independent requests. */
export function randomScenario(seed: number): {scenario: Scenario; plan: MemoryPlan} {
  const random = stream(seed, 'test/scenario');
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  const model = MODELS[whole(0, MODELS.length - 1)];
  const plain = plainScenario({model, engine: random() < 0.8 ? 'vllm' : 'ideal'});
  const scenario: Scenario = {
    ...plain,
    maxModelLen: 2048,
    scheduler: {
      ...plain.scheduler,
      maxNumSeqs: whole(4, 64),
      maxNumBatchedTokens: whole(64, 1024),
      preemption: random() < 0.8 ? 'recompute' : 'none',
      queueLimit: random() < 0.2 ? whole(2, 20) : null,
      timeout: random() < 0.2 ? 1 + 5 * random() : null,
    },
    kv: {...plain.kv, blocks: whole(140, 900), prefixCache: random() < 0.8, ...evictionOf(seed)},
    workload: randomWorkload(random, whole),
    run: {...plain.run, requests: whole(50, 200), seed},
  };
  return {scenario, plan: planMemory(scenario)};
}

/** The same with prefix caching and DRAM, mostly an SSD too, for some hundred blocks each; every memory has another eviction policy, and some are shared where there are two replicas. */
export function randomTiers(seed: number): {scenario: Scenario; plan: MemoryPlan} {
  const random = stream(seed, 'test/tiers-of-scenario');
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  const {scenario, plan} = randomScenario(seed);
  const writes: KvTier['write'][] = [{when: 'through', generated: true}, {when: 'through', generated: false}, {when: 'back'}];
  const write = writes[whole(0, 2)];
  const tiers = (['dram', 'ssd'] as const).slice(0, whole(1, 3)).map((name, i): KvTier => {
    const capacity = whole(50, 900) * plan.blockBytes;
    return {
      name,
      capacity,
      ...evictionOf(seed + 5 * i + 5),
      write,
      ...(seed % 3 === i ? admissions[whole(0, admissions.length - 1)] : {}),
      ...(seed % 4 === i + 1 ? {watermark: {high: 0.7 + 0.3 * random(), low: 0.6 * random()}} : {}),
      inclusive: write.when !== 'back' || random() < 0.5,
      promote: false,
      via: 'dram',
      ...(seed % 3 === 0 ? {scope: 'cluster'} : seed % 3 === 1 && name === 'ssd' ? {scope: 'host'} : {}),
    };
  });
  const link = (bandwidth: number) => ({bandwidth: figure(bandwidth), latency: figure(0), duplex: null, piece: figure(0)});
  return {
    scenario: {
      ...scenario,
      kv: {
        ...scenario.kv,
        prefixCache: true,
        tiers,
        load: random() < 0.7 ? 'always' : 'cheaper',
        overlap: random() < 0.5 ? 'none' : 'layer',
      },
      cluster: {replicas: whole(1, 2), router: seed % 3 === 0 ? 'round-robin' : 'session-affinity'},
      host: {
        dram: {capacity: 1e13, bandwidth: figure(2e11), latency: figure(0)},
        ssd: {
          name: 'SSD',
          capacity: 1e13,
          read: figure(10 ** (8 + 2 * random())),
          write: figure(10 ** (8 + 2 * random())),
          latency: figure(1e-4),
          iops: null,
          queueDepth: 16,
          endurance: null,
        },
        remote: null,
        links: {host: link(10 ** (9 + 2 * random())), storage: null, direct: null, network: null},
      },
    },
    plan: {
      ...plan,
      tiers: tiers.map(({name, capacity, scope}) => {
        const kvBlocks = capacity / plan.blockBytes;
        const kvTokens = kvBlocks * scenario.kv.blockSize;
        return {memory: name, sizeBytes: 1e13, kvBytes: capacity, kvBlocks, kvTokens, ...(scope === undefined ? {} : {scope})};
      }),
    },
  };
}

const evictions: Pick<Scenario['kv'], 'eviction' | 'evictionParams'>[] = [
  ...Object.keys(evictionPolicies).map((name) => ({eviction: name as keyof typeof evictionPolicies})),
  {eviction: 'predicted', evictionParams: {gap: 'session'}},
  {eviction: 'ewma', evictionParams: {overdue: 'leave'}},
  {eviction: 'priority', evictionParams: {shared: 80, own: 20}},
];

const admissions: Pick<KvTier, 'admission'>[] = [
  {admission: {policy: 'after-touches', params: {k: 1, counts: 'hits'}}},
  {admission: {policy: 'by-size', params: {tokens: 300, of: 'longer'}}},
  {admission: {policy: 'predicted-use', params: {within: 1, alpha: 0.2}}},
];

/** Policy by policy. */
function evictionOf(seed: number) {
  return evictions[seed % evictions.length];
}

/** One kind of traffic, or in one scenario of four two at once. */
function randomWorkload(random: Random, whole: (from: number, to: number) => number): WorkloadConfig {
  const traffic = randomTraffic(random, whole);
  if (random() < 0.75) return traffic;
  const streams = [traffic, randomTraffic(random, whole)].map((one, i) => ({name: `s${i}`, class: `c${i}`, traffic: one}));
  return {kind: 'streams', streams};
}

function randomTraffic(random: Random, whole: (from: number, to: number) => number): Traffic {
  const arrivals: Arrivals =
    random() < 0.3
      ? {process: 'closed-loop', sessions: whole(1, 30)}
      : {process: 'gamma', rate: 1 + 30 * random(), cv: 0.2 + 2 * random(), of: 'session'};
  const sharedPrefixes =
    random() < 0.5
      ? {count: whole(1, 5), tokens: {dist: 'constant', value: whole(1, 300)} as const, popularity: {dist: 'zipf', s: 1} as const}
      : null;
  const outputTokens = {dist: 'lognormal', mean: whole(5, 150), cv: random()} as const;
  const kind = random();
  if (kind < 0.1) {
    return {
      kind: 'agent',
      arrivals,
      steps: {dist: 'geometric', mean: whole(2, 8)},
      userTokens: {dist: 'lognormal', mean: whole(10, 150), cv: 1},
      toolResultTokens: {dist: 'lognormal', mean: whole(10, 200), cv: 1.5},
      toolTime: {dist: 'exponential', mean: 0.01 + random()},
      outputTokens,
      contextLimit: random() < 0.6 ? {tokens: whole(400, 900), keepTokens: whole(0, 300)} : null,
      sharedPrefixes,
    };
  }
  if (kind < 0.2) {
    return {
      kind: 'document-qa',
      arrivals,
      documents: {count: whole(1, 12), tokens: {dist: 'uniform', min: 50, max: 800}, popularity: {dist: 'zipf', s: 0.9}},
      questions: {dist: 'geometric', mean: whole(1, 4)},
      questionTokens: {dist: 'uniform', min: 5, max: 60},
      outputTokens,
      thinkTime: {dist: 'exponential', mean: 0.01 + random()},
    };
  }
  if (kind < 0.25)
    return {kind: 'batch', arrivals: null, inputTokens: {dist: 'gamma', mean: whole(20, 600), cv: 0.8}, outputTokens, sharedPrefixes};
  if (kind < 0.5) {
    const of = arrivals.process === 'closed-loop' ? arrivals : {...arrivals, of: 'request' as const};
    return {kind: 'lengths', arrivals: of, inputTokens: {dist: 'gamma', mean: whole(20, 600), cv: 0.8}, outputTokens, sharedPrefixes};
  }
  return {
    kind: 'chat',
    arrivals,
    turns: {dist: 'geometric', mean: whole(1, 6)},
    thinkTime: {dist: 'exponential', mean: 0.01 + 3 * random()},
    userTokens: {dist: 'lognormal', mean: whole(10, 150), cv: 1},
    outputTokens,
    sharedPrefixes,
  };
}
