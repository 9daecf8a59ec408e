import {quantileSorted} from 'd3';
import {type Random, stream} from '../../src/sim/core/random.js';
import type {Distribution} from '../../src/sim/metrics/summary.js';
import type {MetricName, Report, ResultDocument, TimelineColumn} from '../../src/sim/scenario/result.js';

const GiB = 2 ** 30;

/** What a test may ask of the example: how many measured requests, how many rows of timeline, and which text stands for every name. */
export interface ExampleOptions {
  readonly requests?: number;
  readonly rows?: number;
  readonly text?: string;
  readonly goals?: boolean;
  /** With KV in DRAM and on an SSD too. */
  readonly tiers?: boolean;
  /** With two classes of requests, one of which misses its goal. */
  readonly classes?: boolean;
}

/**
 * A made-up report for tests of the page. Nothing in it was simulated; its parts agree with each other:
 * distributions are those of the sample, the plan's terms add up, shares add to one.
 */
export function exampleReport({
  requests = 600,
  rows = 120,
  text,
  goals = true,
  tiers = false,
  classes = false,
}: ExampleOptions = {}): Report {
  const sample = exampleSample(requests, stream(7, 'example/requests'));
  const timeline = exampleTimeline(rows, stream(7, 'example/timeline'));
  const name = (fallback: string) => text ?? fallback;
  const slo = goals ? {ttft_s: 0.5, tpot_s: 0.05, e2e_s: null} : {ttft_s: null, tpot_s: null, e2e_s: null};
  let good = 0;
  for (let i = 0; i < requests; i++) if (sample.ttft[i]! <= 0.5 && !(sample.tpot[i]! > 0.05)) good++;
  const attainment = requests > 0 && goals ? good / requests : null;
  const metrics: Record<MetricName, Distribution> = {
    ttft_s: distribution(sample.ttft),
    ttft_server_s: distribution(sample.ttft),
    tpot_s: distribution(sample.tpot),
    itl_s: distribution(sample.tpot),
    e2e_s: distribution(sample.e2e),
    session_s: distribution(sample.e2e.map((t) => t + 60)),
    queue_s: distribution(sample.ttft.map((t) => t * 0.2)),
    load_s: distribution(new Float64Array(0)),
    normalised_latency_s: distribution(sample.e2e.map((t, i) => t / sample.outputTokens[i]!)),
  };
  const hit = sum(sample.hitTokens);
  const input = sum(sample.inputTokens);
  const document: ResultDocument = {
    schema: 'tiercast.result/1',
    tiercast: {version: '0.1.0'},
    status: 'ok',
    reason: null,
    name: name('example'),
    title: name('example'),
    description: name('A made-up result, to look at the page.'),
    headline: name('Llama-3.1-8B bf16 · 1 × H100 SXM · vLLM 0.24.0 · chat 2 session/s · seed 1'),
    scenario: {name: name('example')},
    scenario_yaml: `name: ${name('example')}\nmodel:\n  name: llama-3.1-8b\nhardware:\n  device: h100-sxm\nengine:\n  preset: vllm\n`,
    scenario_sha256: '3f9c'.padEnd(64, '0'),
    scenario_chosen: ['model.name', 'hardware.device'],
    command: name('tiercast run example.yaml --seed 1'),
    seed: 1,
    replications: 5,
    profiles: [{id: name('h100-sxm'), grade: 'datasheet', engine: name('vllm 0.24.0')}],
    files_in: [{path: name('example.yaml'), sha256: 'ab12'.padEnd(64, '0')}],
    plan: examplePlan(text),
    verdict: [
      {code: 'slo_met', text: name('Meets the goal: 97.8 % of requests within TTFT 500 ms and TPOT 50 ms (goal 95 %).')},
      {code: 'bound_hbm', text: name('HBM bandwidth bounds 71 % of busy time.')},
    ],
    warnings: [{code: 'assumed', path: name('workload.turns'), text: name('2 figures are assumed: workload.turns, workload.think_time')}],
    metrics,
    throughput: {
      requests_per_s: 9.6,
      output_tokens_per_s: 2310,
      input_tokens_per_s: 9240,
      goodput_requests_per_s: goals ? 9.4 : null,
      sessions_per_s: 2,
      mfu_share: 0.12,
      mbu_share: 0.58,
    },
    slo: {
      ...slo,
      goal: 0.95,
      attainment,
      meets: attainment === null ? null : attainment >= 0.95,
      session_s: null,
      sessions_attainment: null,
      makespan_s: null,
      classes: {},
    },
    requests: {
      arrived: requests + 40,
      measured: requests,
      finished: requests,
      rejected: {},
      timed_out: 0,
      failed: {},
      preemptions: 3,
      warmup_requests: 40,
    },
    load: {rho: 0.62, overloaded: false, busy_share: 0.91, mean_running: 22, mean_waiting: 0.4, span_s: 400, makespan_s: 410},
    replicas: [{requests, busy_share: 0.91, mean_running: 22, mean_waiting: 0.4, hit_share: input > 0 ? hit / input : 0}],
    hits: {
      unit: 'tokens in whole blocks',
      by_tier_tokens: {hbm: hit},
      computed_tokens: input - hit,
      share: input > 0 ? {hbm: hit / input, computed: 1 - hit / input} : {},
      bounds: {
        none: 0,
        belady: input > 0 ? Math.min(1, (hit / input) * 1.05) : null,
        infinite: input > 0 ? Math.min(1, (hit / input) * 1.08) : null,
      },
      prefix_cache: true,
    },
    sessions: {longest_tokens: 900, resident_per_device: 550, open_per_device: null},
    tiers: {
      hbm: {
        size_bytes: 57.1 * GiB,
        used_bytes: {mean: mean(timeline.kv_hbm_bytes), max: max(timeline.kv_hbm_bytes)},
        evictions: 1204,
        reads_bytes: null,
        writes_bytes: null,
        moved_bytes: null,
        refused_blocks: null,
        reuse_bytes: null,
        stay_s: null,
        endurance_bytes: null,
        wear_years: null,
      },
    },
    links: {},
    worth: null,
    break_even_tokens: {},
    time: {
      busy_s: 371,
      bound_share: {compute: 0.14, hbm: 0.71, link: 0, launch: 0.06, host: 0.09},
      waiting_share: 0.11,
      by_step: {prefill: 0.04, mixed: 0.31, decode: 0.65},
      steps: {prefill: 310, mixed: 2410, decode: 21400},
    },
    tokens: {
      prefill_computed: input - hit,
      generated: sum(sample.outputTokens),
      discarded: 0,
      duplicate_blocks: 2,
      lookup_after_preemption: 0,
      hit_after_preemption: 0,
    },
    cost: {
      devices: 1,
      per_hour_usd: 2.75,
      per_million_output_tokens_usd: 0.3307,
      per_million_input_tokens_usd: 0.0827,
      per_session_usd: 0.00038,
      per_resident_session_hour_usd: 0.005,
      per_open_session_hour_usd: null,
      per_hour: {device_usd: 2.5, host_usd: 0.25, dram_usd: 0, ssd_usd: 0, energy_usd: 0},
      prices: [
        {part: 'device', usd: 2.5, unit: 'USD/hour', grade: 'assumed', source: name('our contract, 2026-05')},
        {part: 'host', usd: 0.25, unit: 'USD/hour', grade: 'assumed', source: 'the scenario'},
        {part: 'dram', usd: 0, unit: 'USD/GiB/hour', grade: null, source: 'no price given'},
        {part: 'ssd', usd: 0, unit: 'USD/GiB/hour', grade: null, source: 'no price given'},
        {part: 'energy', usd: 0, unit: 'USD/kWh', grade: null, source: 'no price given'},
      ],
      listed: {usd_per_hour: 2.95, kind: 'on demand, median of 37 providers', date: '2026-05', source: 'aimultiple.com/gpu-index'},
    },
    energy: {power_w: 700, output_token_j: 0.303},
    provenance: [
      {
        term: name('linear'),
        grade: 'datasheet',
        source: name('roofline × 0.8'),
        interval: [0.8, 1.4],
        busy_share: 0.52,
        extrapolated_share: 0,
      },
      {term: 'attention.decode', grade: 'fitted', source: 'H100 sweep', interval: [0.9, 1.1], busy_share: 0.33, extrapolated_share: 0},
      {term: 'host', grade: 'assumed', source: 'preset', interval: [0.5, 2], busy_share: 0.15, extrapolated_share: 0},
    ],
    assumptions: [
      {path: name('workload.turns'), value: name('5'), grade: 'assumed', source: name('default')},
      {path: 'workload.think_time', value: '30 s', grade: 'assumed', source: 'default'},
      {path: 'hardware.device', value: 'H100 SXM', grade: 'datasheet', source: 'vendor datasheet'},
    ],
    trust: {grade: 'B', text: name('half of the busy time rests on datasheet figures')},
    files: {requests: 'requests.csv', measured_from_row: 40, timeline: 'timeline.csv'},
    event_log_hash: 'c0de'.padEnd(64, '0'),
  };
  if (tiers) addTiers(document, timeline);
  if (classes) addClasses(document.slo);
  return {document, sample, timeline};
}

