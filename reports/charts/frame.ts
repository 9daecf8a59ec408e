import {html, type Markup, type Piece} from '../markup.js';

/**
 * Every chart is drawn in a plot whose height is fixed in px and whose width is that of the page: x runs over 0…1000 and is stretched, text is not.
 *
 * Marks that may be stretched (lines, areas) go into `marks`; text and round marks into `over`, placed with `percent`.
 */
export const plotWidth = 1000;

/** Rounds a coordinate to 0.01, a hundredth of a pixel or less. */
export function coordinate(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}

/** The place of x on a plot of any width. */
export function percent(x: number): string {
  return `${coordinate((x / plotWidth) * 100)}%`;
}

export interface Tick {
  /** x in 0…1000, or y in px from the top. */
  readonly at: number;
  readonly label: string;
  /** Left out on narrow screens. */
  readonly minor?: boolean;
}

export interface Frame {
  /** One sentence for those who do not see the chart. */
  readonly label: string;
  readonly height: number;
  readonly x: {readonly title: string; readonly ticks: readonly Tick[]};
  readonly y: {readonly title: string; readonly ticks: readonly Tick[]};
  readonly marks: Piece;
  readonly over?: Piece;
}

/** The SVG of a chart with two axes. Labels stand outside of the plot, in the padding of `.plot`. */
export function frame({label, height, x, y, marks, over = null}: Frame): Markup {
  return html`<svg class="plot-svg" role="img" aria-label="${label}" width="100%" height="${height}" data-height="${height}">
<g class="grid">${y.ticks.map((t) => html`<line x1="0" x2="100%" y1="${coordinate(t.at)}" y2="${coordinate(t.at)}"/>`)}</g>
<g class="axis-y">${y.ticks.map((t) => html`<text x="-8" y="${coordinate(t.at)}" dy="0.32em" text-anchor="end">${t.label}</text>`)}<text class="axis-title" x="0" y="-12">${y.title}</text></g>
<svg class="marks" width="100%" height="${height}" viewBox="0 0 ${plotWidth} ${height}" preserveAspectRatio="none">${marks}</svg>
${xAxis(height, x.title, x.ticks)}${over}
</svg>`;
}

function xAxis(height: number, title: string, ticks: readonly Tick[]): Markup {
  return html`<g class="axis-x"><line x1="0" x2="100%" y1="${height}" y2="${height}"/>${ticks.map((t) => tick(height, t))}<text class="axis-title" x="100%" y="${height + 40}" text-anchor="end">${title}</text></g>`;
}

function tick(height: number, {at, label, minor}: Tick): Markup {
  // Labels at the edges turn inwards, so that none is cut off.
  const anchor = at < 15 ? 'start' : at > plotWidth - 15 ? 'end' : 'middle';
  return html`<g${minor ? html` class="minor"` : null}><line x1="${percent(at)}" x2="${percent(at)}" y1="${height}" y2="${height + 5}"/><text x="${percent(at)}" y="${height + 20}" text-anchor="${anchor}">${label}</text></g>`;
}
