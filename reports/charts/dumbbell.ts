import {html, type Markup} from '../markup.js';
import {linearTicks, linearX, type Scale} from './axis.js';
import {coordinate, frame, percent} from './frame.js';

/** A figure before and after: what it changed by, as a share of the value before (or in points), with its interval. */
export interface Dumbbell {
  readonly label: string;
  /** Values before and after as text. */
  readonly values: string;
  readonly change: number;
  readonly changeText: string;
  readonly interval: readonly [number, number] | null;
  readonly intervalText: string;
  /** A sign that says better, worse or neither. */
  readonly mark: string;
}

const rowHeight = 46;
/** Larger changes, as shares, stand at the edge; their text says how large they are. */
export const farthest = 4;

/** One row a figure: a ring at no change for the value before, a dot for the value after, its interval, and a line between. Series 1 is before. */
export function dumbbellPlot(label: string, rows: readonly Dumbbell[], series: number, title: string): Markup {
  const x = scale(rows);
  const height = rows.length * rowHeight;
  const [low, high] = x.domain() as [number, number];
  const at = (value: number) => x(Math.min(high, Math.max(low, value)));
  const middle = (i: number) => i * rowHeight + 32;
  const marks = [
    html`<line class="guide" x1="${coordinate(x(0))}" x2="${coordinate(x(0))}" y1="0" y2="${height}"/>`,
    ...rows.map(
      ({change}, i) =>
        html`<line class="guide" x1="${coordinate(x(0))}" x2="${coordinate(at(change))}" y1="${middle(i)}" y2="${middle(i)}"/>`,
    ),
  ];
  const over = rows.map(
    (row, i) =>
      html`<g data-item="${i}"><text class="dot-label" x="0" y="${i * rowHeight + 17}">${row.mark} <tspan font-weight="600">${row.label}</tspan> ${row.values}, ${row.changeText}<tspan class="wide-only">${row.intervalText}</tspan></text>${interval(row, series, at, middle(i))}<circle class="ring s1" cx="${percent(x(0))}" cy="${middle(i)}" r="5"/><circle class="dot s${series}" cx="${percent(at(row.change))}" cy="${middle(i)}" r="6"/></g>`,
  );
  return frame({label, height, x: {title, ticks: linearTicks(x, 6, 0.01, signedPercent)}, y: {title: '', ticks: []}, marks, over});
}

function interval({interval: ends}: Dumbbell, series: number, at: (value: number) => number, y: number): Markup | null {
  if (ends === null) return null;
  return html`<line class="interval s${series}" x1="${percent(at(ends[0]))}" x2="${percent(at(ends[1]))}" y1="${y}" y2="${y}"/>`;
}

/** From the least to the largest end of any row, with 0 and some room. */
function scale(rows: readonly Dumbbell[]): Scale {
  const ends = rows.flatMap(({change, interval: range}) => [change, ...(range ?? [])]);
  const low = Math.max(-1.5, Math.min(0, ...ends));
  const high = Math.min(farthest, Math.max(0, ...ends));
  const room = Math.max(0.02, (high - low) * 0.04);
  return linearX(low - room, high + room);
}

function signedPercent(value: number | null): string {
  const shown = value ?? 0;
  return `${shown > 0 ? '+' : shown < 0 ? '−' : ''}${Math.abs(Number(shown.toPrecision(6)))} %`;
}