/** A class that meets the goals of all, and one that misses its own. */
function addClasses(slo: ResultDocument['slo']): void {
  const goals = {ttft_s: 0.5, tpot_s: 0.05, e2e_s: null};
  const p95 = {ttft_p95_s: 0.402, tpot_p95_s: 0.016, e2e_p95_s: 7.4};
  slo.classes = {
    chat: {...goals, ...p95, requests: 400, goal: 0.95, attainment: 0.99, meets: true},
    bulk: {...goals, ...p95, requests: 200, ttft_s: 5, goal: 0.9, attainment: 0.8, meets: false},
  };
  slo.meets = false;
}

/** Half of the hits lie in DRAM, a tenth on the SSD. */
function addTiers(document: ResultDocument, timeline: Record<TimelineColumn, Float64Array>): void {
  const {hits, plan, tiers} = document;
  const hbm = hits.by_tier_tokens['hbm']!;
  const input = hbm + hits.computed_tokens;
  hits.by_tier_tokens = {hbm: hbm * 0.4, dram: hbm * 0.5, ssd: hbm * 0.1};
  for (const [tier, tokens] of Object.entries(hits.by_tier_tokens)) hits.share[tier] = tokens / input;
  for (const [tier, kv, size, stays] of [
    ['dram', 512 * GiB, 1024 * GiB, 120],
    ['ssd', 3072 * GiB, 4e12, null],
  ] as const) {
    const kvBlocks = Math.floor(kv / plan.block_bytes);
    plan.tiers[tier] = {kv_blocks: kvBlocks, kv_tokens: kvBlocks * 16};
    plan.memories[tier] = {
      size_bytes: size,
      usable_bytes: size,
      weights_bytes: 0,
      overhead_bytes: 0,
      kv_bytes: kv,
      free_bytes: size - kv,
      devices: 1,
    };
    tiers[tier] = {
      size_bytes: kv,
      used_bytes: {mean: kv / 4, max: kv / 2},
      evictions: stays === null ? 0 : 900,
      reads_bytes: 40 * GiB,
      writes_bytes: 200 * GiB,
      moved_bytes: {load: 30 * GiB, write: 200 * GiB, prefetch_useful: 6 * GiB, prefetch_late: GiB, prefetch_wasted: 3 * GiB},
      refused_blocks: 0,
      reuse_bytes: null,
      stay_s: stays,
      endurance_bytes: tier === 'ssd' ? 7e15 : null,
      wear_years: tier === 'ssd' ? 1.2 : null,
    };
    timeline[`kv_${tier}_bytes`].forEach((_, row, column) => {
      column[row] = (kv / 2) * (row / column.length);
    });
  }
  timeline.link_host_up_bytes_per_s.forEach((_, row, column) => {
    column[row] = 5e9 * (1 + Math.sin(row / 7));
  });
  document.links = {
    'host.up': {bytes: 80 * GiB, bytes_per_s: 5.1e9, limit_bytes_per_s: 51e9, busy_share: 0.1, waiting_s: 1.5},
    'ssd.write': {bytes: 200 * GiB, bytes_per_s: 3.45e9, limit_bytes_per_s: 6.9e9, busy_share: 0.5, waiting_s: 0},
  };
  document.worth = [
    {
      tier: 'dram',
      ttft_p95_s: {with: 0.402, without: 0.68, difference: -0.278, ci95: [-0.3, -0.256]},
      output_tokens_per_s: {with: 2310, without: 2290},
      cost_usd: {with: 0.3307, without: 0.3336},
      verdict: 'better',
      text: 'DRAM is worth −40.9 % ± 3.2 % TTFT p95.',
    },
    {
      tier: 'ssd',
      ttft_p95_s: {with: 0.402, without: 0.403, difference: -0.001, ci95: null},
      output_tokens_per_s: {with: 2310, without: null},
      cost_usd: {with: 0.3307, without: null},
      verdict: 'no difference shown',
      text: 'The SSD changes nothing that can be told apart (TTFT p95 −0.2 %).',
    },
  ];
  document.break_even_tokens = {dram: 16, ssd: null};
  document.load_or_compute = {
    tokens: [16, 256, 4096, 65_536],
    compute_s: [0.004, 0.006, 0.05, 1.4],
    load_s: {dram: [0.0001, 0.001, 0.012, 0.18], ssd: [0.005, 0.01, 0.09, 1.5]},
  };
  document.prefetch = {
    policy: 'session',
    ttft_p95_s: {with: 0.402, without: 0.44, difference: -0.038, ci95: [-0.05, -0.026]},
    ttft_mean_s: {with: 0.17, without: 0.19},
    load_mean_s: {with: 0.004, without: 0.02},
    tpot_mean_s: {with: 0.0111, without: 0.011},
    read_bytes: {with: 80 * GiB, without: 76 * GiB},
    verdict: 'better',
    text: 'Prefetch session is worth TTFT p95 −8.6 %.',
  };
}

