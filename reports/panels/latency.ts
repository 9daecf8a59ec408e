import type {Distribution} from '../../src/sim/metrics/summary.js';
import type {MetricName, Report, ResultDocument} from '../../src/sim/scenario/result.js';
import {logScale, logTicks, type Scale} from '../charts/axis.js';
import {packExact} from '../charts/data.js';
import {type Ecdf, ecdf, valueAt} from '../charts/ecdf.js';
import {coordinate, frame, percent} from '../charts/frame.js';
import {stepLine, stepPath} from '../charts/lines.js';
import {count, duration, secondsTick, share} from '../format.js';
import {html, type Markup} from '../markup.js';
import {type Chart, figure} from '../page/figure.js';
import {number, type Table, table} from '../page/table.js';
import {term} from '../page/term.js';
import type {Panel} from './panel.js';
import {requestPicker} from './request-picker.js';

const shown = [
  {word: 'TTFT', key: 'ttft_s', column: 'ttft', series: 1},
  {word: 'TPOT', key: 'tpot_s', column: 'tpot', series: 2},
  {word: 'E2E', key: 'e2e_s', column: 'e2e', series: 3},
] as const satisfies readonly {word: string; key: MetricName; column: keyof Report['sample']; series: number}[];

interface Curve {
  readonly word: 'TTFT' | 'TPOT' | 'E2E';
  readonly series: number;
  readonly metric: Distribution;
  readonly goal: number | null;
  readonly points: Ecdf;
  /** Whether the points are requests, or only the document's percentiles. */
  readonly sampled: boolean;
}

/** How long requests take: distributions of TTFT, TPOT and E2E beside their goals. */
export const latency: Panel = {
  name: 'Latency',
  needs: ['latency'],

  title({document}) {
    const {slo, metrics} = document;
    if (slo.attainment !== null && goals(slo) !== '')
      return `${share(slo.attainment)} of requests meet ${goals(slo)}; the goal is ${share(slo.goal)}.`;
    const {p50, p95} = metrics.ttft_s;
    return `Half of the requests see their first token within ${duration(p50)}, 95 % within ${duration(p95)}.`;
  },

  render(report) {
    const curves = curvesOf(report);
    return html`${summaryTable(report.document)}
<p class="note">Over ${count(report.document.requests.measured)} measured requests; ${warmup(report.document)}. The 80 % prediction joins the errors of the cost model with the randomness of the run.</p>
${curves.length > 0 ? figure(distributions(curves)) : null}${requestPicker(report)}`;
  },
};

function warmup({requests: {warmup_requests: cut}}: ResultDocument): string {
  return cut === 0 ? 'none was cut as warm-up' : `${count(cut)} before them were cut as warm-up`;
}

function goals(slo: ResultDocument['slo']): string {
  return shown
    .filter(({key}) => slo[key] !== null)
    .map(({word, key}) => `${word} ${duration(slo[key])}`)
    .join(' and ');
}

function summaryTable({metrics, slo}: ResultDocument): Markup {
  const rows = [shown[0], shown[1], {word: 'ITL', key: 'itl_s'}, shown[2]] as const;
  const quantiles = ['mean', 'p50', 'p90', 'p95', 'p99', 'max'] as const;
  return table({
    caption: 'Latency of the measured requests',
    head: [
      {label: 'metric'},
      ...quantiles.map((label) => ({label, numeric: true})),
      {label: 'goal', numeric: true},
      {label: '95 % interval of p95', numeric: true},
      {label: '80 % prediction of p95', numeric: true},
    ],
    rows: rows.map(({word, key}) => [
      {markup: term(word), text: word},
      ...quantiles.map((q) => number(metrics[key][q], duration)),
      key === 'itl_s' ? '–' : number(slo[key], duration),
      interval(metrics[key].ci95.p95),
      interval(metrics[key].interval80.p95),
    ]),
  });
}

/** "393 … 434 ms": the unit once where both ends have the same. */
function interval(range: [number, number] | null): string {
  if (range === null) return '–';
  const [low, high] = range.map(duration) as [string, string];
  const unit = high.slice(high.indexOf(' '));
  return `${low.endsWith(unit) ? low.slice(0, -unit.length) : low} … ${high}`;
}

/** The curves that have something to draw; without a sample, the percentiles of the document stand for it. */
function curvesOf({document, sample}: Report): Curve[] {
  return shown
    .map(({word, key, column, series}) => {
      const points = ecdf(sample[column]);
      const metric = document.metrics[key];
      return {
        word,
        series,
        metric,
        goal: document.slo[key],
        points: points.n > 0 ? points : fromPercentiles(metric),
        sampled: points.n > 0,
      };
    })
    .filter(({points}) => points.n > 0);
}

function fromPercentiles(metric: Distribution): Ecdf {
  const known = (
    [
      [0.5, metric.p50],
      [0.9, metric.p90],
      [0.95, metric.p95],
      [0.99, metric.p99],
      [1, metric.max],
    ] as const
  ).filter(([, value]) => value !== null);
  return {value: Float64Array.from(known, ([, v]) => v!), share: Float64Array.from(known, ([p]) => p), n: known.length > 0 ? metric.n : 0};
}

const height = 300;

