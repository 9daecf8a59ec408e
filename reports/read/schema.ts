import * as z from 'zod';
import {grades} from '../../src/models/provenance.js';
import {InputError} from '../../src/sim/core/errors.js';
import type {Distribution} from '../../src/sim/metrics/summary.js';
import type {ResultDocument} from '../../src/sim/scenario/result.js';

const unknown = z.number().nullable();
const counts = z.record(z.string(), z.number());
const grade = z.enum(grades);
const range = z.tuple([z.number(), z.number()]);
const ranges = z.looseObject({mean: range.nullable(), p95: range.nullable()});

const distribution: z.ZodType<Distribution> = z.looseObject({
  n: z.number(),
  mean: unknown,
  p50: unknown,
  p90: unknown,
  p95: unknown,
  p99: unknown,
  max: unknown,
  ci95: ranges,
  interval80: ranges,
});

const memory = z.looseObject({
  size_bytes: z.number(),
  usable_bytes: z.number(),
  weights_bytes: z.number(),
  overhead_bytes: z.number(),
  kv_bytes: z.number(),
  free_bytes: z.number(),
  devices: z.number(),
});

const plan = z.looseObject({
  replicas: z.number().default(1),
  memories: z.record(z.string(), memory),
  terms: z.array(z.looseObject({name: z.string(), bytes: z.number(), formula: z.string(), grade})),
  block_bytes: z.number(),
  block_tokens: z.number(),
  kv_bytes_per_token: z.number(),
  kv_blocks: z.number(),
  kv_tokens: z.number(),
  resident_tokens: z.number(),
  tiers: z.record(z.string(), z.looseObject({kv_blocks: z.number(), kv_tokens: z.number(), scope: z.enum(['host', 'cluster']).optional()})),
  blocks_from: z.enum(['derived', 'measured', 'capped']),
  derived_blocks: z.number(),
  max_model_len_tokens: z.number(),
  max_context_tokens: z.number(),
  max_batch: z.number(),
  params_total: z.number(),
  params_active: z.number(),
});

const tier = z.looseObject({
  size_bytes: z.number(),
  used_bytes: z.looseObject({mean: z.number(), max: z.number()}),
  evictions: z.number(),
  reads_bytes: unknown,
  writes_bytes: unknown,
  moved_bytes: z
    .looseObject({
      load: z.number(),
      write: z.number(),
      prefetch_useful: z.number().exactOptional(),
      prefetch_late: z.number().exactOptional(),
      prefetch_wasted: z.number().exactOptional(),
    })
    .nullable(),
  refused_blocks: unknown,
  reuse_bytes: z.looseObject({median: z.number(), p90: z.number()}).nullable(),
  stay_s: unknown,
  endurance_bytes: unknown.default(null),
  wear_years: unknown,
});

const judged = {ttft_s: unknown, tpot_s: unknown, e2e_s: unknown, goal: z.number(), attainment: unknown, meets: z.boolean().nullable()};

const worth = z.looseObject({
  tier: z.string(),
  ttft_p95_s: z.looseObject({with: z.number(), without: z.number(), difference: z.number(), ci95: range.nullable()}),
  output_tokens_per_s: z.looseObject({with: unknown, without: unknown}),
  cost_usd: z.looseObject({with: unknown, without: unknown}),
  verdict: z.enum(['better', 'worse', 'no difference shown']),
  text: z.string(),
});

const beside = z.looseObject({with: z.number(), without: z.number()});

const prefetch = z.looseObject({
  policy: z.string(),
  ttft_p95_s: z.looseObject({with: z.number(), without: z.number(), difference: z.number(), ci95: range.nullable()}),
  ttft_mean_s: beside,
  load_mean_s: beside,
  tpot_mean_s: z.looseObject({with: unknown, without: unknown}),
  read_bytes: beside,
  verdict: z.enum(['better', 'worse', 'no difference shown']),
  text: z.string(),
});

