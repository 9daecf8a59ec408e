import type {Report, ResultDocument} from '../../src/sim/scenario/result.js';

/** Colours of memories, the same on the whole page. */
const series: Readonly<Record<string, number>> = {dram: 3, ssd: 4};

/** The colour of a memory; the device's own has that of the KV cache. */
export function tierSeries(tier: string): number {
  return series[tier] ?? 2;
}

const names: Readonly<Record<string, string>> = {ssd: 'the SSD', 'page-cache': 'the page cache', remote: 'the remote memory'};

/** What a memory is called within a sentence, or at its start. */
export function tierName(tier: string, place: 'within' | 'start' = 'within'): string {
  const name = names[tier] ?? tier.toUpperCase();
  return place === 'start' ? `${name[0]!.toUpperCase()}${name.slice(1)}` : name;
}

/** Memories below the device's own that KV lies in, nearest first. */
export function tiersBelow({plan}: ResultDocument): string[] {
  return Object.keys(plan.tiers);
}

/** Whether KV lies anywhere but in the device's own memory. */
export function hasTiers({document}: Report): boolean {
  return tiersBelow(document).length > 0;
}
