import {latencySeries} from '../metrics/latency.js';
import type {Measured} from '../metrics/measured.js';
import {measuredAfter} from '../metrics/measured.js';
import {type PairedQuantile, pairedQuantile} from '../metrics/paired.js';
import type {RunRecord} from '../metrics/record.js';
import {costFigures} from './cost-figures.js';
import {hitsOf, throughputOf} from './figures.js';
import type {TierWorth} from './result.js';
import type {MemoryPlan, Scenario} from './scenario.js';
import {digits, percentText} from './text.js';

/** A scenario with its plan, without one of its memories below HBM. */
export interface Without {
  readonly tier: string;
  readonly scenario: Scenario;
  readonly plan: MemoryPlan;
}

/** The scenario without each of its memories below HBM in turn. */
export function withoutEachTier(scenario: Scenario, plan: MemoryPlan): Without[] {
  return scenario.kv.tiers.map(({name}) => ({
    tier: name,
    scenario: {...scenario, kv: {...scenario.kv, tiers: scenario.kv.tiers.filter((tier) => tier.name !== name)}},
    plan: {...plan, tiers: plan.tiers.filter(({memory}) => memory !== name)},
  }));
}

/** What each memory is worth: `records` are the runs without it, on the same random streams as `runs`. */
export function tierWorth(
  scenario: Scenario,
  plan: MemoryPlan,
  runs: readonly Measured[],
  records: readonly RunRecord[],
  without: readonly {readonly tier: string; readonly records: readonly RunRecord[]}[],
): TierWorth[] {
  return without.flatMap(({tier, records: again}) => {
    const others = again.map((record, i) => measuredAfter(record.requests, runs[i].warmup));
    const series = (all: readonly Measured[]) => all.map((run) => latencySeries(run.columns, run.rows, 'ttft_s'));
    const found = pairedQuantile(series(others), series(runs), 0.95);
    if (found === null) return [];
    const [throughput, otherwise] = [throughputOf(scenario, runs, records), throughputOf(scenario, others, again)];
    const lacking = withoutEachTier(scenario, plan).find((one) => one.tier === tier)!;
    const verdict = verdictOf(found);
    return [
      {
        tier,
        ttft_p95_s: {with: found.after, without: found.before, difference: found.difference, ci95: found.ci95},
        output_tokens_per_s: {with: throughput.output_tokens_per_s, without: otherwise.output_tokens_per_s},
        cost_usd: {
          with: costFigures(scenario, plan, throughput).per_million_output_tokens_usd,
          without: costFigures(lacking.scenario, lacking.plan, otherwise).per_million_output_tokens_usd,
        },
        verdict,
        text:
          sentence(tier, found, verdict) +
          (verdict === 'worse' ? `: ${whyWorse(hitShare(scenario, plan, runs), hitShare(lacking.scenario, lacking.plan, others))}.` : ''),
      },
    ];
  });
}

/** What the interval of a paired difference of latencies shows. */
export function verdictOf({ci95, difference}: PairedQuantile): TierWorth['verdict'] {
  if (difference === 0 || ci95 === null || (ci95[0] <= 0 && ci95[1] >= 0)) return 'no difference shown';
  return ci95[1] < 0 ? 'better' : 'worse';
}

const subjects: Readonly<Record<string, string>> = {
  ssd: 'The SSD',
  'page-cache': 'The page cache',
  remote: 'The remote memory',
};

function sentence(tier: string, {before, difference, ci95}: PairedQuantile, verdict: TierWorth['verdict']): string {
  const name = subjects[tier] ?? tier.toUpperCase();
  if (difference === 0 && (ci95 === null || ci95[0] === ci95[1])) return `${name} changes nothing: TTFT p95 is the same without it.`;
  const change = `${difference < 0 ? '−' : '+'}${percentText(Math.abs(difference) / before)}`;
  const half = ci95 === null ? '' : ` ± ${digits((50 * (ci95[1] - ci95[0])) / before, 1)} %`;
  if (verdict === 'no difference shown') return `${name} changes nothing that can be told apart (TTFT p95 ${change}${half}).`;
  return verdict === 'better' ? `${name} is worth ${change}${half} TTFT p95.` : `${name} costs ${change}${half} TTFT p95`;
}

/** A share of prompt tokens too small to matter. */
const RARE = 0.005;

/** A memory that is asked for more than it writes can keep those below from having it; else it is what moves. */
function whyWorse(hit: number, without: number): string {
  return without - hit >= RARE
    ? `without it ${percentText(without)} of prompt tokens are found, with it ${percentText(hit)}: the memories below get only what it writes`
    : 'loading takes longer than it saves';
}

/** Share of prompt tokens that were found in any memory. */
function hitShare(scenario: Scenario, plan: MemoryPlan, runs: readonly Measured[]): number {
  const {share} = hitsOf(scenario, plan, runs);
  return 1 - (share['computed'] ?? 1);
}
