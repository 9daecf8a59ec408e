import type {Load} from '../metrics/load.js';
import {mean, quantiles} from '../metrics/quantiles.js';
import type {RunRecord} from '../metrics/record.js';
import {sumCounters} from './figures.js';
import type {MovedBytes, ResultDocument, TierDocument} from './result.js';
import type {MemoryPlan, Scenario, TierPlan} from './scenario.js';
import {copies} from './shared.js';

const YEAR = 365.25 * 86_400;

/** What each memory held, over whole runs, in all replicas together: HBM for running requests, those below for reuse. The most is the sum of what each replica held at most; a memory that they share is counted once. */
export function tiersOf(
  {host, kv, cluster: {replicas}}: Scenario,
  plan: MemoryPlan,
  records: readonly RunRecord[],
  loads: readonly Load[],
): ResultDocument['tiers'] {
  const own: TierDocument = {
    size_bytes: plan.kvBlocks * plan.blockBytes * replicas,
    used_bytes: {
      mean: Math.round(mean(loads.map((load) => load.meanHeldBlocks)) * plan.blockBytes),
      max: Math.max(...records.map((record) => record.counters.maxHeldBlocks)) * plan.blockBytes,
    },
    evictions: sumCounters(records, (c) => c.evictions),
    reads_bytes: null,
    writes_bytes: null,
    moved_bytes: null,
    refused_blocks: null,
    reuse_bytes: null,
    stay_s: null,
    endurance_bytes: null,
    wear_years: null,
  };
  const below = plan.tiers.map(
    (tier, t) =>
      [
        tier.memory,
        tierOf(tier.kvBytes * copies(tier, replicas), plan.blockBytes, records, t, endurance(host, tier, replicas), kv.prefetch !== null),
      ] as const,
  );
  return {[plan.memory]: own, ...Object.fromEntries(below)};
}

function endurance(host: Scenario['host'], tier: TierPlan, replicas: number): number | null {
  const each = tier.memory === 'ssd' ? host.ssd?.endurance?.value : undefined;
  return each === undefined ? null : each * copies(tier, replicas);
}

function tierOf(
  size: number,
  blockBytes: number,
  records: readonly RunRecord[],
  t: number,
  endures: number | null,
  prefetches: boolean,
): TierDocument {
  const tiers = records.flatMap((record) => record.tiers[t] ?? []); // none when the traffic shares nothing
  const sum = (pick: (tier: RunRecord['tiers'][number]) => number) => tiers.reduce((total, tier) => total + pick(tier), 0);
  const reads = sum((tier) => tier.readBytes);
  const writes = sum((tier) => tier.writtenBytes);
  const evictions = sum((tier) => tier.evictions);
  const perSecond = writes / seconds(records);
  return {
    size_bytes: size,
    used_bytes: {
      mean: Math.round(tiers.length === 0 ? 0 : mean(tiers.map((tier) => tier.usedBlocks.mean)) * blockBytes),
      max: Math.max(0, ...tiers.map((tier) => tier.usedBlocks.max)) * blockBytes,
    },
    evictions,
    reads_bytes: reads,
    writes_bytes: writes,
    moved_bytes: prefetches ? withPrefetches(reads, writes, tiers) : {load: reads, write: writes},
    refused_blocks: sum((tier) => tier.refused),
    reuse_bytes: reuse(blockBytes, tiers),
    stay_s: evictions > 0 && perSecond > 0 ? size / perSecond : null,
    endurance_bytes: endures,
    wear_years: endures === null || !(perSecond > 0) ? null : endures / perSecond / YEAR,
  };
}

function withPrefetches(reads: number, writes: number, tiers: RunRecord['tiers']): MovedBytes {
  const sum = (cause: 'useful' | 'late' | 'wasted') => tiers.reduce((total, {prefetched}) => total + prefetched[cause], 0);
  const [useful, late, wasted] = [sum('useful'), sum('late'), sum('wasted')];
  return {load: reads - useful - late - wasted, write: writes, prefetch_useful: useful, prefetch_late: late, prefetch_wasted: wasted};
}

/** Median and 90th percentile of what came between two uses of a prompt whose blocks had left; null when none was asked for again. */
function reuse(blockBytes: number, tiers: RunRecord['tiers']): TierDocument['reuse_bytes'] {
  const distances = Float64Array.from(tiers.flatMap((tier) => [...tier.distances]));
  if (distances.length === 0) return null;
  const [median, p90] = quantiles(distances, [0.5, 0.9]);
  return {median: Math.round(median * blockBytes), p90: Math.round(p90 * blockBytes)};
}

/** What crossed each link and each port of a memory, over whole runs. */
export function linksOf(records: readonly RunRecord[]): ResultDocument['links'] {
  const total = seconds(records);
  return Object.fromEntries(
    records[0].resources.map(({name, capacity}, r) => {
      const bytes = records.reduce((sum, record) => sum + record.resources[r].bytes, 0);
      const waited = records.reduce((sum, record) => sum + record.resources[r].waitedSeconds, 0);
      const perSecond = total > 0 ? bytes / total : 0;
      return [name, {bytes, bytes_per_s: perSecond, limit_bytes_per_s: capacity, busy_share: perSecond / capacity, waiting_s: waited}];
    }),
  );
}

/** Seconds from the first arrival to the last end, all replications. */
function seconds(records: readonly RunRecord[]): number {
  return records.reduce((sum, {firstArrival, lastEnd}) => sum + Math.max(0, lastEnd - firstArrival), 0) / 1e9;
}
