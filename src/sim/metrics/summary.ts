/** One metric over all measured requests, in the unit of its key (`_s`: seconds). Null where nothing was measured. */
export interface Distribution {
  n: number;
  mean: number | null;
  p50: number | null;
  p90: number | null;
  p95: number | null;
  p99: number | null;
  max: number | null;
  /** 95 % confidence intervals of the run's own randomness. */
  ci95: {mean: [number, number] | null; p95: [number, number] | null};
  /** 80 % prediction intervals: the profile's error joined with the run's randomness. */
  interval80: {mean: [number, number] | null; p95: [number, number] | null};
}