function exampleSample(n: number, random: Random): Report['sample'] {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const column = () => new Float64Array(n);
  const [arrival, ttft, tpot, e2e] = [column(), column(), column(), column()];
  const [inputTokens, outputTokens, hitTokens] = [column(), column(), column()];
  let clock = 20;
  for (let i = 0; i < n; i++) {
    arrival[i] = clock += -Math.log(1 - random()) / 1.6;
    inputTokens[i] = 200 + Math.floor(random() * 2800);
    // Every 50th answer is one token long: it has no time per output token.
    outputTokens[i] = i % 50 === 49 ? 1 : 1 + Math.floor(-240 * Math.log(1 - random()));
    hitTokens[i] = 16 * Math.floor((inputTokens[i]! * 0.75 * random()) / 16);
    ttft[i] = 0.141 * Math.exp(0.63 * normal());
    tpot[i] = outputTokens[i] === 1 ? Number.NaN : 0.011 * Math.exp(0.22 * normal());
    e2e[i] = ttft[i]! + (outputTokens[i]! > 1 ? tpot[i]! * (outputTokens[i]! - 1) : 0);
  }
  return {id: Float64Array.from(arrival, (_, i) => i), arrival, ttft, tpot, e2e, inputTokens, outputTokens, hitTokens};
}

