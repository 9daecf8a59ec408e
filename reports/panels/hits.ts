import type {ResultDocument} from '../../src/sim/scenario/result.js';
import {type Segment, stackedBar} from '../charts/bar.js';
import {type Dot, dotPlot} from '../charts/dot-plot.js';
import {count, share} from '../format.js';
import {html} from '../markup.js';
import {type Chart, figure} from '../page/figure.js';
import {number, table} from '../page/table.js';
import type {Panel} from './panel.js';
import {tierSeries} from './tiers.js';

/** What the prefix cache is worth: hits beside no cache and an infinite one. */
export const hits: Panel = {
  name: 'Hits beside the bounds',
  needs: ['prompts'],

  title({document: {hits}}) {
    const own = hitShare(hits);
    const {infinite} = hits.bounds;
    if (!hits.prefix_cache)
      return `The prefix cache is off: every prompt token is computed${infinite === null ? '' : `; a cache could serve up to ${share(infinite)}`}.`;
    if (infinite === null) return `The prefix cache serves ${share(own)} of prompt tokens.`;
    if (infinite === 0) return 'No prompt shares a whole block with an earlier one: no cache could help.';
    if (infinite - own < 0.0005) return `The prefix cache serves ${share(own)} of prompt tokens, as much as an infinite one would.`;
    const {belady} = hits.bounds;
    const foreseen = belady === null || infinite - belady < 0.0005 ? '' : `, one of this size that knows the future ${share(belady)}`;
    return `The prefix cache serves ${share(own)} of prompt tokens; an infinite one would serve ${share(infinite)}${foreseen}.`;
  },

  render({document}) {
    const {hits: h, tokens} = document;
    const tiers = Object.entries(h.by_tier_tokens);
    return html`${figure(beside(h))}${tiers.length > 1 ? figure(byTier(h)) : null}
<h3>Where prompt tokens came from</h3>
${table({
  caption: 'Prompt tokens by tier',
  head: [{label: 'from'}, {label: 'tokens', numeric: true}, {label: 'share', numeric: true}],
  rows: [
    ...tiers.map(([name, n]) => [name.toUpperCase(), number(n, count), number(h.share[name] ?? null, share)]),
    ['computed', number(h.computed_tokens, count), number(computedShare(h), share)],
  ],
})}
<p class="note">Counted in ${h.unit}, at the first lookup of a request. ${h.bounds.belady === null ? null : 'Belady: one memory as large as all of them together, in which what is used again last leaves first; the order of requests is that of this run. '} Lookups after a preemption are apart: ${count(tokens.hit_after_preemption)} of ${count(tokens.lookup_after_preemption)} tokens. Blocks computed although an equal one was there: ${count(tokens.duplicate_blocks)}.</p>`;
  },
};

function hitTokens(h: ResultDocument['hits']): number {
  return Object.values(h.by_tier_tokens).reduce((sum, n) => sum + n, 0);
}

/** Share of prompt tokens that any tier served. */
function hitShare(h: ResultDocument['hits']): number {
  return Object.keys(h.by_tier_tokens).reduce((sum, name) => sum + (h.share[name] ?? 0), 0);
}

function computedShare(h: ResultDocument['hits']): number | null {
  const all = hitTokens(h) + h.computed_tokens;
  return all > 0 ? 1 - hitShare(h) : null;
}

/** Where prompt tokens came from: each memory, or computed. */
function byTier(h: ResultDocument['hits']): Chart {
  const segments: Segment[] = [
    ...Object.keys(h.by_tier_tokens).map((tier) => ({label: tier.toUpperCase(), series: tierSeries(tier), value: h.share[tier] ?? 0})),
    {label: 'Computed', series: 6, value: computedShare(h) ?? 0},
  ];
  const shown = segments.filter(({value}) => value > 0);
  const title = 'Prompt tokens by the memory that they were found in';
  return {
    id: 'hits-tiers',
    title,
    svg: stackedBar(`${title}: ${segments.map((s) => `${s.label} ${share(s.value)}`).join(', ')}.`, segments, 1, share),
    legend: shown.map((s) => ({series: s.series, label: `${s.label} ${share(s.value)}`, mark: 'area' as const})),
    data: {
      kind: 'items',
      valueLabel: 'share of prompt tokens',
      format: 'share',
      items: shown.map((s) => ({label: s.label, value: s.value, note: 'of prompt tokens'})),
    },
    table: {
      caption: title,
      head: [{label: 'from'}, {label: 'share of prompt tokens', numeric: true}],
      rows: segments.map((s) => [s.label, number(s.value, share)]),
    },
  };
}

function beside(h: ResultDocument['hits']): Chart {
  const dots: Dot[] = [
    {label: 'no cache', series: 6, value: h.bounds.none},
    {label: 'this run', series: 1, value: hitShare(h)},
  ];
  if (h.bounds.belady !== null) dots.push({label: 'knowing the future (Belady)', series: 5, value: h.bounds.belady});
  if (h.bounds.infinite !== null) dots.push({label: 'infinite cache', series: 2, value: h.bounds.infinite});
  const title = 'Share of prompt tokens that did not have to be computed';
  return {
    id: 'hits-bounds',
    title,
    svg: dotPlot(`${title}: ${dots.map((d) => `${d.label} ${share(d.value)}`).join(', ')}.`, dots, 'share of prompt tokens', share),
    legend: [],
    data: {
      kind: 'items',
      valueLabel: 'share of prompt tokens',
      format: 'share',
      items: dots.map((d) => ({label: d.label, value: d.value, note: 'of prompt tokens'})),
    },
    table: {
      caption: title,
      head: [{label: 'cache'}, {label: 'share of prompt tokens', numeric: true}],
      rows: dots.map((d) => [d.label, number(d.value, share)]),
    },
  };
}
