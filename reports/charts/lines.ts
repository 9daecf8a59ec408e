import {html, type Markup} from '../markup.js';
import type {Scale} from './axis.js';
import {coordinate} from './frame.js';

/** The path of values that each hold from their x until the next, the last until `end`. Unknown values leave a gap. */
export function stepPath(xs: ArrayLike<number>, ys: ArrayLike<number>, end: number, x: Scale, y: Scale): string {
  let path = '';
  let drawing = false;
  for (let i = 0; i < xs.length; i++) {
    if (!Number.isFinite(ys[i]!)) {
      drawing = false;
      continue;
    }
    const from = coordinate(x(xs[i]!));
    const to = coordinate(x(i + 1 < xs.length ? xs[i + 1]! : end));
    const at = coordinate(y(ys[i]!));
    path += drawing ? `V${at}H${to}` : `M${from},${at}H${to}`;
    drawing = true;
  }
  return path;
}

/** One step line as SVG; `series` picks its colour and dash. */
export function stepLine(series: number, path: string): Markup {
  return html`<path class="line s${series}" d="${path}"/>`;
}

/** Closed step areas, one for each layer, stacked in the given order from the bottom. Unknown values count as 0. */
export function stackedAreas(
  xs: ArrayLike<number>,
  layers: readonly {readonly series: number; readonly values: ArrayLike<number>}[],
  end: number,
  x: Scale,
  y: Scale,
): Markup[] {
  const base = new Float64Array(xs.length);
  return layers.map(({series, values}) => {
    const top = Float64Array.from(base, (b, i) => b + (Number.isFinite(values[i]!) ? values[i]! : 0));
    const path = `${stepPath(xs, top, end, x, y)}${backwards(xs, base, end, x, y)}`;
    base.set(top);
    return html`<path class="area s${series}" d="${path}"/>`;
  });
}

function backwards(xs: ArrayLike<number>, ys: ArrayLike<number>, end: number, x: Scale, y: Scale): string {
  let path = '';
  for (let i = xs.length - 1; i >= 0; i--) {
    const at = coordinate(y(ys[i]!));
    if (i === xs.length - 1) path += `L${coordinate(x(end))},${at}`;
    else path += `V${at}`;
    path += `H${coordinate(x(xs[i]!))}`;
  }
  return path === '' ? '' : `${path}Z`;
}

/** A horizontal or vertical line of reference with its label: a goal, a limit. */
export function reference(label: string, at: {readonly x: string} | {readonly y: number}, height: number): Markup {
  if ('x' in at) {
    return html`<g class="goal"><line x1="${at.x}" x2="${at.x}" y1="0" y2="${height}"/><text x="${at.x}" y="12" dx="5">${label}</text></g>`;
  }
  return html`<g class="goal"><line x1="0" x2="100%" y1="${coordinate(at.y)}" y2="${coordinate(at.y)}"/><text x="100%" y="${coordinate(at.y)}" dy="-5" text-anchor="end">${label}</text></g>`;
}
