import {linearTicks, linearX} from '../charts/axis.js';
import {coordinate, frame, percent, plotWidth} from '../charts/frame.js';
import {html, type Markup} from '../markup.js';

/** One row: a bar between two shares, a dot, and what they say in words. */
export interface PlotRow {
  readonly label: string;
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly dot: number;
}

const rowHeight = 42;

/** Rows of bars over shares of an error, 0 drawn as a line; text above each. */
export function rowPlot(label: string, rows: readonly PlotRow[], title: string): Markup {
  const low = Math.min(0, ...rows.flatMap(({from, dot}) => [from, dot]));
  const high = Math.max(0.02, ...rows.flatMap(({to, dot}) => [to, dot]));
  const room = 0.03 * (high - low);
  const x = linearX(low < 0 ? low - room : 0, high + room);
  const height = rows.length * rowHeight;
  const over = rows.map(({label: name, text, from, to, dot}, i) => {
    const at = i * rowHeight + 29;
    return html`<g data-item="${i}"><text class="dot-label" x="0" y="${i * rowHeight + 17}"><tspan font-weight="600">${name}</tspan> <tspan${name.length + text.length > 44 ? html` class="wide-only"` : null}>${text}</tspan></text><line class="interval s1" x1="${percent(x(from))}" x2="${percent(x(to))}" y1="${at}" y2="${at}"/><circle class="dot s1" cx="${percent(x(dot))}" cy="${at}" r="5"/></g>`;
  });
  const zero = coordinate(x(0));
  const ticks = linearTicks(x, 6, 0.01, (value) => `${value === null || value <= 0 ? '' : low < 0 ? '+' : ''}${value} %`.replace('-', '−'));
  return frame({
    label,
    height,
    x: {title, ticks: ticks.map((tick) => ({...tick, minor: tick.minor === true || isNearEdge(tick.at)}))},
    y: {title: '', ticks: []},
    marks: html`<line class="guide" x1="${zero}" x2="${zero}" y1="0" y2="${height}"/>`,
    over,
  });
}

/** Whether a label would leave a narrow plot; right at the edge it turns inwards. */
function isNearEdge(at: number): boolean {
  const aside = Math.min(at, plotWidth - at);
  return aside > 14 && aside < 60;
}
