import type {Format} from '../format.js';
import {html, type Markup} from '../markup.js';
import {linearTicks, linearX} from './axis.js';
import {coordinate, frame, percent} from './frame.js';

export interface Dot {
  readonly label: string;
  readonly series: number;
  readonly value: number;
}

const rowHeight = 36;

/** One row a dot, over a scale of shares from 0 to 1; each dot carries its name and value. */
export function dotPlot(label: string, dots: readonly Dot[], title: string, format: Format): Markup {
  const x = linearX(0, 1);
  const height = dots.length * rowHeight;
  const marks = dots.map((dot, i) => {
    const y = (i + 0.5) * rowHeight;
    return html`<line class="guide" x1="0" x2="${coordinate(x(dot.value))}" y1="${y}" y2="${y}"/>`;
  });
  const over = dots.map((dot, i) => {
    const y = (i + 0.5) * rowHeight;
    // Beyond the middle the text stands before its dot, so that it stays inside.
    const after = dot.value < 0.55;
    return html`<g data-item="${i}">${shape(dot.series, percent(x(dot.value)), y)}<text class="dot-label" x="${percent(x(dot.value))}" y="${y}" dx="${after ? 14 : -14}" dy="0.35em" text-anchor="${after ? 'start' : 'end'}">${dot.label} ${format(dot.value)}</text></g>`;
  });
  return frame({label, height, x: {title, ticks: linearTicks(x, 5, 0.01, (v) => `${v} %`)}, y: {title: '', ticks: []}, marks, over});
}

/** The run's own dot is filled, the bounds are rings: not told apart by colour alone. */
function shape(series: number, cx: string, cy: number): Markup {
  return html`<circle class="${series === 1 ? 'dot' : 'ring'} s${series}" cx="${cx}" cy="${cy}" r="7"/>`;
}
