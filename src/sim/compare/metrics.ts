import type {ResultDocument} from '../scenario/result.js';

/** The figures of one replication that two scenarios are compared by; a measured run can give the same. */
export type Figures = Pick<ResultDocument, 'metrics' | 'throughput' | 'slo' | 'hits' | 'cost'>;

/** What a compared figure counts, which decides how it is shown. */
export type ComparedUnit = 's' | '1/s' | 'tok/s' | 'share' | 'USD';

/** One figure that is compared: what people call it, which way is better, and where it stands in a run's figures. */
export interface ComparedMetric {
  readonly label: string;
  readonly unit: ComparedUnit;
  readonly better: 'lower' | 'higher';
  /** Whether arrivals alone may decide it: then more of it cannot be had from a faster deployment. */
  readonly follows?: 'arrivals';
  /** Null: not applicable to this run. */
  value(figures: Figures): number | null;
}

const latency = (label: string, name: 'ttft_s' | 'tpot_s' | 'itl_s' | 'e2e_s', figure: 'mean' | 'p95'): ComparedMetric => ({
  label: `${label} ${figure}`,
  unit: 's',
  better: 'lower',
  value: ({metrics}) => metrics[name][figure],
});

/**
 * Every compared figure by its path in result.json (without the leading `metrics.`), in the order of tables. `hits.share` is the share of
 * prompt tokens that any tier served.
 */
export const comparedMetrics = {
  'ttft_s.mean': latency('TTFT', 'ttft_s', 'mean'),
  'ttft_s.p95': latency('TTFT', 'ttft_s', 'p95'),
  'tpot_s.mean': latency('TPOT', 'tpot_s', 'mean'),
  'tpot_s.p95': latency('TPOT', 'tpot_s', 'p95'),
  'itl_s.p95': latency('ITL', 'itl_s', 'p95'),
  'e2e_s.mean': latency('E2E', 'e2e_s', 'mean'),
  'e2e_s.p95': latency('E2E', 'e2e_s', 'p95'),
  'throughput.output_tokens_per_s': {
    label: 'throughput',
    unit: 'tok/s',
    better: 'higher',
    follows: 'arrivals',
    value: ({throughput}) => throughput.output_tokens_per_s,
  },
  'throughput.goodput_requests_per_s': {
    label: 'goodput',
    unit: '1/s',
    better: 'higher',
    value: ({throughput}) => throughput.goodput_requests_per_s,
  },
  'slo.attainment': {label: 'attainment', unit: 'share', better: 'higher', value: ({slo}) => slo.attainment},
  'hits.share': {label: 'hit share', unit: 'share', better: 'higher', value: ({hits}) => hitShare(hits)},
  'cost.per_million_output_tokens_usd': {
    label: 'cost/M out',
    unit: 'USD',
    better: 'lower',
    follows: 'arrivals',
    value: ({cost}) => cost.per_million_output_tokens_usd,
  },
} as const satisfies Readonly<Record<string, ComparedMetric>>;

export type ComparedMetricName = keyof typeof comparedMetrics;

/** The names of all compared figures, in the order of tables. */
export const comparedMetricNames = Object.keys(comparedMetrics) as ComparedMetricName[];

/** The compared figure of that name. */
export function comparedMetric(name: ComparedMetricName): ComparedMetric {
  return comparedMetrics[name];
}

function hitShare({share}: ResultDocument['hits']): number | null {
  return share['computed'] === undefined ? null : 1 - share['computed'];
}