function distributions(curves: readonly Curve[]): Chart {
  const x = xScale(curves);
  const [low, high] = x.domain() as [number, number];
  const y = (share: number) => (1 - share) * height;
  const label = curves
    .map(
      ({word, metric}) =>
        `${word}: half within ${duration(metric.p50)}, 95 % within ${duration(metric.p95)}, 99 % within ${duration(metric.p99)}.`,
    )
    .join(' ');
  return {
    id: 'latency-ecdf',
    title: 'Share of requests that take at most so long',
    svg: frame({
      label,
      height,
      x: {title: 'time (log scale)', ticks: logTicks(x, secondsTick)},
      y: {title: 'share of requests', ticks: [0, 0.25, 0.5, 0.75, 1].map((s) => ({at: y(s), label: `${s * 100} %`}))},
      marks: curves.map(({series, points}) => stepLine(series, curvePath(points, x, y))),
      over: curves.map((curve) => marksOf(curve, x, y)),
    }),
    legend: curves.map(({word, series}) => ({series, label: word, mark: 'line' as const})),
    note: notes(curves),
    data: {
      kind: 'lines',
      x: {label: 'time', format: 'duration', log: true, domain: [low, high]},
      stops: packExact(stops(low, high, curves)),
      series: curves.map(({word, points}) => ({label: word, format: 'share', x: packExact(points.value), y: packExact(points.share)})),
    },
    table: quantileTable(curves),
  };
}

function xScale(curves: readonly Curve[]): Scale {
  let low = Number.POSITIVE_INFINITY;
  let high = 0;
  const include = (value: number | null | undefined) => {
    if (value === null || value === undefined || !(value > 0)) return;
    low = Math.min(low, value);
    high = Math.max(high, value);
  };
  for (const {points, goal, metric} of curves) {
    for (const value of points.value) include(value);
    include(goal);
    include(metric.max);
    for (const end of metric.interval80.p95 ?? []) include(end);
  }
  return high > 0 ? logScale(low, high) : logScale(1e-3, 1);
}

/** From share 0 at the left edge, up at every point, level to the right edge. Times of 0 lie on the left edge. */
export function curvePath({value, share}: Ecdf, x: Scale, y: (share: number) => number): string {
  const [low, high] = x.domain() as [number, number];
  const xs = Float64Array.of(low, ...value.map((v) => Math.max(v, low)));
  const ys = Float64Array.of(0, ...share);
  return stepPath(xs, ys, high, x, y as Scale);
}

/** Right of here the label of a goal stands before its line: on a narrow screen it takes a third of the width. */
const labelTurns = 640;

/** Goal line, the two intervals of p95, and dots at p50, p95 and p99. */
function marksOf({word, series, metric, goal}: Curve, x: Scale, y: (share: number) => number): Markup {
  const [low, high] = x.domain() as [number, number];
  const at = (value: number) => percent(x(Math.min(high, Math.max(low, value))));
  const level = coordinate(y(0.95));
  const range = (ends: [number, number] | null, kind: string) =>
    ends === null ? null : html`<line class="${kind} s${series}" x1="${at(ends[0])}" x2="${at(ends[1])}" y1="${level}" y2="${level}"/>`;
  const dots = (
    [
      [0.5, metric.p50],
      [0.95, metric.p95],
      [0.99, metric.p99],
    ] as const
  ).map(([p, value]) =>
    value === null
      ? null
      : html`<circle class="quantile s${series}" cx="${at(value)}" cy="${coordinate(y(p))}" r="4"><title>${word} p${p * 100}: ${duration(value)}</title></circle>`,
  );
  // Goal labels stand in steps, one below the other, where two goals lie close.
  const goalLine =
    goal === null
      ? null
      : html`<g class="goal"><line x1="${at(goal)}" x2="${at(goal)}" y1="0" y2="${height}"/><text x="${at(goal)}" y="${height - 8 - (series - 1) * 16}" ${x(goal) > labelTurns ? html`dx="-5" text-anchor="end"` : html`dx="5"`}>goal ${word} ${duration(goal)}</text></g>`;
  return html`${goalLine}${range(metric.interval80.p95, 'interval')}${range(metric.ci95.p95, 'interval narrow')}${dots}`;
}

function notes(curves: readonly Curve[]): string {
  const intervals = curves.some(({metric}) => metric.interval80.p95 !== null || metric.ci95.p95 !== null);
  if (curves.every(({sampled}) => !sampled))
    return 'Only these percentiles are known: p50, p90, p95, p99 and the largest. There is no requests.csv to draw more from.';
  const drawn = Math.max(...curves.map(({points}) => points.n));
  const measured = Math.max(...curves.map(({metric}) => metric.n));
  const base =
    drawn < measured ? ` Drawn from ${count(drawn)} of ${count(measured)} requests, evenly picked; the rings are those of all.` : '';
  return `Rings mark p50, p95 and p99.${intervals ? ' Bars through p95: 95 % interval (thin) and 80 % prediction (wide).' : ''}${base}`;
}

/** Positions of the reading line: 96 even steps of the log axis and the goals. */
function stops(low: number, high: number, curves: readonly Curve[]): number[] {
  const even = Array.from({length: 97}, (_, i) => low * (high / low) ** (i / 96));
  return [...even, ...curves.flatMap(({goal}) => (goal === null ? [] : [goal]))].sort((a, b) => a - b);
}

function quantileTable(curves: readonly Curve[]): Table {
  const levels = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1];
  return {
    caption: 'Time that a share of requests does not exceed',
    head: [{label: 'share of requests'}, ...curves.map(({word}) => ({label: word, numeric: true}))],
    rows: levels.map((level) => [number(level, share), ...curves.map(({points}) => number(valueAt(points, level), duration))]),
  };
}
