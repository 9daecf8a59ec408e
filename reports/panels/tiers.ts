import type {Report, ResultDocument} from '../../src/sim/scenario/result.js';

/** Colours of memories, the same on the whole page. */
const series: Readonly<Record<string, number>> = {dram: 3, ssd: 4};

/** The colour of a memory; the device's own has that of the KV cache. */
export function tierSeries(tier: string): number {
  return series[tier] ?? 2;
}

/** Memories below the device's own that KV lies in, nearest first. */
export function tiersBelow({plan}: ResultDocument): string[] {
  return Object.keys(plan.tiers);
}

/** Whether KV lies anywhere but in the device's own memory. */
export function hasTiers({document}: Report): boolean {
  return tiersBelow(document).length > 0;
}
