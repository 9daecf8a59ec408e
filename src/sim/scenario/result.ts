import type {Grade} from '../../models/provenance.js';
import type {Distribution} from '../metrics/summary.js';

/**
 * The content of result.json, schema `tiercast.result/1`: the file's own words (snake_case, unit as suffix), SI only, null = unknown.
 *
 * Written with 9 significant digits, without wall clock, user, host or absolute path, so equal runs give equal bytes.
 */
export interface ResultDocument {
  schema: 'tiercast.result/1';
  tiercast: {version: string};
  status: 'ok' | 'partial' | 'infeasible' | 'aborted';
  reason: string | null;
  name: string;
  title: string;
  description: string;
  /** One line: model, devices, engine and version, workload, seed. */
  headline: string;
  scenario: unknown;
  scenario_yaml: string;
  /** Paths of it that the scenario writes itself, but for those that say what is the default anyway. */
  scenario_chosen: string[];
  scenario_sha256: string;
  /** The command that gives this result again. */
  command: string;
  seed: number;
  replications: number;
  profiles: {id: string; grade: Grade; engine: string}[];
  files_in: {path: string; sha256: string}[];
  plan: PlanDocument;
  verdict: {code: string; text: string}[];
  warnings: {code: string; path: string; text: string}[];
  metrics: Record<MetricName, Distribution>;
  throughput: {
    requests_per_s: number | null;
    output_tokens_per_s: number | null;
    input_tokens_per_s: number | null;
    goodput_requests_per_s: number | null;
    /** Sessions that started. */
    sessions_per_s: number | null;
    mfu_share: number | null;
    mbu_share: number | null;
  };
  /** Goals in seconds; attainment = share of measured requests that meet all of them; goal = the share wanted; meets = everything asked for. */
  slo: SloDocument & {
    /** Goals of a session and of the run, and the share of sessions within theirs. */
    session_s: number | null;
    sessions_attainment: number | null;
    makespan_s: number | null;
    /** Where there are several classes, or goals of one: each with its goals. */
    classes: Record<
      string,
      SloDocument & {requests: number; ttft_p95_s: number | null; tpot_p95_s: number | null; e2e_p95_s: number | null}
    >;
  };
  requests: {
    arrived: number;
    measured: number;
    finished: number;
    rejected: Record<string, number>;
    timed_out: number;
    failed: Record<string, number>;
    preemptions: number;
    warmup_requests: number;
  };
  load: {
    /** Work asked for over time available: ≥ 1 means the queue grows for ever. Null when the run is too short to say. */
    rho: number | null;
    overloaded: boolean;
    busy_share: number | null;
    mean_running: number | null;
    mean_waiting: number | null;
    span_s: number;
    makespan_s: number;
  };
  /** Each replica by its number: measured requests of all replications, and shares of whole runs. */
  replicas: {requests: number; busy_share: number; mean_running: number; mean_waiting: number; hit_share: number}[];
  hits: {
    unit: 'tokens in whole blocks';
    by_tier_tokens: Record<string, number>;
    computed_tokens: number;
    /** Shares of prompt tokens. */
    share: Record<string, number>;
    /** Shares of prompt tokens; `belady`: one memory as large as all together that knows the future, null where that was not worked out. */
    bounds: {none: number; belady: number | null; infinite: number | null};
    prefix_cache: boolean;
  };
  /** Sessions a device. */
  sessions: {
    /** KV of a session when it is longest, whole blocks: mean over all sessions of the run, with those that its end cut short; null when none finished. */
    longest_tokens: number | null;
    /** Most sessions of that length whose whole KV lies in some memory, as if they shared nothing; null without a prefix cache. */
    resident_per_device: number | null;
    /** Sessions that are always open: of a closed loop, else null. */
    open_per_device: number | null;
  };
  tiers: Record<string, TierDocument>;
  /** Each link and memory port that transfers crossed, all replications together; `busy_share` is bytes over what it could have moved in the run. */
  links: Record<string, {bytes: number; bytes_per_s: number; limit_bytes_per_s: number; busy_share: number; waiting_s: number}>;
  /** What each memory below HBM is worth: the same requests without it. Null when that was not run. */
  worth: TierWorth[] | null;
  /** What `kv.prefetch` is worth: the same requests without it. Absent without one, or when that was not run. */
  prefetch?: PrefetchWorth;
  /** From how many tokens on a load is sooner than computing them, alone, by tier; null: never, up to the largest context. */
  break_even_tokens: Record<string, number | null>;
  /** Seconds to compute a prefix of each length, and to load it from each memory below, alone. Absent without memories below. */
  load_or_compute?: {tokens: number[]; compute_s: number[]; load_s: Record<string, number[]>};
  time: {
    busy_s: number;
    /** Shares of busy time; `waiting` is apart: the share of the run in which requests waited. */
    bound_share: Record<'compute' | 'hbm' | 'link' | 'launch' | 'host', number>;
    waiting_share: number;
    /** Shares of busy time. */
    by_step: {prefill: number; mixed: number; decode: number};
    steps: {prefill: number; mixed: number; decode: number};
  };
  tokens: {
    prefill_computed: number;
    generated: number;
    discarded: number;
    duplicate_blocks: number;
    lookup_after_preemption: number;
    hit_after_preemption: number;
  };
  cost: {
    /** Devices that are paid for. */
    devices: number;
    per_hour_usd: number | null;
    per_million_output_tokens_usd: number | null;
    per_million_input_tokens_usd: number | null;
    per_session_usd: number | null;
    /** Of an hour, over the sessions that are resident, and over those that are open. */
    per_resident_session_hour_usd: number | null;
    per_open_session_hour_usd: number | null;
    /** Where the hour goes; null without a price of the device. */
    per_hour: {device_usd: number; host_usd: number; dram_usd: number; ssd_usd: number; energy_usd: number} | null;
    /** The prices used, 0 with a null grade where none is given; empty without a price of the device. */
    prices: {part: string; usd: number; unit: string; grade: Grade | null; source: string}[];
    /** What somebody published that the device costs; never used by itself. */
    listed: {usd_per_hour: number; kind: string; date: string; source: string} | null;
  };
  /** What the devices draw at the most, and a share of it for each output token; null where their power is not known. */
  energy: {power_w: number | null; output_token_j: number | null};
  provenance: {term: string; grade: Grade; source: string; interval: [number, number]; busy_share: number; extrapolated_share: number}[];
  assumptions: {path: string; value: string; grade: Grade; source: string}[];
  trust: {grade: 'A' | 'B' | 'C' | 'D'; text: string};
  /** `measured_from_row`: the first row of requests.csv, counted from 0 without the header, that is not warm-up. */
  files: {requests: string | null; measured_from_row: number; timeline: string};
  event_log_hash: string;
}

