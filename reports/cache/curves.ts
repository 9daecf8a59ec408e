import type {HitDocument} from '../../src/sim/memory/hit-document.js';
import {linearTicks, linearY, logScale, logTicks} from '../charts/axis.js';
import {coordinate, frame, percent} from '../charts/frame.js';
import {markForm, markSwatch, mostForms} from '../charts/mark.js';
import {count, share} from '../format.js';
import {html, type Markup} from '../markup.js';
import {figure} from '../page/figure.js';
import type {Part} from '../page/sections.js';
import {number, table} from '../page/table.js';
import {type PolicySizes, policyOf} from './part.js';

const height = 320;
const shareTick = (value: number | null) => (value === null ? '' : `${Math.round(value)} %`);

/** Hits by size: policies as lines with marks, bounds as plain lines. */
export const curves: Part<HitDocument> = {
  name: 'Hits by size',

  title(document) {
    const [lru, belady] = [policyOf(document, 'lru'), policyOf(document, 'belady')];
    if (lru === null) return 'What each policy hits at each size.';
    const last = lru.sizes.at(-1)!;
    const ends = `LRU goes from ${share(lru.sizes[0]!.share)} at ${count(lru.sizes[0]!.blocks)} blocks to ${share(last.share)} at ${count(last.blocks)}`;
    return belady === null ? `${ends}.` : `${ends}; Belady from ${share(belady.sizes[0]!.share)} to ${share(belady.sizes.at(-1)!.share)}.`;
  },

  render(document) {
    return html`${chart(document.policies, document.ceiling.share)}${all(document.policies)}`;
  },
};

function chart(policies: readonly PolicySizes[], ceiling: number): Markup {
  const lines = policies.filter(({bound}) => !bound).slice(0, mostForms);
  const bounds = policies.filter(({bound, policy}) => bound && policy !== 'infinite' && policy !== 'none');
  const sizes = policies[0]!.sizes.map(({blocks}) => blocks);
  const x = logScale(sizes[0]!, sizes.at(-1)!);
  const y = linearY(ceiling, height);
  const path = ({sizes: points}: PolicySizes) =>
    points.map(({blocks, share: hit}, i) => `${i === 0 ? 'M' : 'L'}${coordinate(x(blocks))},${coordinate(y(hit))}`).join('');
  const points = lines.flatMap(({policy, sizes: of}, i) => of.map((point) => ({...point, policy, series: i + 1})));
  const title = 'Share of block accesses that hit, by blocks of the cache';
  return figure({
    id: 'hit-curves',
    title,
    svg: frame({
      label: title,
      height,
      x: {title: 'blocks', ticks: logTicks(x, count)},
      y: {title: 'hits', ticks: linearTicks(y, 5, 0.01, shareTick)},
      marks: html`<path class="front" d="M0,${coordinate(y(ceiling))}H1000"/>${bounds.map((bound) => html`<path class="roof" d="${path(bound)}"/>`)}${lines.map((line, i) => html`<path class="line s${i + 1}" d="${path(line)}"/>`)}`,
      over: html`${points.map((point, i) => html`<svg x="${percent(x(point.blocks))}" y="${coordinate(y(point.share))}" overflow="visible"><g data-item="${i}">${markForm(point.series, true)}</g></svg>`)}`,
    }),
    legend: html`<ul class="legend">${lines.map(({policy}, i) => html`<li>${markSwatch(i + 1)}${policy}</li>`)}${bounds.length > 0 ? html`<li>${lineSwatch('roof')}${bounds.map(({policy}) => policy).join(', ')}</li>` : null}<li>${lineSwatch('front')}an infinite cache</li></ul>`,
    note:
      policies.filter(({bound}) => !bound).length > mostForms ? `The first ${mostForms} policies are drawn; the table below has all.` : '',
    data: {
      kind: 'items',
      valueLabel: 'hits',
      format: 'share',
      items: points.map(({policy, blocks, hits, share: value}) => ({
        label: `${policy}:`,
        value,
        text: share(value),
        note: `${count(hits)} hits with ${count(blocks)} blocks`,
      })),
    },
    table: {
      caption: title,
      head: [{label: 'policy'}, {label: 'blocks', numeric: true}, {label: 'hits', numeric: true}, {label: 'share', numeric: true}],
      rows: points.map(({policy, blocks, hits, share: value}) => [
        policy,
        number(blocks, count),
        number(hits, count),
        number(value, share),
      ]),
    },
  });
}

function all(policies: readonly PolicySizes[]): Markup {
  return html`<h3>Every policy and bound</h3>${table({
    caption: 'Share of block accesses that hit, by policy and size',
    head: [{label: 'policy'}, ...policies[0]!.sizes.map(({blocks}) => ({label: count(blocks), numeric: true}))],
    rows: policies.map(({policy, bound, sizes}) => [
      `${policy}${bound ? ' (bound)' : ''}`,
      ...sizes.map(({share: value}) => number(value, (known) => `${((known ?? 0) * 100).toFixed(2)} %`)),
    ]),
    sortable: true,
  })}`;
}

function lineSwatch(kind: 'roof' | 'front'): Markup {
  return html`<svg class="swatch" width="28" height="12" aria-hidden="true" focusable="false"><path class="${kind}" d="M0,6H28"/></svg>`;
}
