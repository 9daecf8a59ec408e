import type {ResultDocument} from './result.js';
import {countText, percentText} from './text.js';
import type {Findings} from './verdict.js';

type RunWarning = ResultDocument['warnings'][number];

/** A p95 known less well than this, as half-width over value, is said aloud. */
const WIDE = 0.1;

/** What a run should not be silent about, beside what the loader and the planner said. */
export function runWarnings(found: Findings): RunWarning[] {
  return [
    ...nothingMeasured(found),
    ...wideIntervals(found),
    ...nearSaturation(found),
    ...noHits(found),
    ...extrapolated(found),
    ...lost(found),
  ];
}

function nothingMeasured({requests}: Findings): RunWarning[] {
  if (requests.measured > 0) return [];
  const text = `all ${countText(requests.arrived)} requests arrive within the warm-up, so none is measured; a shorter warm-up or a longer run`;
  return [{code: 'nothing_measured', path: 'run.warmup', text}];
}

function wideIntervals({metrics, load}: Findings): RunWarning[] {
  // An overloaded run has no steady p95 to be known.
  if (load.overloaded) return [];
  const wide = (['ttft_s', 'tpot_s', 'e2e_s'] as const).flatMap((name) => {
    const {p95, ci95} = metrics[name];
    if (p95 === null || p95 === 0) return [];
    if (ci95.p95 === null) return [`${name} (too few requests to say)`];
    const half = (ci95.p95[1] - ci95.p95[0]) / 2 / p95;
    return half > WIDE ? [`${name} ± ${percentText(half)}`] : [];
  });
  if (wide.length === 0) return [];
  const text = `p95 interval wider than 10 %: ${wide.join(', ')} (95 %); more requests or replications narrow it`;
  return [{code: 'wide_interval', path: 'run.requests', text}];
}

function nearSaturation({load}: Findings): RunWarning[] {
  if (load.overloaded || (load.rho ?? 0) < 0.9 || (load.mean_waiting ?? 0) < 1) return [];
  const text = `near saturation: busy ${percentText(load.rho ?? 0)} of the time with ${countText(Math.round(load.mean_waiting ?? 0))} requests waiting on average; small errors of the cost become large ones of the queue`;
  return [{code: 'near_saturation', path: 'workload.arrivals', text}];
}

/** A share of prompt tokens that must repeat before it is odd that none is found. */
const REPEATING = 0.05;

function noHits({hits, plan, requests}: Findings): RunWarning[] {
  const hit = Object.values(hits.by_tier_tokens).reduce((sum, tokens) => sum + tokens, 0);
  const {infinite} = hits.bounds;
  if (!hits.prefix_cache || hit > 0 || infinite === null) return [];
  if (infinite >= REPEATING) {
    const text = `no prompt token was found in the cache although ${percentText(infinite)} repeat: blocks are evicted before they are asked for again`;
    return [{code: 'no_hits', path: 'kv.prefix_cache', text}];
  }
  // Whoever gives the cache a memory of its own expects hits.
  if (Object.keys(plan.tiers).length === 0 || requests.measured < 2) return [];
  const text =
    'no prompt repeats a whole block of another, so memories below HBM find nothing. Possible causes: shared beginnings shorter than kv.block_size; ' +
    'something that differs at the start of each prompt (a time, an id); block ids of a trace that were hashed with another seed in each process (PYTHONHASHSEED); traffic that repeats nothing';
  return [{code: 'no_hits', path: 'kv.tiers', text}];
}

/** A share of busy time that is worth a warning when it rests on shapes that nobody measured. */
const MUCH = 0.05;

function extrapolated({provenance}: Findings): RunWarning[] {
  const rows = provenance.map(({term, busy_share, extrapolated_share}) => ({term, share: busy_share * extrapolated_share}));
  const all = rows.reduce((sum, {share}) => sum + share, 0);
  if (all < MUCH) return [];
  const named = rows.filter(({share}) => share >= MUCH / 5).map(({term, share}) => `${term} ${percentText(share)}`);
  const text = `${percentText(all)} of busy time was predicted for shapes beyond those measured: ${named.join(', ')}; its error may be larger than stated`;
  return [{code: 'extrapolated', path: 'hardware.cost_model', text}];
}

const reasonPaths: Readonly<Record<string, string>> = {
  queue_limit: 'scheduler.queue_limit',
  too_long: 'engine.max_model_len',
  no_room: 'kv.blocks',
};

function lost({requests}: Findings): RunWarning[] {
  const rows: RunWarning[] = [];
  for (const [verb, reasons] of [
    ['rejected', requests.rejected],
    ['failed', requests.failed],
  ] as const) {
    for (const [reason, n] of Object.entries(reasons)) {
      const path = Object.hasOwn(reasonPaths, reason) ? reasonPaths[reason] : 'scheduler';
      rows.push({code: verb, path, text: `${of(n, requests.measured)} ${verb} (${reason.replaceAll('_', ' ')})`});
    }
  }
  if (requests.timed_out > 0)
    rows.push({code: 'timed_out', path: 'scheduler.timeout', text: `${of(requests.timed_out, requests.measured)} timed out in the queue`});
  return rows;
}

function of(n: number, all: number): string {
  return `${countText(n)} of ${countText(all)} measured requests`;
}
