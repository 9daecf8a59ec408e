import type {CostModel} from '../../models/cost/cost.js';
import type {Layout} from '../../models/cost/expert-layout.js';
import type {FitChoice} from '../../models/cost/kernel-time.js';
import type {Device} from '../../models/devices/device.js';
import type {EngineProfile} from '../../models/engines/engine.js';
import type {Llm, WeightFormat} from '../../models/llms/llm.js';
import type {Figure, Grade} from '../../models/provenance.js';
import type {AdmissionPolicyName, BlockAdmissionName} from '../../policies/admission/index.js';
import type {Eviction, ParameterValues} from '../../policies/eviction/eviction.js';
import type {EvictionPolicyName} from '../../policies/eviction/index.js';
import type {PrefetchPolicyName} from '../../policies/prefetch/index.js';
import type {RoutingPolicyName} from '../../policies/routing/index.js';
import type {SchedulingPolicyName} from '../../policies/scheduling/index.js';
import type {Chosen} from '../../policies/scheduling/policy.js';
import type {TierConfig} from '../memory/hierarchy-config.js';
import type {WorkloadConfig} from '../workload/workload.js';

/** A figure that somebody chose or guessed, with its grade: a row of "assumptions and trust". */
export interface Assumption {
  readonly path: string;
  readonly value: string;
  readonly grade: Grade;
  readonly source: string;
}

/** A warning of the loader, the planner or the run. */
export interface Warning {
  readonly code: string;
  readonly path: string;
  readonly text: string;
}

export interface SloTargets {
  /** Seconds; null: no goal. */
  readonly ttft: number | null;
  readonly tpot: number | null;
  readonly e2e: number | null;
}

/** The goals of a run; null: no goal. */
export interface Slo extends SloTargets {
  /** Share of the requests, and of the sessions, that must be good. */
  readonly attainment: number;
  /** Seconds of a session, and of the run. */
  readonly session: number | null;
  readonly makespan: number | null;
  /** Goals of the classes that have their own, with those of all filled in. */
  readonly classes: Readonly<Record<string, SloTargets & {readonly attainment: number}>>;
}

/** What has a price, in the order of tables. */
export const pricedParts = ['device', 'host', 'dram', 'ssd', 'energy'] as const;
export type PricedPart = (typeof pricedParts)[number];

/** Prices that the scenario gives. */
export interface Prices {
  /** USD per hour of one device; null: no price, so no cost. */
  readonly device: number | null;
  /** USD per hour of the host of a replica. */
  readonly host: number;
  /** USD per byte and hour. */
  readonly dram: number;
  readonly ssd: number;
  /** USD per kWh. */
  readonly energy: number;
  /** Where each price comes from; null: none is given. */
  readonly sources: Readonly<Record<PricedPart, {readonly grade: Grade; readonly source: string} | null>>;
}

/** Memories below HBM that can hold KV, nearest first. `page-cache` is what DRAM holds of an SSD's files. */
export const tierNames = ['dram', 'page-cache', 'ssd', 'remote'] as const;
export type TierName = (typeof tierNames)[number];

/** KV blocks in one memory below HBM. */
export interface KvTier {
  readonly name: TierName;
  /** Bytes that KV may use, over the whole replica, or of all replicas together. */
  readonly capacity: number;
  readonly eviction: EvictionPolicyName | (string & {});
  /** Its parameters, as far as they are not the defaults. */
  readonly evictionParams?: ParameterValues;
  /** The policy itself, where it comes from a file. */
  readonly ownEviction?: Eviction;
  readonly write: KvWrite;
  /** Which blocks come in; absent: all. */
  readonly admission?: BlockAdmissionChoice;
  /** Shares of the capacity at which places are freed in bulk, and down to which; absent: one is freed when one is needed. */
  readonly watermark?: {readonly high: number; readonly low: number};
  readonly inclusive: boolean;
  /** Whether what is loaded from here also comes into the memory above, where that is no HBM. */
  readonly promote: boolean;
  readonly via: 'dram' | 'direct';
  /** Who shares it; absent: each replica has its own. */
  readonly scope?: 'host' | 'cluster';
}

/** When a block is written to a memory; `selective` is through, once it was used so often (`counts`: what a use is). */
export type KvWrite = TierConfig['write'] | SelectiveWrite;