/** result.json of schema 1. Keys that a later version adds are let through. */
const documentSchema: z.ZodType<ResultDocument> = z.looseObject({
  schema: z.literal('tiercast.result/1'),
  tiercast: z.looseObject({version: z.string()}),
  status: z.enum(['ok', 'partial', 'infeasible', 'aborted']),
  reason: z.string().nullable(),
  name: z.string(),
  title: z.string(),
  description: z.string(),
  headline: z.string(),
  scenario: z.unknown(),
  scenario_yaml: z.string(),
  scenario_chosen: z.array(z.string()).default([]),
  scenario_sha256: z.string(),
  command: z.string(),
  seed: z.number(),
  replications: z.number(),
  profiles: z.array(z.looseObject({id: z.string(), grade, engine: z.string()})),
  files_in: z.array(z.looseObject({path: z.string(), sha256: z.string()})),
  plan,
  verdict: z.array(z.looseObject({code: z.string(), text: z.string()})),
  warnings: z.array(z.looseObject({code: z.string(), path: z.string(), text: z.string()})),
  metrics: z.looseObject({
    ttft_s: distribution,
    ttft_server_s: distribution,
    tpot_s: distribution,
    itl_s: distribution,
    e2e_s: distribution,
    session_s: distribution,
    queue_s: distribution,
    load_s: distribution,
    normalised_latency_s: distribution,
  }),
  throughput: z.looseObject({
    requests_per_s: unknown,
    output_tokens_per_s: unknown,
    input_tokens_per_s: unknown,
    goodput_requests_per_s: unknown,
    sessions_per_s: unknown,
    mfu_share: unknown,
    mbu_share: unknown,
  }),
  slo: z.looseObject({
    ...judged,
    session_s: unknown,
    sessions_attainment: unknown,
    makespan_s: unknown,
    classes: z.record(
      z.string(),
      z.looseObject({...judged, requests: z.number(), ttft_p95_s: unknown, tpot_p95_s: unknown, e2e_p95_s: unknown}),
    ),
  }),
  requests: z.looseObject({
    arrived: z.number(),
    measured: z.number(),
    finished: z.number(),
    rejected: counts,
    timed_out: z.number(),
    failed: counts,
    preemptions: z.number(),
    warmup_requests: z.number(),
  }),
  load: z.looseObject({
    rho: unknown,
    overloaded: z.boolean(),
    busy_share: unknown,
    mean_running: unknown,
    mean_waiting: unknown,
    span_s: z.number(),
    makespan_s: z.number(),
  }),
  replicas: z
    .array(
      z.looseObject({
        requests: z.number(),
        busy_share: z.number(),
        mean_running: z.number(),
        mean_waiting: z.number(),
        hit_share: z.number(),
      }),
    )
    .default([]),
  hits: z.looseObject({
    unit: z.literal('tokens in whole blocks'),
    by_tier_tokens: counts,
    computed_tokens: z.number(),
    share: counts,
    bounds: z.looseObject({none: z.number(), belady: unknown.default(null), infinite: unknown}),
    prefix_cache: z.boolean(),
  }),
  tiers: z.record(z.string(), tier),
  links: z.record(
    z.string(),
    z.looseObject({
      bytes: z.number(),
      bytes_per_s: z.number(),
      limit_bytes_per_s: z.number(),
      busy_share: z.number(),
      waiting_s: z.number(),
    }),
  ),
  worth: z.array(worth).nullable(),
  sessions: z.looseObject({longest_tokens: unknown, resident_per_device: unknown, open_per_device: unknown}),
  prefetch: prefetch.exactOptional(),
  break_even_tokens: z.record(z.string(), unknown),
  load_or_compute: z
    .looseObject({tokens: z.array(z.number()), compute_s: z.array(z.number()), load_s: z.record(z.string(), z.array(z.number()))})
    .exactOptional(),
  time: z.looseObject({
    busy_s: z.number(),
    bound_share: z.looseObject({compute: z.number(), hbm: z.number(), link: z.number(), launch: z.number(), host: z.number()}),
    waiting_share: z.number(),
    by_step: z.looseObject({prefill: z.number(), mixed: z.number(), decode: z.number()}),
    steps: z.looseObject({prefill: z.number(), mixed: z.number(), decode: z.number()}),
  }),
  tokens: z.looseObject({
    prefill_computed: z.number(),
    generated: z.number(),
    discarded: z.number(),
    duplicate_blocks: z.number(),
    lookup_after_preemption: z.number(),
    hit_after_preemption: z.number(),
  }),
  cost: z.looseObject({
    devices: z.number(),
    per_hour_usd: unknown,
    per_million_output_tokens_usd: unknown,
    per_million_input_tokens_usd: unknown,
    per_session_usd: unknown,
    per_resident_session_hour_usd: unknown,
    per_open_session_hour_usd: unknown,
    per_hour: z
      .looseObject({device_usd: z.number(), host_usd: z.number(), dram_usd: z.number(), ssd_usd: z.number(), energy_usd: z.number()})
      .nullable(),
    prices: z.array(z.looseObject({part: z.string(), usd: z.number(), unit: z.string(), grade: grade.nullable(), source: z.string()})),
    listed: z.looseObject({usd_per_hour: z.number(), kind: z.string(), date: z.string(), source: z.string()}).nullable(),
  }),
  energy: z.looseObject({power_w: unknown, output_token_j: unknown}),
  provenance: z.array(
    z.looseObject({
      term: z.string(),
      grade,
      source: z.string(),
      interval: range,
      busy_share: z.number(),
      extrapolated_share: z.number().default(0),
    }),
  ),
  assumptions: z.array(z.looseObject({path: z.string(), value: z.string(), grade, source: z.string()})),
  trust: z.looseObject({grade: z.enum(['A', 'B', 'C', 'D']), text: z.string()}),
  files: z.looseObject({requests: z.string().nullable(), measured_from_row: z.number().int().nonnegative(), timeline: z.string()}),
  event_log_hash: z.string(),
});

/** Reads result.json's text. Throws InputError that names the file, the place in it, and what was wanted there. */
export function readDocument(text: string, file: string): ResultDocument {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InputError(`${file}: is no JSON: ${(error as Error).message.replace(/\s+/g, ' ')}`);
  }
  const schema = (value as {schema?: unknown} | null)?.schema;
  if (schema !== 'tiercast.result/1') {
    const found = schema === undefined ? 'has no schema' : `has the schema ${JSON.stringify(schema)}`;
    throw new InputError(`${file}: ${found}; this version reads "tiercast.result/1", the result.json of \`tiercast run\``);
  }
  const parsed = documentSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const {path, message} = parsed.error.issues[0]!;
  throw new InputError(`${file}: ${path.join('.')}: ${message}`);
}
