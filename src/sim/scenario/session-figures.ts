import {measured} from '../metrics/measured.js';
import {mean} from '../metrics/quantiles.js';
import type {RunRecord} from '../metrics/record.js';
import {longestContexts} from '../metrics/sessions.js';
import type {ResultDocument} from './result.js';
import type {MemoryPlan, Scenario} from './scenario.js';
import {copies} from './shared.js';

/**
 * Tokens of different KV that the memories of a replica keep together.
 *
 * A memory that takes what leaves the one above (`write: back`) and gives away what goes up (`inclusive: false`) adds its own; of any other one what lies above lies in it too, or may, so the larger of both counts.
 * Of a memory that replicas share, each has its part.
 */
export function residentTokens({kv, cluster: {replicas}}: Pick<Scenario, 'kv' | 'cluster'>, plan: MemoryPlan): number {
  return kv.tiers.reduce((above, {write, inclusive}, t) => {
    const own = Math.floor((plan.tiers[t].kvTokens * copies(plan.tiers[t], replicas)) / replicas);
    return write.when === 'back' && !inclusive ? above + own : Math.max(above, own);
  }, plan.kvTokens);
}

/** How many sessions a device serves or could keep. `resident` is of whole sessions a replica, as if they shared nothing. */
export function sessionsOf(scenario: Scenario, plan: MemoryPlan, records: readonly RunRecord[]): ResultDocument['sessions'] {
  const {workload, count, cluster, kv} = scenario;
  // Of whole runs: the length of a session is no latency, and without the warm-up long ones would be missing.
  const runs = records.map(({requests}) => measured(requests, {kind: 'none'}));
  const lengths = runs.flatMap((run) => [...longestContexts(run)]).map((tokens) => Math.ceil(tokens / kv.blockSize) * kv.blockSize);
  const longest = lengths.length === 0 ? null : mean(lengths);
  const open = 'arrivals' in workload && workload.arrivals?.process === 'closed-loop' ? workload.arrivals.sessions : null;
  return {
    longest_tokens: longest,
    resident_per_device: longest === null || !kv.prefixCache ? null : Math.floor(residentTokens(scenario, plan) / longest) / count,
    open_per_device: open === null ? null : open / (count * cluster.replicas),
  };
}
