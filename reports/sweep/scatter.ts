import {linearTicks, linearX, linearY, logScale, logTicks, type Scale} from '../charts/axis.js';
import {coordinate, frame, percent, plotWidth, type Tick} from '../charts/frame.js';
import {markForm, markSwatch} from '../charts/mark.js';
import {html, type Markup} from '../markup.js';
import {figure} from '../page/figure.js';
import {number} from '../page/table.js';
import {formatName, formatOf, isGood, labelOf, nameOf, type SweepRow, type SweepView, tickOf} from './view.js';

const height = 340;
const mostSeries = 6;
/** Above this ratio between largest and smallest a log axis tells more. */
const WIDE = 8;

interface Point {
  readonly row: SweepRow;
  readonly x: number;
  readonly y: number;
  readonly rank: number | null;
  readonly series: number;
}

/** The figures on both axes: the first two objectives; with one objective, TTFT p95 beside it. */
export function axesOf({document}: SweepView): readonly [string, string] {
  const [first, second] = document.objectives.map(({path}) => path) as [string, string?];
  return [first, second ?? (first === 'ttft_s.p95' ? 'e2e_s.p95' : 'ttft_s.p95')];
}

/** All points over two figures; the Pareto set is numbered and joined, what misses a constraint is a small cross. */
export function scatter(view: SweepView): Markup | null {
  const [xPath, yPath] = axesOf(view);
  const axis = markAxis(view);
  const points = pointsOf(view, xPath, yPath, axis);
  if (points.length === 0) return null;
  const x = scaleOf(points.map((point) => point.x));
  const y = vertical(points.map((point) => point.y));
  const front = points.filter(({rank}) => rank !== null);
  const legend = view.document.axes[axis]!.values.slice(0, mostSeries);
  const title = `${nameOf(xPath)} against ${nameOf(yPath)}: ${front.length === 0 ? 'none' : `the ${front.length} numbered`} of ${points.length} points in the Pareto set`;
  return html`<ul class="legend">${legend.map((label, i) => html`<li>${markSwatch(i + 1)}${label}${i === mostSeries - 1 && view.document.axes[axis]!.values.length > mostSeries ? ' and others' : ''}</li>`)}<li>${markSwatch(0)}misses a constraint</li></ul>
${figure({
  id: 'pareto',
  title,
  svg: frame({
    label: title,
    height,
    x: {title: nameOf(xPath), ticks: ticks(x, xPath)},
    y: {title: nameOf(yPath), ticks: ticks(y, yPath)},
    marks: front.length > 1 ? html`<path class="front" d="${frontPath(front, x, y)}"/>` : null,
    over: html`${points.map((point, i) => mark(point, i, x, y))}`,
  }),
  legend: [],
  data: {
    kind: 'items',
    valueLabel: nameOf(yPath),
    format: formatName(yPath),
    items: points.map(({row, x: value, y: other, rank}) => ({
      label: `${rank === null ? '' : `${rank}: `}${labelOf(row.axes)}: ${nameOf(yPath)}`,
      value: other,
      note: `${nameOf(xPath)} ${formatOf(xPath)(value)}${isGood(row) ? '' : `, misses ${row.misses!.join(', ')}`}`,
    })),
  },
  table: {
    caption: 'Points of the chart',
    head: [
      {label: 'point'},
      {label: nameOf(xPath), numeric: true},
      {label: nameOf(yPath), numeric: true},
      {label: 'Pareto rank', numeric: true},
    ],
    rows: points.map(({row, x: a, y: b, rank}) => [
      labelOf(row.axes),
      number(a, formatOf(xPath)),
      number(b, formatOf(yPath)),
      number(rank, (value) => (value === null ? '' : String(value))),
    ]),
  },
})}`;
}

/** The axis whose values get marks of their own: of those with few values the one that moves the first objective most. */
function markAxis({document}: SweepView): number {
  const order = document.levers[0]?.shares.map(({axis}) => document.axes.findIndex(({name}) => name === axis)) ?? [];
  const few = [...order, ...document.axes.keys()].filter((i) => document.axes[i]!.values.length <= mostSeries);
  return few[0] ?? 0;
}

/** Pareto points first, in their order, then the others by x: the order in which arrow keys go. */
function pointsOf(view: SweepView, xPath: string, yPath: string, axis: number): Point[] {
  const ranks = new Map(view.document.pareto.map(({point, rank}) => [point, rank]));
  const {name, values} = view.document.axes[axis]!;
  return view.rows
    .flatMap((row): Point[] => {
      const [x, y] = [row.figures?.[xPath] ?? null, row.figures?.[yPath] ?? null];
      if (x === null || y === null) return [];
      const series = isGood(row) ? Math.min(mostSeries, values.indexOf(row.axes[name]!) + 1) : 0;
      return [{row, x, y, rank: ranks.get(row.point) ?? null, series}];
    })
    .sort((a, b) => (a.rank ?? Number.POSITIVE_INFINITY) - (b.rank ?? Number.POSITIVE_INFINITY) || a.x - b.x || a.row.point - b.row.point);
}

function scaleOf(values: readonly number[]): Scale {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low > 0 && high / low > WIDE ? logScale(low, high) : linearX(Math.min(0, low), high * 1.05);
}

function vertical(values: readonly number[]): Scale {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low > 0 && high / low > WIDE ? logScale(low, high).range([height, 0]) : linearY(high, height);
}

function ticks(scale: Scale, path: string): Tick[] {
  return 'base' in scale ? logTicks(scale, tickOf(path)) : linearTicks(scale, 5, 1, tickOf(path));
}

/** Steps from point to point: between two of the set nothing better was found. */
function frontPath(front: readonly Point[], x: Scale, y: Scale): string {
  const sorted = [...front].sort((a, b) => a.x - b.x);
  return sorted.map((point, i) => `${i === 0 ? 'M' : 'L'}${coordinate(x(point.x))},${coordinate(y(point.y))}`).join('');
}

function mark({x: value, y: other, rank, series}: Point, index: number, x: Scale, y: Scale): Markup {
  const at = x(value);
  const label =
    rank === null
      ? null
      : html`<text class="dot-label" x="0" y="0" dx="${at > plotWidth * 0.95 ? -10 : 10}" dy="-0.35em" text-anchor="${at > plotWidth * 0.95 ? 'end' : 'start'}">${rank}</text>`;
  return html`<svg x="${percent(at)}" y="${coordinate(y(other))}" overflow="visible"><g data-item="${index}">${markForm(series, rank !== null)}${label}</g></svg>`;
}
