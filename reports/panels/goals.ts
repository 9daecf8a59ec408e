import type {ResultDocument, SloDocument} from '../../src/sim/scenario/result.js';
import {stackedBar} from '../charts/bar.js';
import {bulletPlot} from '../charts/bullet.js';
import {dollars, duration, lifetime, share} from '../format.js';
import {html, type Markup} from '../markup.js';
import {type Chart, figure} from '../page/figure.js';
import {grade} from '../page/grade.js';
import {number, type Table, table} from '../page/table.js';
import {ownPrice} from './own-price.js';
import type {Panel} from './panel.js';

/** How far the goals are met, by class of requests, and what it costs. */
export const goals: Panel = {
  name: 'Goals and cost',
  needs: [],

  title({document: {slo, cost}}) {
    const met =
      slo.attainment === null
        ? 'No request has a goal'
        : `${share(slo.attainment)} of requests meet their goals, ${share(slo.goal)} should`;
    const price =
      cost.per_million_output_tokens_usd === null
        ? 'no price is set'
        : `a million output tokens cost ${dollars(cost.per_million_output_tokens_usd)}`;
    return `${met}; ${price}.`;
  },

  render({document}) {
    return html`${document.slo.attainment === null ? null : figure(attainment(document.slo))}
${others(document)}
<h3>Cost</h3>
${document.cost.per_hour === null ? null : figure(hour(document))}
${document.cost.per_hour === null ? noPrice(document) : prices(document)}
${ownPrice(document)}
${wear(document)}`;
  },
};

type Judged = SloDocument & {readonly label: string; readonly p95: readonly (number | null)[]};

/** All requests, or each class of them, that a goal is set for. */
function judged(slo: ResultDocument['slo']): Judged[] {
  const classes = Object.entries(slo.classes).map(([label, one]) => ({
    ...one,
    label: `class ${label}`,
    p95: [one.ttft_p95_s, one.tpot_p95_s, one.e2e_p95_s],
  }));
  const known = classes.filter(({attainment}) => attainment !== null);
  return known.length > 0 ? known : [{...slo, label: 'all requests', p95: []}];
}

function attainment(slo: ResultDocument['slo']): Chart {
  const rows = judged(slo);
  const title = `Share of requests within their goals${rows.length > 1 ? ', by class' : ''}`;
  const bullets = rows.map(({label, attainment, goal}) => ({label, value: attainment!, goal}));
  return {
    id: 'goals-attainment',
    title,
    svg: bulletPlot(
      `${title}: ${bullets.map((b) => `${b.label} ${share(b.value)} of ${share(b.goal)} wanted`).join('; ')}.`,
      bullets,
      'share of requests',
      share,
    ),
    legend: [],
    data: {
      kind: 'items',
      valueLabel: 'share of requests',
      format: 'share',
      items: bullets.map((b) => ({label: b.label, value: b.value, note: `goal ${share(b.goal)}: ${b.value < b.goal ? 'missed' : 'met'}`})),
    },
    table: goalTable(title, rows),
  };
}

function goalTable(caption: string, rows: readonly Judged[]): Table {
  const words = ['TTFT', 'TPOT', 'E2E'] as const;
  const keys = ['ttft_s', 'tpot_s', 'e2e_s'] as const;
  const byClass = rows.some(({p95}) => p95.length > 0);
  return {
    caption,
    head: [
      {label: 'requests'},
      {label: 'good', numeric: true},
      {label: 'goal', numeric: true},
      ...words.flatMap((word) => [{label: `${word} goal`, numeric: true}, ...(byClass ? [{label: `${word} p95`, numeric: true}] : [])]),
    ],
    rows: rows.map((row) => [
      row.label,
      number(row.attainment, share),
      number(row.goal, share),
      ...keys.flatMap((key, i) => [number(row[key], duration), ...(byClass ? [number(row.p95[i] ?? null, duration)] : [])]),
    ]),
  };
}

/** The goals of sessions and of the run, in words. */
function others({slo, load}: ResultDocument): Markup | null {
  const parts: string[] = [];
  if (slo.session_s !== null && slo.sessions_attainment !== null)
    parts.push(`${share(slo.sessions_attainment)} of sessions end within ${duration(slo.session_s)}; ${share(slo.goal)} should.`);
  if (slo.makespan_s !== null) parts.push(`The run takes ${duration(load.makespan_s)}; ${duration(slo.makespan_s)} are allowed.`);
  return parts.length === 0 ? null : html`<p>${parts.join(' ')}</p>`;
}

const costs = [
  {key: 'device_usd', part: 'device', label: 'devices', series: 1},
  {key: 'host_usd', part: 'host', label: 'host', series: 6},
  {key: 'dram_usd', part: 'dram', label: 'DRAM', series: 3},
  {key: 'ssd_usd', part: 'ssd', label: 'SSD', series: 4},
  {key: 'energy_usd', part: 'energy', label: 'energy', series: 5},
] as const;

function hour({cost}: ResultDocument): Chart {
  const all = costs.map(({key, label, series}) => ({label, series, value: cost.per_hour![key]}));
  const seen = all.filter(({value}) => value > 0);
  const total = cost.per_hour_usd!;
  const title = `An hour costs ${dollars(total)}`;
  const part = (value: number) => (total > 0 ? share(value / total) : '0 %');
  return {
    id: 'cost-hour',
    title,
    svg: stackedBar(`${title}: ${all.map((s) => `${s.label} ${dollars(s.value)}`).join(', ')}.`, seen, total, dollars),
    legend: seen.map((s) => ({series: s.series, label: `${s.label} ${dollars(s.value)}`, mark: 'area' as const})),
    data: {
      kind: 'items',
      valueLabel: 'USD an hour',
      format: 'dollars',
      items: seen.map((s) => ({label: s.label, value: s.value, note: `${part(s.value)} of the hour`})),
    },
    table: {
      caption: title,
      head: [{label: 'part'}, {label: 'USD an hour', numeric: true}, {label: 'share', numeric: true}],
      rows: all.map((s) => [s.label, number(s.value, dollars), part(s.value)]),
    },
  };
}

/** Each price with its source; what has none is named, not guessed. */
function prices({cost}: ResultDocument): Markup {
  const free = cost.prices.filter(({grade: of}) => of === null).map(({part}) => costs.find((one) => one.part === part)?.label ?? part);
  return html`${table({
    caption: 'Prices',
    head: [{label: 'part'}, {label: 'price', numeric: true}, {label: 'of'}, {label: 'grade'}, {label: 'source'}],
    rows: cost.prices
      .filter(({grade: of}) => of !== null)
      .map((price) => [
        costs.find(({part}) => part === price.part)?.label ?? price.part,
        number(price.usd, dollars),
        price.unit.replace('USD/', 'each '),
        grade(price.grade!),
        price.source,
      ]),
  })}${free.length === 0 ? null : html`<p class="note">Counted as 0, because no price is given: ${free.join(', ')}.</p>`}`;
}

function noPrice({cost}: ResultDocument): Markup {
  const known =
    cost.listed === null
      ? ''
      : ` One was published: ${dollars(cost.listed.usd_per_hour)} an hour (${cost.listed.kind}; ${cost.listed.date}; ${cost.listed.source}).`;
  return html`<p>No price is guessed: set <code>cost.device</code> to what you pay.${known}</p>`;
}

function wear({tiers}: ResultDocument): Markup | null {
  const years = tiers['ssd']?.wear_years ?? null;
  if (years === null) return null;
  return html`<p>At this rate of writes the SSD's stated endurance lasts ${lifetime(years)}.</p>`;
}
