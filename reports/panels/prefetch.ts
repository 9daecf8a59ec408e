import type {MovedBytes, PrefetchWorth, Report, ResultDocument} from '../../src/sim/scenario/result.js';
import {type Segment, stackedBar} from '../charts/bar.js';
import {type Dumbbell, dumbbellPlot} from '../charts/dumbbell.js';
import {bytes, duration, type Format, share, signedShare} from '../format.js';
import {html} from '../markup.js';
import {type Chart, figure} from '../page/figure.js';
import {number} from '../page/table.js';
import type {Panel} from './panel.js';
import {tierName, tiersBelow} from './tiers.js';

/** What prefetches brought that was used, what came late and what was never used; and what they hid, beside the run without them. */
export const prefetch: Panel = {
  name: 'Prefetches',
  needs: [],
  applies: ({document}: Report) => fetchedFrom(document).length > 0 || document.prefetch !== undefined,

  title({document}) {
    const [all, useful] = fetchedFrom(document).reduce(
      ([sum, used], tier) => [sum + fetched(document, tier), used + (movedOf(document, tier).prefetch_useful ?? 0)],
      [0, 0],
    );
    const used = all > 0 ? `${share(useful / all)} of ${bytes(all)} that were prefetched were used in time` : 'nothing was prefetched';
    if (document.prefetch === undefined) return `${used[0]!.toUpperCase()}${used.slice(1)}.`;
    const {policy, verdict, ttft_p95_s: ttft} = document.prefetch;
    const change = `TTFT p95 ${signedShare(ttft.difference / ttft.without)}`;
    const effect = {
      better: `is worth ${change}`,
      worse: `costs ${change}`,
      'no difference shown': `changes nothing that can be told apart (${change})`,
    };
    return `Prefetch ${policy} ${effect[verdict]}; ${used}.`;
  },

  render({document}) {
    const worth = document.prefetch;
    return html`${fetchedFrom(document).map((tier) => figure(usefulness(document, tier)))}${worth === undefined ? null : figure(hidden(worth))}
<p class="note">Useful: used before it left. Late: asked for while it was under way, so that part of the wait was hidden. Wasted: it left, or the run ended, before anybody asked.${worth === undefined ? null : ' The run without prefetches is on the same random streams.'}</p>`;
  },
};

function movedOf({tiers}: ResultDocument, tier: string): MovedBytes {
  return tiers[tier]!.moved_bytes!;
}

function fetched(document: ResultDocument, tier: string): number {
  const {prefetch_useful: useful = 0, prefetch_late: late = 0, prefetch_wasted: wasted = 0} = movedOf(document, tier);
  return useful + late + wasted;
}

function fetchedFrom(document: ResultDocument): string[] {
  return tiersBelow(document).filter((tier) => fetched(document, tier) > 0);
}

function usefulness(document: ResultDocument, tier: string): Chart {
  const {prefetch_useful: useful = 0, prefetch_late: late = 0, prefetch_wasted: wasted = 0} = movedOf(document, tier);
  const total = useful + late + wasted;
  const segments: Segment[] = [
    {label: 'Useful', series: 3, value: useful},
    {label: 'Late', series: 5, value: late},
    {label: 'Wasted', series: 2, value: wasted},
  ];
  const seen = segments.filter(({value}) => value > 0);
  const title = `${bytes(total)} were prefetched from ${tierName(tier)}: ${share(useful / total)} useful, ${share(late / total)} late, ${share(wasted / total)} wasted`;
  return {
    id: `prefetch-${tier}`,
    title,
    svg: stackedBar(`${title}.`, segments, total, bytes),
    legend: seen.map((s) => ({series: s.series, label: `${s.label} ${bytes(s.value)}`, mark: 'area' as const})),
    data: {
      kind: 'items',
      valueLabel: 'bytes',
      format: 'bytes',
      items: seen.map((s) => ({label: s.label, value: s.value, note: `${share(s.value / total)} of what was prefetched`})),
    },
    table: {
      caption: title,
      head: [{label: 'what became of it'}, {label: 'bytes', numeric: true}, {label: 'share', numeric: true}],
      rows: segments.map((s) => [s.label, number(s.value, bytes), number(s.value / total, share)]),
    },
  };
}

interface Row {
  readonly label: string;
  readonly format: Format;
  readonly with: number;
  readonly without: number;
  readonly ci95?: readonly [number, number] | null;
}

/** What prefetches changed, from the run without them. */
function hidden(worth: PrefetchWorth): Chart {
  const {ttft_p95_s: p95, ttft_mean_s: ttft, load_mean_s: load, tpot_mean_s: tpot, read_bytes: read} = worth;
  const rows: Row[] = [
    {label: 'wait for loads', format: duration, ...load},
    {label: 'TTFT', format: duration, ...ttft},
    {label: 'TTFT p95', format: duration, with: p95.with, without: p95.without, ci95: p95.ci95},
    ...(tpot.with === null || tpot.without === null ? [] : [{label: 'TPOT', format: duration, with: tpot.with, without: tpot.without}]),
    {label: 'bytes read', format: bytes, ...read},
  ];
  const bells = rows.filter(({without}) => without > 0).map(bell);
  const title = 'Change by prefetches, from the run without them: means, and TTFT p95';
  return {
    id: 'prefetch-worth',
    title,
    svg: dumbbellPlot(`${title}: ${bells.map((b) => `${b.label} ${b.changeText}`).join(', ')}.`, bells, 2, 'change'),
    legend: [],
    data: {
      kind: 'items',
      valueLabel: 'change',
      format: 'share',
      items: bells.map(({label, change, changeText, values}) => ({label, value: change, text: changeText, note: values})),
    },
    table: {
      caption: title,
      head: [{label: 'what'}, {label: 'without', numeric: true}, {label: 'with', numeric: true}, {label: 'change', numeric: true}],
      rows: rows.map((row) => [
        row.label,
        number(row.without, row.format),
        number(row.with, row.format),
        row.without > 0 ? signedShare(row.with / row.without - 1) : '–',
      ]),
    },
  };
}

function bell({label, format, with: own, without, ci95 = null}: Row): Dumbbell {
  const change = own / without - 1;
  const interval = ci95 === null ? null : ([ci95[0] / without, ci95[1] / without] as const);
  return {
    label,
    values: `${format(without)} → ${format(own)}`,
    change,
    changeText: signedShare(change),
    interval,
    intervalText: interval === null ? '' : ` (${signedShare(interval[0])} … ${signedShare(interval[1])})`,
    mark: change < 0 ? '▼' : change > 0 ? '▲' : '=',
  };
}