interface SelectiveWrite {
  readonly when: 'selective';
  readonly afterTouches: number;
  /** Being found; being found or computed; the same since the block came to HBM. Below the nearest memory: being found. */
  readonly counts: 'hits' | 'lookups' | 'stay';
  /** Nearest memory, where computing counts: whether generated blocks count when they are computed, or only once they are part of a prompt. */
  readonly generated: boolean;
}

/** Who decides which blocks come into a memory, with its parameters. */
export interface BlockAdmissionChoice {
  readonly policy: BlockAdmissionName;
  readonly params: ParameterValues;
}

/** What a knob of `kv.preset` is, and the keys it became. */
export interface KvKnob {
  readonly name: string;
  readonly value: string;
  /** `written`: in kv.args; else the preset's default. */
  readonly written: boolean;
  /** `path: value` of each key, or why there is none. */
  readonly became: string;
}

/** An offload preset as it was applied. */
export interface KvPresetUse {
  readonly name: string;
  readonly source: string;
  readonly knobs: readonly KvKnob[];
  /** What the engine does and this simulation does not, one clause each. */
  readonly leftOut: readonly string[];
}

/** A link that copies cross; both directions are equal. */
export interface HostLink {
  /** One direction, over the whole replica, in large pieces. */
  readonly bandwidth: Figure;
  readonly latency: Figure;
  /** Both directions together, over the whole replica; null: each has its own. */
  readonly duplex: Figure | null;
  /** What each contiguous piece of a copy costs beside its bytes, s. */
  readonly piece: Figure;
}

/** Memories of the host of a replica, with the links to them. */
export interface HostMemories {
  readonly dram: {readonly capacity: number | null; readonly bandwidth: Figure; readonly latency: Figure} | null;
  readonly ssd: {
    readonly name: string;
    readonly capacity: number;
    readonly read: Figure;
    readonly write: Figure;
    readonly latency: Figure;
    /** Operations a second; null: not bound. */
    readonly iops: Figure | null;
    /** Reads in flight. */
    readonly queueDepth: number;
    /** Bytes that can be written in its life; null: not known. */
    readonly endurance: Figure | null;
  } | null;
  /** A memory of another host, behind a network; its own bandwidth null: only the network bounds it. */
  readonly remote: {readonly capacity: number; readonly bandwidth: Figure | null; readonly latency: Figure} | null;
  readonly links: Readonly<Record<HostLinkName, HostLink | null>>;
}

/** Links of the host that KV crosses. */
export type HostLinkName = 'host' | 'storage' | 'direct' | 'network';

