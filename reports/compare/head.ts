import type {Comparison, MetricComparison, Pair} from '../../src/sim/compare/comparison.js';
import {type ComparedMetricName, comparedMetric} from '../../src/sim/compare/metrics.js';
import {changeOf, changeText, figureText, signed} from '../../src/sim/compare/text.js';
import {unbroken} from '../format.js';
import {html, type Markup} from '../markup.js';
import {type Term, term} from '../page/term.js';
import {seriesOf} from './panel.js';

/** The head of the page: who is compared, the verdict in one sentence for each, at most five figures, and the warnings. */
export function head(comparison: Comparison): Markup {
  const {document} = comparison;
  const [first, ...others] = document.comparisons;
  return html`<header>
<div class="name"><h1>${title(document.labels)}</h1><p class="badge">${document.replications} replications each · seed ${document.seed}</p></div>
${document.labels.map((label, i) => html`<p class="headline">${swatch(seriesOf(comparison, label))} <strong>${label}</strong>: ${document.results[i]!.headline}</p>`)}
<p class="verdict">${sign(first!)}${unbroken(first!.verdict[0]!.text)}</p>
${others.map((pair) => html`<p class="also">${sign(pair)}${unbroken(pair.verdict[0]!.text)}</p>`)}
<dl class="figures">${figures(first!)}</dl>
${warnings(comparison)}
</header>`;
}

/** `A compared with B`: the base last, as it is what the others are measured by. */
export function title([base, ...others]: readonly string[]): string {
  return `${others.join(', ')} compared with ${base}`;
}

/** How a scenario's lines look. */
export function swatch(series: number): Markup {
  return html`<svg class="swatch" width="28" height="12" aria-hidden="true" focusable="false"><path class="line s${series}" d="M0,6H28"/></svg>`;
}

function sign({verdict}: Pair): Markup | null {
  const [{code}] = verdict as [Pair['verdict'][number]];
  if (code === 'better') return html`<span class="mark good" aria-hidden="true">✓</span>`;
  return code === 'worse' ? html`<span class="mark bad" aria-hidden="true">✕</span>` : null;
}

const shown: readonly (readonly [ComparedMetricName, Term])[] = [
  ['ttft_s.p95', 'TTFT'],
  ['tpot_s.p95', 'TPOT'],
  ['e2e_s.p95', 'E2E'],
  ['throughput.output_tokens_per_s', 'output'],
  ['slo.attainment', 'attainment'],
];

function figures({metrics}: Pair): Markup[] {
  return shown.flatMap(([name, word]) => {
    const metric = metrics[name];
    return metric === null ? [] : [entry(comparedMetric(name).label, word, metric)];
  });
}

function entry(label: string, word: Term, metric: MetricComparison): Markup {
  const {value, unit} = changeOf(metric);
  const name = label[0]!.toUpperCase() + label.slice(1);
  const values = `${figureText(metric.unit, metric.before)} → ${figureText(metric.unit, metric.after)}`;
  return html`<div><dt>${term(word, name)}</dt><dd>${value === null ? changeText(metric) : `${signed(value)} ${unit}`}<small>${unbroken(values)}</small><small>${metric.verdict}</small></dd></div>\n`;
}

function warnings({document: {warnings: list}}: Comparison): Markup | null {
  if (list.length === 0) return null;
  const heading = list.length === 1 ? '1 warning' : `${list.length} warnings`;
  return html`<div class="warnings" role="note"><p>${heading}</p><ul>${list.map((w) => html`<li>${w.path === '' ? null : html`<code>${w.path}</code> `}${unbroken(w.text)}</li>`)}</ul></div>`;
}
