/** What somebody published that a device costs; never used unless the scenario says so. */
export interface ListedPrice {
  readonly usdPerHour: number;
  /** What kind of offer it is. */
  readonly kind: string;
  /** Year and month. */
  readonly date: string;
  readonly source: string;
}

const clouds = 'mercatus-ai.com/blog/cloud-gpu-pricing';

/** Published prices of one device by its built-in name: the few with a source. What you pay is `cost.device`. */
export const listedPrices: Readonly<Record<string, ListedPrice>> = {
  'a100-sxm-80gb': {usdPerHour: 1.3, kind: 'on demand, specialty clouds, middle of 1.10 to 1.50', date: '2026-05', source: clouds},
  'h100-sxm': {usdPerHour: 2.95, kind: 'on demand, median of 37 providers', date: '2026-05', source: 'aimultiple.com/gpu-index'},
  'h200-sxm': {usdPerHour: 4, kind: 'on demand, specialty clouds, middle of 3.50 to 4.50', date: '2026-05', source: clouds},
};