/** A scenario after load → normalise → validate: names looked up, units gone (SI), defaults filled in. */
export interface Scenario {
  readonly name: string;
  readonly description: string;
  readonly llm: Llm;
  readonly activationType: 'bf16' | 'fp16' | 'fp32';
  readonly device: Device;
  /** Devices of one replica. */
  readonly count: number;
  readonly costModel: {readonly kind: FitChoice} | {readonly kind: 'constant'; readonly seconds: number};
  readonly engine: EngineProfile;
  readonly parallel: Layout;
  readonly gpuMemoryUtilization: number;
  /** Tokens; null: the model's, or what fits when the engine allows that. */
  readonly maxModelLen: number | null;
  readonly scheduler: {
    readonly policy: SchedulingPolicyName;
    /** Of the policy, in SI. */
    readonly parameters: Chosen;
    readonly batching: 'continuous' | 'static' | 'request';
    readonly steps: 'mixed' | 'prefill-first';
    /** Infinity: no limit. */
    readonly promptsPerStep: number;
    readonly admission: {readonly policy: AdmissionPolicyName; readonly value: number};
    readonly maxNumSeqs: number;
    readonly maxNumBatchedTokens: number;
    readonly chunkedPrefill: boolean;
    readonly longPrefillTokenThreshold: number;
    readonly prefillInterval: number;
    readonly preemption: 'recompute' | 'retract' | 'none';
    readonly queueLimit: number | null;
    readonly timeout: number | null;
  };
  readonly kv: {
    readonly format: WeightFormat;
    readonly blockSize: number;
    readonly prefixCache: boolean;
    /** KV allocated at start: one context for all sequences, or one for each; null: all that is left. */
    readonly upFront: 'one' | 'each' | null;
    /** A measured number that replaces the derived one. */
    readonly blocks: number | null;
    /** Cap in bytes from kv.tiers.hbm.capacity, over the whole replica. */
    readonly capacityCap: number | null;
    /** Who leaves HBM when room is needed. */
    readonly eviction: EvictionPolicyName | (string & {});
    /** Its parameters, as far as they are not the defaults. */
    readonly evictionParams?: ParameterValues;
    /** The policy itself, where it comes from a file. */
    readonly ownEviction?: Eviction;
    /** Memories below HBM that keep blocks, nearest first. */
    readonly tiers: readonly KvTier[];
    /** Whether what lies below is loaded, or computed again. */
    readonly load: 'always' | 'never' | 'cheaper';
    /** Tokens of the shortest load: less is computed. */
    readonly leastLoad: number;
    /** Blocks that the memories below keep, load and write together. */
    readonly chunkBlocks: number;
    /** The preset whose rules these are, null without one. */
    readonly preset: KvPresetUse | null;
    /** Whether computing begins when all is loaded, or with the first layer. */
    readonly overlap: 'none' | 'layer';
    /** What is loaded before it is asked for, with all parameters; null: nothing. */
    readonly prefetch: {readonly policy: PrefetchPolicyName; readonly params: ParameterValues} | null;
  };
  /** What the host has; null where nothing of it is used. Links are of one device unless said. */
  readonly host: HostMemories;
  /** Equal replicas, and who gets a request. */
  readonly cluster: {
    readonly replicas: number;
    readonly router: RoutingPolicyName;
    /** Its parameters, as far as they are not the defaults. */
    readonly routerParams?: ParameterValues;
  };
  readonly workload: WorkloadConfig;
  readonly slo: Slo;
  readonly cost: Prices;
  readonly run: {
    readonly requests: number | null;
    readonly sessions: number | null;
    readonly duration: number | null;
    /** `auto`, seconds, or a number of requests. */
    readonly warmup:
      | {readonly kind: 'auto'}
      | {readonly kind: 'seconds'; readonly value: number}
      | {readonly kind: 'requests'; readonly value: number};
    readonly seed: number;
    readonly replications: number;
    readonly bounds: 'off' | 'hits' | 'full';
  };
  readonly report: {readonly title: string; readonly panels: readonly string[] | null; readonly sample: number};
  /** The scenario as resolved, as YAML and as plain JSON in SI. */
  readonly yaml: string;
  /** Paths that it writes itself, but for those that say what is the default anyway. */
  readonly chosen: readonly string[];
  readonly resolved: unknown;
  readonly sha256: string;
  readonly assumptions: readonly Assumption[];
  readonly warnings: readonly Warning[];
  /** Files that built it, relative to the scenario. */
  readonly files: readonly {readonly path: string; readonly sha256: string}[];
}

/** One term of the memory plan: its name, bytes on one device, and the formula with numbers. */
export interface PlanTerm {
  readonly name: string;
  readonly bytes: number;
  readonly formula: string;
  readonly grade: Grade;
}

/** Where memory goes, on one device unless said. `planMemory` throws InfeasibleError when no request fits. */
export interface MemoryPlan {
  readonly memory: string;
  /** As the driver reports. */
  readonly deviceBytes: number;
  /** What the engine may use. */
  readonly usableBytes: number;
  /** weights, activations, logits, context, graphs … in order of subtraction. */
  readonly terms: readonly PlanTerm[];
  readonly weightsBytes: number;
  readonly overheadBytes: number;
  /** What is left for KV. */
  readonly kvBytes: number;
  readonly freeBytes: number;
  /** Bytes of one block on one device, and over all devices of the replica. */
  readonly blockBytesPerDevice: number;
  readonly blockBytes: number;
  readonly kvBytesPerToken: number;
  readonly kvBlocks: number;
  readonly kvTokens: number;
  /** Whether `kv.blocks` or a cap replaced what was derived. */
  readonly blocksFrom: 'derived' | 'measured' | 'capped';
  readonly derivedBlocks: number;
  readonly maxModelLen: number;
  /** Longest context that one request can have. */
  readonly maxContextTokens: number;
  readonly maxBatch: number;
  /** Memories below, nearest first: bytes over the whole replica, and what of them KV gets. */
  readonly tiers: readonly TierPlan[];
}

/** What KV gets of one memory below HBM, over the whole replica, or of all replicas together. */
export interface TierPlan {
  readonly memory: TierName;
  /** Who shares it; absent: each replica has its own. */
  readonly scope?: 'host' | 'cluster';
  /** Bytes of the memory itself. */
  readonly sizeBytes: number;
  readonly kvBytes: number;
  readonly kvBlocks: number;
  readonly kvTokens: number;
}

/** What `build` makes of a scenario: all that a run needs beside the traffic. */
export interface BuiltCost {
  readonly model: CostModel;
}