/** Goals in seconds, null: none; the share of requests that meet them, and the share wanted. */
export interface SloDocument {
  ttft_s: number | null;
  tpot_s: number | null;
  e2e_s: number | null;
  goal: number;
  attainment: number | null;
  meets: boolean | null;
}

/** What one memory held and moved, over whole runs. Of HBM: what running requests held; steps move its bytes, not transfers. */
export interface TierDocument {
  size_bytes: number;
  used_bytes: {mean: number; max: number};
  evictions: number;
  /** Bytes loaded to HBM and written here; null of HBM itself. */
  reads_bytes: number | null;
  writes_bytes: number | null;
  moved_bytes: MovedBytes | null;
  /** Blocks that found no place because all of it was in use; null of HBM itself. */
  refused_blocks: number | null;
  /** Last memory only: bytes that came between two uses, of prompts asked for after they had left; null while there are none. */
  reuse_bytes: {median: number; p90: number} | null;
  /** How long a block stays, on average: capacity over the rate of writes; null while nothing leaves. */
  stay_s: number | null;
  /** Bytes that may be written in all, as the vendor states it; null where it does not. */
  endurance_bytes: number | null;
  /** Years until the endurance is used up at this rate of writes; null where no endurance is stated. */
  wear_years: number | null;
}

/** By cause; of prefetches, with `kv.prefetch` only: used before they left, asked for while under way, and neither. `reads_bytes` is the sum of all but `write`. */
export interface MovedBytes {
  load: number;
  write: number;
  prefetch_useful?: number;
  prefetch_late?: number;
  prefetch_wasted?: number;
}

/** A run without prefetches beside the run with them, on the same random streams: what they hid, and what they moved for it. */
export interface PrefetchWorth {
  policy: string;
  ttft_p95_s: {with: number; without: number; difference: number; ci95: [number, number] | null};
  /** Mean TTFT and mean time that a request waits for loads, over all measured requests. */
  ttft_mean_s: {with: number; without: number};
  load_mean_s: {with: number; without: number};
  tpot_mean_s: {with: number | null; without: number | null};
  /** Read from below HBM, whole runs. */
  read_bytes: {with: number; without: number};
  verdict: 'better' | 'worse' | 'no difference shown';
  text: string;
}

