import {bounds} from '../../models/cost/cost.js';
import {isFinished, latencies} from '../metrics/latency.js';
import {measured} from '../metrics/measured.js';
import type {ReplicaRecord, RequestColumns, RunRecord} from '../metrics/record.js';
import {allReplicas, type Report, type ResultDocument} from './result.js';
import type {MemoryPlan, Scenario, TierPlan} from './scenario.js';
import {warmupRule} from './summarise.js';

/** What the page is drawn from: the document, measured requests of the first replication, and its timeline. */
export function reportData(scenario: Scenario, plan: MemoryPlan, records: readonly RunRecord[], document: ResultDocument): Report {
  return {document, sample: sampleOf(scenario, records[0]), timeline: timelineOf(plan, records[0], records[0].replicas.length)};
}

function sampleOf(scenario: Scenario, record: RunRecord): Report['sample'] {
  const {columns, rows} = measured(record.requests, warmupRule(scenario));
  const n = Math.min(rows.length, scenario.report.sample);
  const pick = (value: (columns: RequestColumns, row: number) => number) =>
    Float64Array.from({length: n}, (_, i) => value(columns, rows[Math.floor((i * rows.length) / n)]));
  const seconds = (latency: (columns: RequestColumns, row: number) => number) =>
    pick((c, row) => (isFinished(c, row) ? latency(c, row) / 1e9 : Number.NaN));
  return {
    id: pick((c, row) => c.id[row]),
    arrival: pick((c, row) => c.arrival[row] / 1e9),
    ttft: seconds(latencies.ttft_s),
    tpot: seconds(latencies.tpot_s),
    e2e: seconds(latencies.e2e_s),
    inputTokens: pick((c, row) => c.input[row]),
    outputTokens: pick((c, row) => c.output[row]),
    hitTokens: pick((c, row) => c.hit[row] + c.hitBelow.reduce((sum, hit) => sum + hit[row], 0)),
  };
}

/** The timeline of each replica under its number; of several also that of all together, first. */
export function timelinesOf(plan: MemoryPlan, record: RunRecord): ReadonlyMap<string, Report['timeline']> {
  const {replicas} = record;
  const each = replicas.map((replica, r) => [String(r), timelineOf(plan, replica, 1, replicas.length > 1)] as const);
  return new Map(replicas.length === 1 ? each : [[allReplicas, timelineOf(plan, record, replicas.length)], ...each]);
}

/** Counts and bytes are sums over the replicas, shares their means; of one among several, what it shares with the others is NaN. */
function timelineOf(plan: MemoryPlan, {timeline, resources}: ReplicaRecord, replicas: number, isPart = false): Report['timeline'] {
  const {rows, width} = timeline;
  const seconds = width / 1e9;
  const scaled = (column: Float64Array, factor: number) => column.slice(0, rows).map((value) => value * factor);
  const below = (memory: TierPlan['memory']) => {
    const at = plan.tiers.findIndex((tier) => tier.memory === memory);
    if (isPart && at >= 0 && plan.tiers[at].scope !== undefined) return new Float64Array(rows).fill(Number.NaN);
    const blocks = timeline.tierBlocks[at];
    return blocks === undefined ? new Float64Array(rows) : scaled(blocks, plan.blockBytes);
  };
  const across = (resource: string) => {
    const at = resources.findIndex(({name}) => name === resource);
    if (at >= 0 && resources[at].capacity === 0) return new Float64Array(rows).fill(Number.NaN); // it is in the record of all
    return at < 0 ? new Float64Array(rows) : scaled(timeline.flowBytes[at], 1);
  };
  const bound = (name: (typeof bounds)[number]) => {
    const at = bounds.indexOf(name);
    return Float64Array.from({length: rows}, (_, row) => timeline.boundSeconds[row * bounds.length + at] / seconds / replicas);
  };
  return {
    time_s: Float64Array.from({length: rows}, (_, row) => row * seconds),
    running: scaled(timeline.running, 1),
    waiting: scaled(timeline.waiting, 1),
    loading: scaled(timeline.loading, 1),
    batch_tokens: scaled(timeline.batchTokens, 1),
    kv_hbm_bytes: scaled(timeline.kvHeldBlocks, plan.blockBytes),
    kv_cached_bytes: scaled(timeline.kvCachedBlocks, plan.blockBytes),
    kv_dram_bytes: below('dram'),
    kv_ssd_bytes: below('ssd'),
    link_host_up_bytes_per_s: across('host.up'),
    link_host_down_bytes_per_s: across('host.down'),
    ssd_read_bytes_per_s: across('ssd.read'),
    ssd_write_bytes_per_s: across('ssd.write'),
    bound_compute_share: bound('compute'),
    bound_hbm_share: bound('hbm'),
    bound_link_share: bound('link'),
    bound_launch_share: bound('launch'),
    bound_host_share: bound('host'),
  };
}
