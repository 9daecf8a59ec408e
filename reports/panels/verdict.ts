import type {Report, ResultDocument} from '../../src/sim/scenario/result.js';
import {bytes, count, dollars, duration, share, significant, unbroken} from '../format.js';
import {html, type Markup} from '../markup.js';
import {type Term, term} from '../page/term.js';
import {fits} from './fits.js';

/** The head of the page: title, the verdict in one sentence, at most five figures, how far to trust them, and the warnings. */
export function verdict({document}: Report): Markup {
  const [first, ...rest] = document.verdict;
  return html`<header>
<div class="name"><h1>${document.title || document.name}</h1><p class="badge"><strong>Trust ${document.trust.grade}</strong> · ${runs(document)}</p></div>
<p class="headline">${document.headline}</p>
${document.description === '' ? null : html`<p class="description">${document.description}</p>`}
<p class="verdict">${mark(document)}${unbroken(first?.text ?? 'Nothing was judged.')}</p>
${rest.map((line) => html`<p class="also">${unbroken(line.text)}</p>`)}
${document.reason === null ? null : html`<p class="also">${document.reason}</p>`}
<dl class="figures">${figures(document)}</dl>
${fits(document)}
${warnings(document)}
</header>`;
}

function runs({replications, seed}: ResultDocument): string {
  return `${replications === 1 ? '1 run' : `${count(replications)} replications`} · seed ${seed}`;
}

/** A sign before the verdict; the sentence says the same in words. */
function mark({slo, status, load}: ResultDocument): Markup | null {
  if (status === 'infeasible' || load.overloaded) return sign('bad', '✕');
  if (slo.meets === null) return null;
  return slo.meets ? sign('good', '✓') : sign('bad', '✕');
}

function sign(kind: 'good' | 'bad', glyph: string): Markup {
  return html`<span class="mark ${kind}" aria-hidden="true">${glyph}</span>`;
}

function figures(document: ResultDocument): Markup[] {
  const {metrics, slo, throughput, cost, tiers} = document;
  const all = [
    latencyFigure('TTFT', metrics.ttft_s.p95, slo.ttft_s),
    latencyFigure('TPOT', metrics.tpot_s.p95, slo.tpot_s),
    rate(throughput.output_tokens_per_s),
    price(cost) ?? latencyFigure('E2E', metrics.e2e_s.p95, slo.e2e_s),
    ...Object.entries(tiers)
      .slice(0, 1)
      .map(([name, tier]) => tierFigure(name, tier)),
  ];
  return all.filter((figure) => figure !== null);
}

function entry(word: Term, label: string, value: string, below: Markup | null): Markup {
  return html`<div><dt>${term(word, label)}</dt><dd>${value}${below}</dd></div>\n`;
}

function latencyFigure(word: 'TTFT' | 'TPOT' | 'E2E', p95: number | null, goal: number | null): Markup | null {
  if (p95 === null) return null;
  return entry(word, `${word} p95`, duration(p95), goal === null ? html`<small>no goal</small>` : bullet(p95, goal));
}

/** A bar to the value and a tick at the goal. */
function bullet(value: number, goal: number): Markup {
  const end = Math.max(value, goal * 1.25);
  const at = (v: number) => `${Math.round((v / end) * 1000) / 10}%`;
  return html`<svg class="bullet" aria-hidden="true" focusable="false"><rect class="track" y="2" width="100%" height="6"/><rect class="${value > goal ? 'over' : 'value'}" y="2" width="${at(value)}" height="6"/><line class="tick" x1="${at(goal)}" x2="${at(goal)}" y1="-1" y2="11"/></svg><small>${value > goal ? 'above' : 'within'} the goal, ${unbroken(duration(goal))}</small>`;
}

function rate(tokens: number | null): Markup | null {
  if (tokens === null) return null;
  return entry('output', 'Output', `${significant(tokens, tokens >= 1000 ? 4 : 3)}`, html`<small>tokens per second</small>`);
}

function price({per_million_output_tokens_usd: perMillion, per_hour_usd: perHour}: ResultDocument['cost']): Markup | null {
  if (perMillion === null) return null;
  return entry('cost', 'Cost', dollars(perMillion), html`<small>per million output tokens, ${dollars(perHour)} an hour</small>`);
}

function tierFigure(name: string, tier: ResultDocument['tiers'][string]): Markup | null {
  if (!(tier.size_bytes > 0)) return null;
  const used = tier.used_bytes.mean / tier.size_bytes;
  return entry(
    'kv',
    `KV in ${name.toUpperCase()}`,
    share(used),
    html`<small>of ${unbroken(bytes(tier.size_bytes))}: mean held by running requests</small>`,
  );
}

function warnings({warnings: list}: ResultDocument): Markup | null {
  if (list.length === 0) return null;
  const heading = list.length === 1 ? '1 warning' : `${list.length} warnings`;
  return html`<div class="warnings" role="note"><p>${heading}</p><ul>${list.map((w) => html`<li>${w.path === '' ? null : html`<code>${w.path}</code> `}${w.text}</li>`)}</ul></div>`;
}