/** A run without one tier beside the run with it, on the same random streams; relative figures are of the run without. */
export interface TierWorth {
  tier: string;
  ttft_p95_s: {with: number; without: number; difference: number; ci95: [number, number] | null};
  output_tokens_per_s: {with: number | null; without: number | null};
  /** Of a million output tokens; without the tier its price is gone too. Null without a price of the device. */
  cost_usd: {with: number | null; without: number | null};
  verdict: 'better' | 'worse' | 'no difference shown';
  text: string;
}

export const metricNames = [
  'ttft_s',
  'ttft_server_s',
  'tpot_s',
  'itl_s',
  'e2e_s',
  'session_s',
  'queue_s',
  'load_s',
  'normalised_latency_s',
] as const;
export type MetricName = (typeof metricNames)[number];

/** Where memory goes in one replica. */
export interface PlanDocument {
  /** Equal replicas, each with all that stands here. */
  replicas: number;
  memories: Record<
    string,
    {
      size_bytes: number;
      usable_bytes: number;
      weights_bytes: number;
      overhead_bytes: number;
      kv_bytes: number;
      free_bytes: number;
      devices: number;
    }
  >;
  /** On one device, in the order of subtraction. */
  terms: {name: string; bytes: number; formula: string; grade: Grade}[];
  block_bytes: number;
  block_tokens: number;
  kv_bytes_per_token: number;
  kv_blocks: number;
  kv_tokens: number;
  /** Different KV that all memories of a replica keep together. */
  resident_tokens: number;
  /** KV room of the memories below, whole blocks; `scope`: one memory for all replicas, absent where each has its own. */
  tiers: Record<string, {kv_blocks: number; kv_tokens: number; scope?: 'host' | 'cluster' | undefined}>;
  blocks_from: 'derived' | 'measured' | 'capped';
  derived_blocks: number;
  max_model_len_tokens: number;
  max_context_tokens: number;
  max_batch: number;
  params_total: number;
  params_active: number;
}

/** What a report page is drawn from: the document, a sample of the requests, and the timeline. */
export interface Report {
  readonly document: ResultDocument;
  /** Measured requests, at most `report.sample`, evenly picked in order of arrival; seconds, NaN = not applicable. */
  readonly sample: {
    readonly id: Float64Array;
    readonly arrival: Float64Array;
    readonly ttft: Float64Array;
    readonly tpot: Float64Array;
    readonly e2e: Float64Array;
    readonly inputTokens: Float64Array;
    readonly outputTokens: Float64Array;
    /** In any memory. */
    readonly hitTokens: Float64Array;
  };
  /** Rows of timeline.csv, as columns: time_s (start of the interval), running, waiting, batch_tokens, kv_hbm_bytes, kv_cached_bytes, bound_*_share of the interval. */
  readonly timeline: Readonly<Record<TimelineColumn, Float64Array>>;
}

/** Names of the page's panels below the verdict, in the order of the page: what `report.panels` may list. */
export const panelNames = [
  'memory',
  'latency',
  'over-time',
  'bounds',
  'moved',
  'prefetch',
  'wear',
  'hits',
  'load-or-compute',
  'worth',
  'goals',
  'trust',
  'reproduce',
] as const;
export type PanelName = (typeof panelNames)[number];

/** What stands in timeline.csv for all replicas together, where there are several. */
export const allReplicas = 'all';

export const timelineColumns = [
  'time_s',
  'running',
  'waiting',
  'loading',
  'batch_tokens',
  'kv_hbm_bytes',
  'kv_cached_bytes',
  'kv_dram_bytes',
  'kv_ssd_bytes',
  'link_host_up_bytes_per_s',
  'link_host_down_bytes_per_s',
  'ssd_read_bytes_per_s',
  'ssd_write_bytes_per_s',
  'bound_compute_share',
  'bound_hbm_share',
  'bound_link_share',
  'bound_launch_share',
  'bound_host_share',
] as const;
export type TimelineColumn = (typeof timelineColumns)[number];

/** A run as `run` writes it: the document, and the two tables as text rows. */
export interface RunResult {
  readonly report: Report;
  /** Header and rows of requests.csv, or null with --no-requests. */
  readonly requestRows: Iterable<readonly (string | number)[]> | null;
}
