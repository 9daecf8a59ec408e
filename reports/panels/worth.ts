import type {ResultDocument, TierWorth} from '../../src/sim/scenario/result.js';
import {type Dumbbell, dumbbellPlot} from '../charts/dumbbell.js';
import {dollars, duration, signedShare as signed, significant} from '../format.js';
import {html, type Markup} from '../markup.js';
import {type Chart, figure} from '../page/figure.js';
import {number} from '../page/table.js';
import type {Panel} from './panel.js';

type Row = {readonly one: TierWorth; readonly change: number; readonly interval: readonly [number, number] | null};

/** What each memory below HBM is worth: the same requests without it. */
export const worth: Panel = {
  name: 'What each tier is worth',
  needs: [],
  applies: ({document}) => document.worth !== null && document.worth.length > 0,

  title: ({document}) => document.worth!.map(({text}) => text).join(' '),

  render({document}) {
    return html`${figure(chart(document))}${costChart(document)}
<p class="note">Simulated again without the tier, on the same random streams; the interval is that of the paired difference (95 %).${
      document.replications === 1 ? ' With one run the pairs are ten batches of it; more replications say more.' : ''
    }</p>`;
  },
};

function chart({worth: all}: ResultDocument): Chart {
  const rows: Row[] = all!.map((one) => {
    const {difference, without, ci95} = one.ttft_p95_s;
    return {one, change: difference / without, interval: ci95 === null ? null : [ci95[0] / without, ci95[1] / without]};
  });
  const bells: Dumbbell[] = rows.map(({one, change, interval}) => ({
    label: one.tier.toUpperCase(),
    values: `${duration(one.ttft_p95_s.without)} without it, ${duration(one.ttft_p95_s.with)} with it`,
    change,
    changeText: signed(change),
    interval,
    intervalText: interval === null ? '' : ` (${signed(interval[0])} … ${signed(interval[1])})`,
    mark: {better: '▼', worse: '▲', 'no difference shown': '='}[one.verdict],
  }));
  const title = 'Change of TTFT p95 by each tier, from the run without it';
  return {
    id: 'worth-ttft',
    title,
    svg: dumbbellPlot(`${title}: ${bells.map((b) => `${b.label} ${b.changeText}`).join(', ')}.`, bells, 2, 'change of TTFT p95'),
    legend: [],
    data: {
      kind: 'items',
      valueLabel: 'change of TTFT p95',
      format: 'share',
      items: rows.map(({one, change}, i) => ({label: bells[i]!.label, value: change, text: signed(change), note: one.verdict})),
    },
    table: {
      caption: title,
      head: [
        {label: 'tier'},
        {label: 'TTFT p95 without', numeric: true},
        {label: 'with', numeric: true},
        {label: 'change', numeric: true},
        {label: '95 % interval', numeric: true},
        {label: 'verdict'},
        {label: 'output tok/s without', numeric: true},
        {label: 'with', numeric: true},
        {label: '$ a million without', numeric: true},
        {label: 'with', numeric: true},
      ],
      rows: rows.map(({one, change, interval}, i) => [
        bells[i]!.label,
        number(one.ttft_p95_s.without, duration),
        number(one.ttft_p95_s.with, duration),
        signed(change),
        interval === null ? '–' : `${signed(interval[0])} … ${signed(interval[1])}`,
        one.verdict,
        number(one.output_tokens_per_s.without, rate),
        number(one.output_tokens_per_s.with, rate),
        number(one.cost_usd.without, dollars),
        number(one.cost_usd.with, dollars),
      ]),
    },
  };
}

/** What a million output tokens cost with and without each tier: the same work in another time, and the tier's price gone. */
function costChart({worth: all}: ResultDocument): Markup | null {
  const rows = all!.flatMap(({tier, cost_usd: {with: own, without}}) =>
    own === null || without === null || without === 0 ? [] : [{tier, own, without, change: own / without - 1}],
  );
  if (rows.length === 0) return null;
  const title = 'Change of the price of a million output tokens by each tier';
  const bells: Dumbbell[] = rows.map(({tier, own, without, change}) => ({
    label: tier.toUpperCase(),
    values: `${dollars(without)} without it, ${dollars(own)} with it`,
    change,
    changeText: signed(change),
    interval: null,
    intervalText: '',
    mark: change < 0 ? '▼' : change > 0 ? '▲' : '=',
  }));
  return figure({
    id: 'worth-cost',
    title,
    svg: dumbbellPlot(
      `${title}: ${bells.map((b) => `${b.label} ${b.changeText}`).join(', ')}.`,
      bells,
      3,
      'change of $ a million output tokens',
    ),
    legend: [],
    data: {
      kind: 'items',
      valueLabel: 'change of $ a million output tokens',
      format: 'share',
      items: rows.map(({change}, i) => ({label: bells[i]!.label, value: change, text: signed(change), note: bells[i]!.values})),
    },
    table: {
      caption: title,
      head: [{label: 'tier'}, {label: 'without', numeric: true}, {label: 'with', numeric: true}, {label: 'change', numeric: true}],
      rows: rows.map(({without, own, change}, i) => [bells[i]!.label, number(without, dollars), number(own, dollars), signed(change)]),
    },
  });
}

function rate(value: number | null): string {
  return value === null ? '–' : significant(value, 4);
}
