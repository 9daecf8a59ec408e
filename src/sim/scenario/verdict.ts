import {bounds} from '../../models/cost/cost.js';
import type {ResultDocument} from './result.js';
import {countText, digits, durationText, percentText} from './text.js';

/** What the sentences are made of: the document, before they are in it. */
export type Findings = Readonly<ResultDocument>;
type Sentence = ResultDocument['verdict'][number];

/** The verdict, most important first, one sentence each. */
export function verdict(found: Findings): Sentence[] {
  return [overload(found), goal(found), bound(found), prefixCache(found), memoryPressure(found)].filter((sentence) => sentence !== null);
}

function overload({load}: Findings): Sentence | null {
  if (!load.overloaded) return null;
  const times =
    load.rho === null ? '' : `: ρ = ${digits(load.rho, 2)}, the load asks for ${digits(load.rho, 2)} × what this deployment can do`;
  return {
    code: 'overloaded',
    text: `Overloaded${times}. The queue grew as long as requests came, so latencies say how long that was, not how fast it is.`,
  };
}

function goal({slo, metrics, load}: Findings): Sentence | null {
  if (slo.meets === null) {
    return metrics.e2e_s.n === 0
      ? null
      : {code: 'no_goal', text: 'No goal is set: slo.ttft, slo.tpot or slo.e2e would say whether this is fast enough.'};
  }
  const parts = [requestsWithin(slo), ...missedClasses(slo), sessionsWithin(slo), runWithin(slo, load)].filter((part) => part !== null);
  return {code: slo.meets ? 'slo_met' : 'slo_missed', text: `${slo.meets ? 'Meets' : 'Misses'} the goal: ${parts.join('; ')}.`};
}

type Slo = Findings['slo'];
const goalNames = [
  ['TTFT', 'ttft_s'],
  ['TPOT', 'tpot_s'],
  ['E2E', 'e2e_s'],
] as const;

function requestsWithin(slo: Slo): string | null {
  if (slo.attainment === null) return null;
  const own = Object.values(slo.classes).some((one) => goalNames.some(([, key]) => one[key] !== slo[key]));
  const goals = goalNames.flatMap(([name, key]) => (slo[key] === null ? [] : [`${name} ${durationText(slo[key])}`]));
  return `${percentText(slo.attainment)} of requests within ${own ? 'the goals of their class' : listed(goals)} (goal ${percentText(slo.goal)})`;
}

function missedClasses({classes}: Slo): string[] {
  return Object.entries(classes).flatMap(([name, {meets, attainment, goal: wanted}]) =>
    meets === false ? [`of class ${name} ${percentText(attainment!)} (goal ${percentText(wanted)})`] : [],
  );
}

function sessionsWithin({session_s: within, sessions_attainment: share, goal: wanted}: Slo): string | null {
  if (within === null || share === null) return null;
  return `${percentText(share)} of sessions within ${durationText(within)} (goal ${percentText(wanted)})`;
}

function runWithin({makespan_s: within}: Slo, {makespan_s: took}: Findings['load']): string | null {
  return within === null ? null : `the run takes ${durationText(took)} (goal ${durationText(within)})`;
}

const boundNames = {
  compute: 'compute',
  hbm: 'memory bandwidth',
  link: 'the links between devices',
  launch: 'kernel launches',
  host: 'host time',
} as const;

/** What bounds a run, in words; `memory` is the device's own, which not every device calls HBM. */
export function boundName(name: (typeof bounds)[number], memory: string): string {
  return name === 'hbm' && memory !== 'unified' ? `${memory.toUpperCase()} bandwidth` : boundNames[name];
}

function bound({time, plan}: Findings): Sentence | null {
  if (time.busy_s === 0) return null;
  const most = bounds.reduce((best, name) => (time.bound_share[name] > time.bound_share[best] ? name : best));
  const memory = Object.keys(plan.memories)[0] ?? 'hbm';
  return {code: `bound_${most}`, text: `Bound: ${boundName(most, memory)}, ${percentText(time.bound_share[most])} of busy time.`};
}

/** A repeat too rare to matter. */
const RARE = 0.005;

function prefixCache(found: Findings): Sentence | null {
  const {hits, tiers} = found;
  const infinite = hits.bounds.infinite;
  if (infinite === null) return null;
  const code = 'prefix_cache';
  if (infinite < RARE) {
    const all = infinite === 0 ? 'no prompt repeats' : `only ${percentText(infinite)} of prompt tokens repeat`;
    return {code, text: `A prefix cache is worth nothing here: ${all}.`};
  }
  if (!hits.prefix_cache)
    return {code, text: `The prefix cache is off; an infinite one would hold ${percentText(infinite)} of prompt tokens.`};
  const hit = Object.keys(tiers).reduce((sum, tier) => sum + (hits.share[tier] ?? 0), 0);
  const rest = infinite - hit;
  const more = rest < RARE ? 'all that repeat' : `of ${percentText(infinite)} that repeat${whatWouldSave(found, percentText(rest))}`;
  return {code, text: `The prefix cache saves computing ${percentText(hit)} of prompt tokens, ${more}.`};
}

/** Room, unless all that was ever written below HBM is still there: then what is written, and what of it is loaded. */
function whatWouldSave({plan, tiers}: Findings, rest: string): string {
  const below = Object.keys(plan.tiers);
  const isKept = (tier: string, i: number) => {
    const {evictions, refused_blocks: refused, writes_bytes: written} = tiers[tier];
    return refused === 0 && (evictions === 0 || (i + 1 < below.length && tiers[below[i + 1]].writes_bytes! >= written!));
  };
  if (below.length === 0 || !below.every(isKept)) return `: room for more would save up to ${rest}`;
  const [near] = below;
  const last = below.length === 1 ? near.toUpperCase() : 'the last memory';
  return `. Room for more would not save the other ${rest}, since nothing had to leave ${last}: kv.tiers.${near}.write and kv.load say what is written there and loaded`;
}

function memoryPressure({requests, tokens}: Findings): Sentence | null {
  if (requests.preemptions === 0) return null;
  const times = requests.preemptions === 1 ? 'once' : `${countText(requests.preemptions)} times`;
  const again =
    tokens.discarded > 0
      ? `; ${countText(tokens.discarded)} generated ${tokens.discarded === 1 ? 'token was' : 'tokens were'} computed again`
      : '';
  return {code: 'memory_pressure', text: `KV memory ran out: running requests were preempted ${times}${again}.`};
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