function exampleTimeline(rows: number, random: Random): Record<TimelineColumn, Float64Array> {
  const column = (value: (row: number) => number) => Float64Array.from({length: rows}, (_, row) => value(row));
  const running = column((row) => 18 + 8 * Math.sin(row / 9) + 4 * random());
  const busy = column(() => 0.85 + 0.12 * random());
  return {
    time_s: column((row) => (row * 400) / rows),
    running,
    waiting: column((row) => (((row * 120) / rows) % 37 > 29 ? 6 * random() : 0)),
    loading: column(() => 0),
    batch_tokens: column((row) => running[row]! * (1 + 9 * random())),
    kv_hbm_bytes: column((row) => running[row]! * 0.45 * GiB),
    kv_cached_bytes: column((row) => Math.min(57.1 * GiB - running[row]! * 0.45 * GiB, row * 0.9 * GiB)),
    kv_dram_bytes: column(() => 0),
    kv_ssd_bytes: column(() => 0),
    link_host_up_bytes_per_s: column(() => 0),
    link_host_down_bytes_per_s: column(() => 0),
    ssd_read_bytes_per_s: column(() => 0),
    ssd_write_bytes_per_s: column(() => 0),
    bound_compute_share: column((row) => busy[row]! * 0.14),
    bound_hbm_share: column((row) => busy[row]! * 0.71),
    bound_link_share: column(() => 0),
    bound_launch_share: column((row) => busy[row]! * 0.06),
    bound_host_share: column((row) => busy[row]! * 0.09),
  };
}

