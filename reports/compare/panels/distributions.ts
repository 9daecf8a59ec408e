import type {Comparison} from '../../../src/sim/compare/comparison.js';
import type {Report} from '../../../src/sim/scenario/result.js';
import {logScale, logTicks} from '../../charts/axis.js';
import {packExact} from '../../charts/data.js';
import {type Ecdf, ecdf, valueAt} from '../../charts/ecdf.js';
import {frame, percent} from '../../charts/frame.js';
import {stepLine} from '../../charts/lines.js';
import {count, duration, secondsTick, share} from '../../format.js';
import {html} from '../../markup.js';
import {type Chart, figure} from '../../page/figure.js';
import {number} from '../../page/table.js';
import {curvePath} from '../../panels/latency.js';
import type {ComparePanel} from '../panel.js';

const shown = [
  {word: 'TTFT', key: 'ttft_s', column: 'ttft'},
  {word: 'TPOT', key: 'tpot_s', column: 'tpot'},
  {word: 'E2E', key: 'e2e_s', column: 'e2e'},
] as const satisfies readonly {word: string; key: keyof Report['document']['metrics']; column: keyof Report['sample']}[];
type Shown = (typeof shown)[number];

/** Distributions of latency, one line a scenario. */
export const distributions: ComparePanel = {
  name: 'Latency',

  title({document: {comparisons}}) {
    const [first] = comparisons;
    const p95 = first!.metrics['ttft_s.p95'];
    if (p95 === null) return 'There is no TTFT that all scenarios have.';
    const parts = [
      `${duration(p95.before)} with ${first!.before}`,
      ...comparisons.map(({after, metrics}) => `${duration(metrics['ttft_s.p95']?.after ?? null)} with ${after}`),
    ];
    return `95 % of requests see their first token within ${parts.join(', ')}.`;
  },

  render(comparison) {
    return html`${shown.flatMap((metric) => {
      const curves = curvesOf(comparison, metric);
      return curves.length === 0 ? [] : [figure(chart(comparison, metric, curves))];
    })}`;
  },
};

interface Curve {
  readonly label: string;
  readonly series: number;
  readonly points: Ecdf;
  readonly goal: number | null;
}

function curvesOf({document, reports}: Comparison, {key, column}: Shown): Curve[] {
  return reports
    .map(({sample, document: {slo}}, i) => ({
      label: document.labels[i]!,
      series: i + 1,
      points: ecdf(sample[column]),
      goal: key in slo ? slo[key] : null,
    }))
    .filter(({points}) => points.n > 0);
}

const height = 240;

function chart({reports}: Comparison, {word}: Shown, curves: readonly Curve[]): Chart {
  const goals = [...new Set(curves.flatMap(({goal}) => (goal === null ? [] : [goal])))];
  const values = [...curves.flatMap(({points}) => [points.value[0]!, points.value.at(-1)!]), ...goals].filter((value) => value > 0);
  const x = values.length > 0 ? logScale(Math.min(...values), Math.max(...values)) : logScale(1e-3, 1);
  const [low, high] = x.domain() as [number, number];
  const y = (part: number) => (1 - part) * height;
  const title = `${word}: share of requests that take at most so long`;
  const even = Array.from({length: 97}, (_, i) => low * (high / low) ** (i / 96));
  const levels = [0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1];
  return {
    id: `distribution-${word.toLowerCase()}`,
    title,
    svg: frame({
      label: `${title}. ${curves.map(({label, points}) => `${label}: half within ${duration(valueAt(points, 0.5))}, 95 % within ${duration(valueAt(points, 0.95))}.`).join(' ')}`,
      height,
      x: {title: 'time (log scale)', ticks: logTicks(x, secondsTick)},
      y: {title: 'share of requests', ticks: [0, 0.25, 0.5, 0.75, 1].map((part) => ({at: y(part), label: `${part * 100} %`}))},
      marks: curves.map(({series, points}) => stepLine(series, curvePath(points, x, y))),
      over: goals.map((goal, i) => {
        const at = percent(x(goal));
        // Beyond the middle the text stands before its line, so that it stays inside.
        const after = x(goal) < 600;
        return html`<g class="goal"><line x1="${at}" x2="${at}" y1="0" y2="${height}"/><text x="${at}" y="${height - 8 - i * 16}" dx="${after ? 5 : -5}" text-anchor="${after ? 'start' : 'end'}">goal ${duration(goal)}</text></g>`;
      }),
    }),
    legend: curves.map(({label, series}) => ({series, label, mark: 'line' as const})),
    note: `First replication of each, ${curves.map(({points}) => count(points.n)).join(' and ')} requests, without the warm-up of each${reports.some(({document}) => document.requests.finished < document.requests.measured) ? '; requests that did not finish have no latency' : ''}.`,
    data: {
      kind: 'lines',
      x: {label: 'time', format: 'duration', log: true, domain: [low, high]},
      stops: packExact([...even, ...goals].sort((a, b) => a - b)),
      series: curves.map(({label, points}) => ({label, format: 'share', x: packExact(points.value), y: packExact(points.share)})),
    },
    table: {
      caption: `${word} that a share of requests does not exceed`,
      head: [{label: 'share of requests'}, ...curves.map(({label}) => ({label, numeric: true}))],
      rows: levels.map((level) => [number(level, share), ...curves.map(({points}) => number(valueAt(points, level), duration))]),
    },
  };
}
