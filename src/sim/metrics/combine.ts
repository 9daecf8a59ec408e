import {combinedLog} from './event-log.js';
import type {ReplicaRecord, ResourceRecord, RunCounters, TierRecord, Timeline} from './record.js';

/** What all replicas did together: one replica's record as it is, else sums, with what they share once. All were recorded up to the same time. */
export function combine(replicas: readonly ReplicaRecord[], shared: ReplicaRecord | null): ReplicaRecord {
  if (replicas.length === 1) return replicas[0];
  const all = shared === null ? replicas : [...replicas, shared];
  return {
    timeline: combinedTimeline(all.map(({timeline}) => timeline)),
    counters: combinedCounters(all.map(({counters}) => counters)),
    tiers: replicas[0].tiers.map((_, t) => combinedTier(all.map(({tiers}) => tiers[t]))),
    resources: replicas[0].resources.map((_, r) => combinedResource(all.map(({resources}) => resources[r]))),
    eventLog: combinedLog(replicas.map(({eventLog}) => eventLog)),
  };
}

function combinedTimeline(timelines: readonly Timeline[]): Timeline {
  const [{width, rows}] = timelines;
  if (timelines.some((other) => other.width !== width || other.rows !== rows))
    throw new Error('replicas were recorded up to different times');
  const sum = (pick: (timeline: Timeline) => Float64Array) => added(timelines.map(pick));
  const stepSeconds = sum((timeline) => timeline.stepSeconds);
  const tokenSeconds = sum(({batchTokens, stepSeconds: seconds}) => batchTokens.map((tokens, row) => tokens * seconds[row]));
  return {
    width,
    rows,
    running: sum(({running}) => running),
    waiting: sum(({waiting}) => waiting),
    kvHeldBlocks: sum(({kvHeldBlocks}) => kvHeldBlocks),
    kvCachedBlocks: sum(({kvCachedBlocks}) => kvCachedBlocks),
    loading: sum(({loading}) => loading),
    tierBlocks: timelines[0].tierBlocks.map((_, t) => sum(({tierBlocks}) => tierBlocks[t])),
    flowBytes: timelines[0].flowBytes.map((_, r) => sum(({flowBytes}) => flowBytes[r])),
    batchTokens: tokenSeconds.map((value, row) => (stepSeconds[row] > 0 ? value / stepSeconds[row] : 0)),
    stepSeconds,
    boundSeconds: sum(({boundSeconds}) => boundSeconds),
  };
}

function combinedCounters(all: readonly RunCounters[]): RunCounters {
  const sums = Object.keys(all[0]).map((key) => {
    const of = key as keyof RunCounters;
    const first = all[0][of];
    const value =
      typeof first === 'number'
        ? all.reduce((total, counters) => total + (counters[of] as number), 0)
        : added(all.map((counters) => counters[of] as Float64Array));
    return [key, value];
  });
  return Object.fromEntries(sums) as RunCounters;
}

function combinedTier(tiers: readonly TierRecord[]): TierRecord {
  const sum = (pick: (tier: TierRecord) => number) => tiers.reduce((total, tier) => total + pick(tier), 0);
  return {
    name: tiers[0].name,
    readBytes: sum((tier) => tier.readBytes),
    prefetched: {
      useful: sum(({prefetched}) => prefetched.useful),
      late: sum(({prefetched}) => prefetched.late),
      wasted: sum(({prefetched}) => prefetched.wasted),
    },
    writtenBytes: sum((tier) => tier.writtenBytes),
    evictions: sum((tier) => tier.evictions),
    refused: sum((tier) => tier.refused),
    distances: Float64Array.from(tiers.flatMap((tier) => [...tier.distances])),
    usedBlocks: {mean: sum((tier) => tier.usedBlocks.mean), max: sum((tier) => tier.usedBlocks.max)},
  };
}

function combinedResource(resources: readonly ResourceRecord[]): ResourceRecord {
  const sum = (pick: (resource: ResourceRecord) => number) => resources.reduce((total, resource) => total + pick(resource), 0);
  return {
    name: resources[0].name,
    bytes: sum(({bytes}) => bytes),
    capacity: sum(({capacity}) => capacity),
    waitedSeconds: sum(({waitedSeconds}) => waitedSeconds),
  };
}

function added(columns: readonly Float64Array[]): Float64Array {
  const sums = new Float64Array(columns[0].length);
  for (const column of columns) for (let i = 0; i < sums.length; i++) sums[i] += column[i];
  return sums;
}
