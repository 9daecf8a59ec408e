import type {MetricComparison, Pair} from './comparison.js';
import {type ComparedMetricName, comparedMetric, comparedMetricNames} from './metrics.js';
import {changeOf, changeText, figureText, signed} from './text.js';

/** Figures that the first sentence names, most important first. */
const leading: readonly ComparedMetricName[] = [
  'slo.attainment',
  'ttft_s.p95',
  'tpot_s.p95',
  'e2e_s.p95',
  'throughput.output_tokens_per_s',
  'cost.per_million_output_tokens_usd',
  'hits.share',
];
const NAMED = 3;

type Judged = Pick<Pair, 'before' | 'after' | 'metrics'>;

/** The whole in one sentence, then one sentence for each figure. */
export function pairVerdict(pair: Judged): Pair['verdict'] {
  const known = comparedMetricNames.filter((name) => pair.metrics[name] !== null);
  return [whole(pair, known), ...known.map((name) => ({code: name, text: sentence(name, pair.metrics[name]!)}))];
}

function whole({before, after, metrics}: Judged, known: readonly ComparedMetricName[]): Pair['verdict'][number] {
  const of = (verdict: MetricComparison['verdict']) => known.filter((name) => metrics[name]!.verdict === verdict);
  const [better, worse] = [of('better'), of('worse')];
  const named = (names: readonly ComparedMetricName[]) => {
    const ordered = [...leading.filter((name) => names.includes(name)), ...names.filter((name) => !leading.includes(name))];
    const first = ordered.slice(0, NAMED).map((name) => short(name, metrics[name]!));
    return ordered.length > NAMED ? `${first.join(', ')} and ${ordered.length - NAMED} more` : first.join(', ');
  };
  if (better.length === 0 && worse.length === 0)
    return {code: 'no_difference', text: `No difference shown between ${before} and ${after} in any of ${known.length} figures.`};
  if (worse.length === 0) return {code: 'better', text: `${after} is better: ${named(better)}; nothing is worse.`};
  if (better.length === 0) return {code: 'worse', text: `${after} is worse: ${named(worse)}; nothing is better.`};
  return {code: 'mixed', text: `${after} is better in ${named(better)}; worse in ${named(worse)}.`};
}

function short(name: ComparedMetricName, metric: MetricComparison): string {
  const {value, unit} = changeOf(metric);
  const {label} = comparedMetric(name);
  return value === null ? `${label} from 0 to ${figureText(metric.unit, metric.after)}` : `${label} ${signed(value)} ${unit}`;
}

/** `TTFT p95 is better: 1.8 s → 620 ms, −66 % (−71 … −60).` */
function sentence(name: ComparedMetricName, metric: MetricComparison): string {
  const {label} = comparedMetric(name);
  const values = `${figureText(metric.unit, metric.before)} → ${figureText(metric.unit, metric.after)}, ${changeText(metric)}`;
  const note = metric.note === null ? '' : `; ${metric.note}`;
  return metric.verdict === 'no difference shown'
    ? `${capital(label)}: no difference shown, ${values}${note}.`
    : `${capital(label)} is ${metric.verdict}: ${values}${note}.`;
}

function capital(text: string): string {
  return text[0].toUpperCase() + text.slice(1);
}