function examplePlan(text?: string): ResultDocument['plan'] {
  const size = 81_559 * 2 ** 20;
  const usable = Math.floor(size * 0.92);
  const weights = 8_030_261_248 * 2;
  const activations = Math.floor(1.2 * GiB);
  const context = Math.floor(0.6 * GiB);
  const blockBytes = 16 * 131_072;
  const blocks = Math.floor((usable - weights - activations - context) / blockBytes);
  return {
    replicas: 1,
    memories: {
      hbm: {
        size_bytes: size,
        usable_bytes: usable,
        weights_bytes: weights,
        overhead_bytes: activations + context,
        kv_bytes: blocks * blockBytes,
        free_bytes: usable - weights - activations - context - blocks * blockBytes,
        devices: 1,
      },
    },
    terms: [
      {name: 'usable', bytes: usable, formula: text ?? '81,559 MiB × 0.92', grade: 'measured'},
      {name: text ?? 'weights', bytes: weights, formula: '8,030,261,248 × 2 B', grade: 'datasheet'},
      {name: 'activations', bytes: activations, formula: '1.2 GiB', grade: 'assumed'},
      {name: 'context', bytes: context, formula: '0.6 GiB', grade: 'assumed'},
      {name: 'kv', bytes: blocks * blockBytes, formula: `${blocks} blocks × 16 tokens × 131,072 B`, grade: 'datasheet'},
    ],
    block_bytes: blockBytes,
    block_tokens: 16,
    kv_bytes_per_token: 131_072,
    tiers: {},
    kv_blocks: blocks,
    kv_tokens: blocks * 16,
    resident_tokens: blocks * 16,
    blocks_from: 'derived',
    derived_blocks: blocks,
    max_model_len_tokens: 131_072,
    max_context_tokens: 131_072,
    max_batch: Math.floor((blocks * 16) / 131_072),
    params_total: 8_030_261_248,
    params_active: 8_030_261_248,
  };
}

function distribution(values: Float64Array): Distribution {
  const sorted = values.filter((v) => !Number.isNaN(v)).sort();
  const n = sorted.length;
  if (n === 0)
    return {
      n,
      mean: null,
      p50: null,
      p90: null,
      p95: null,
      p99: null,
      max: null,
      ci95: {mean: null, p95: null},
      interval80: {mean: null, p95: null},
    };
  const q = (p: number) => quantileSorted(Array.from(sorted), p)!;
  const around = (value: number, by: number): [number, number] => [value * (1 - by), value * (1 + by)];
  const average = mean(sorted);
  return {
    n,
    mean: average,
    p50: q(0.5),
    p90: q(0.9),
    p95: q(0.95),
    p99: q(0.99),
    max: sorted[n - 1]!,
    ci95: {mean: around(average, 0.03), p95: around(q(0.95), 0.05)},
    interval80: {mean: around(average, 0.1), p95: around(q(0.95), 0.15)},
  };
}

const sum = (values: Float64Array) => values.reduce((a, b) => a + b, 0);
const mean = (values: Float64Array) => (values.length === 0 ? 0 : sum(values) / values.length);
const max = (values: Float64Array) => values.reduce((a, b) => Math.max(a, b), 0);
