import {logScale, logTicks, type Scale} from '../charts/axis.js';
import {coordinate, frame, percent, plotWidth} from '../charts/frame.js';
import {markForm, markSwatch} from '../charts/mark.js';
import type {Format} from '../format.js';
import {html, type Markup} from '../markup.js';
import {figure} from './figure.js';
import {number} from './table.js';

/** A point of a plot: both above 0. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Points of one kind, in their order. */
export interface PlotSeries {
  readonly label: string;
  readonly points: readonly (Place & {readonly note: string})[];
  /** Whether a line goes through them; else they are drawn small, as there may be many. */
  readonly joined: boolean;
  /** Colour and form; default: the place in the list, from 1. */
  readonly series?: number;
}

/** A line of reference through places, with its name at one of its ends. */
export interface Guide {
  readonly label: string;
  readonly dashed: boolean;
  readonly along: (x: readonly [number, number]) => readonly Place[];
}

/** How values of an axis are written, and in short beside its ticks. */
export interface PlotAxis {
  readonly title: string;
  readonly format: Format;
  readonly tick: Format;
}

export interface LogPlot {
  readonly id: string;
  readonly title: string;
  readonly x: PlotAxis;
  readonly y: PlotAxis;
  /** At most as many as there are forms of marks. */
  readonly series: readonly PlotSeries[];
  readonly guides: readonly Guide[];
  /** Small dots without reading, coloured as the series of that index. */
  readonly clouds?: readonly {readonly label: string; readonly series: number; readonly points: readonly Place[]}[];
  /** A band between two factors of y = x. */
  readonly band?: readonly [number, number];
  readonly note?: string;
}

const height = 360;

/** A figure with two log axes: marks that can be read one by one, lines of reference, clouds of dots. Null without points. */
export function logPlot({id, title, x: xAxis, y: yAxis, series, guides, clouds = [], band, note = ''}: LogPlot): Markup | null {
  const look = (one: PlotSeries, i: number) => one.series ?? i + 1;
  const points = series.flatMap((one, i) =>
    one.points.filter(drawable).map((point) => ({...point, series: look(one, i), label: one.label, small: !one.joined})),
  );
  if (points.length === 0) return null;
  const dots = clouds.flatMap((cloud) => cloud.points.filter(drawable));
  const x = scaleOf([...points, ...dots].map((point) => point.x));
  const ends = x.domain() as [number, number];
  // Lines of reference are seen where they are highest; where they run far below all points they are cut.
  const tops = guides.flatMap(({along}) => Math.max(...along(ends).map((place) => place.y)));
  const y = scaleOf([...points, ...dots].map((point) => point.y).concat(tops)).range([height, 0]);
  const path = (places: readonly Place[]) =>
    places.map((place, i) => `${i === 0 ? 'M' : 'L'}${coordinate(x(place.x))},${coordinate(y(place.y))}`).join('');
  const legend = html`<ul class="legend">${series.map((one, i) => html`<li>${markSwatch(look(one, i))}${one.label}</li>`)}${clouds.map(({label, series: of}) => html`<li>${dotSwatch(of)}${label}</li>`)}${guides.map(({label, dashed}) => html`<li>${lineSwatch(dashed)}${label}</li>`)}${band === undefined ? null : html`<li><svg class="swatch" width="16" height="12" aria-hidden="true" focusable="false"><rect class="band" width="16" height="12"/></svg>within 10 %</li>`}</ul>`;
  return figure({
    id,
    title,
    svg: frame({
      label: title,
      height,
      x: {title: xAxis.title, ticks: logTicks(x, xAxis.tick)},
      y: {title: yAxis.title, ticks: logTicks(y, yAxis.tick)},
      marks: html`${band === undefined ? null : html`<path class="band" d="${bandPath(band, ends, path)}"/>`}${clouds.map(
        (cloud) =>
          html`<path class="cloud s${cloud.series}" d="${cloud.points
            .filter(drawable)
            .map((point) => `M${coordinate(x(point.x))},${coordinate(y(point.y))}h0`)
            .join('')}"/>`,
      )}${guides.map(({dashed, along}) => html`<path class="${dashed ? 'front' : 'roof'}" d="${path(along(ends))}"/>`)}${series.map((one, i) => (one.joined ? html`<path class="line s${look(one, i)}" d="${path(one.points.filter(drawable))}"/>` : null))}`,
      over: html`${points.map((point, i) => html`<svg x="${percent(x(point.x))}" y="${coordinate(y(point.y))}" overflow="visible"><g data-item="${i}">${point.small ? html`<g transform="scale(.55)">${markForm(point.series, true)}</g>` : markForm(point.series, true)}</g></svg>`)}`,
    }),
    legend,
    note,
    data: {
      kind: 'items',
      valueLabel: yAxis.title,
      format: 'mean',
      items: points.map((point) => ({
        label: `${point.label}:`,
        value: point.y,
        text: yAxis.format(point.y),
        note: `${xAxis.title} ${xAxis.format(point.x)}, ${point.note}`,
      })),
    },
    table: {
      caption: title,
      head: [{label: 'series'}, {label: 'at'}, {label: xAxis.title, numeric: true}, {label: yAxis.title, numeric: true}],
      rows: points.map((point) => [point.label, point.note, number(point.x, xAxis.format), number(point.y, yAxis.format)]),
    },
  });
}

/** `min(flops, bandwidth × x)`: the roof over intensities, with its corner. */
export function roofAlong({flops, bandwidth}: {readonly flops: number; readonly bandwidth: number}): Guide['along'] {
  return ([low, high]) => {
    const corner = flops / bandwidth;
    const xs = [low, ...(corner > low && corner < high ? [corner] : []), high];
    return xs.map((x) => ({x, y: Math.min(flops, bandwidth * x)}));
  };
}

function drawable({x, y}: Place): boolean {
  return x > 0 && y > 0 && Number.isFinite(x) && Number.isFinite(y);
}

function scaleOf(values: readonly number[]): Scale {
  const low = values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const high = values.reduce((most, value) => Math.max(most, value), 0);
  return logScale(low / 1.1, high * 1.1).range([0, plotWidth]);
}

function bandPath(
  [low, high]: readonly [number, number],
  [from, to]: readonly [number, number],
  path: (places: readonly Place[]) => string,
) {
  return `${path([
    {x: from, y: from * low},
    {x: to, y: to * low},
    {x: to, y: to * high},
    {x: from, y: from * high},
  ])}Z`;
}

function dotSwatch(series: number): Markup {
  return html`<svg class="swatch" width="16" height="14" viewBox="-8 -7 16 14" aria-hidden="true" focusable="false"><path class="cloud s${series}" d="M-4,2h0M0,-3h0M4,1h0"/></svg>`;
}

function lineSwatch(dashed: boolean): Markup {
  return html`<svg class="swatch" width="28" height="12" aria-hidden="true" focusable="false"><path class="${dashed ? 'front' : 'roof'}" d="M0,6H28"/></svg>`;
}
