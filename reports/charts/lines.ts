import {html, type Markup} from '../markup.js';
import type {Scale} from './axis.js';
import {coordinate, percent} from './frame.js';

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

/** Names of the areas, written into those that are tall enough somewhere for `aside` of the time around. The others have the legend. */
export function areaLabels(
  xs: ArrayLike<number>,
  layers: readonly {readonly series: number; readonly label: string; readonly values: ArrayLike<number>}[],
  end: number,
  x: Scale,
  y: Scale,
): Markup[] {
  const base = new Float64Array(xs.length);
  const labels: Markup[] = [];
  for (const {series, label, values} of layers) {
    const spot = tallest(xs, base, values, end, x, y);
    for (let i = 0; i < base.length; i++) base[i]! += Number.isFinite(values[i]!) ? values[i]! : 0;
    if (spot !== null)
      labels.push(
        html`<text class="direct wide-only s${series}" x="${percent(spot.x)}" y="${coordinate(spot.y)}" dy="0.35em" text-anchor="middle">${label}</text>`,
      );
  }
  return labels;
}

/** Half the width of a label and its least height: 90 of 1000, 16 px. */
const aside = 90;
const tall = 16;

/** The middle of the place where an area is tallest all along a label's width, or null when that is nowhere tall enough. */
function tallest(
  xs: ArrayLike<number>,
  base: Float64Array,
  values: ArrayLike<number>,
  end: number,
  x: Scale,
  y: Scale,
): {x: number; y: number} | null {
  let best: {x: number; y: number} | null = null;
  let most = tall;
  const last = x(end);
  for (let centre = aside; centre <= last - aside; centre += aside / 2) {
    let top = Number.NEGATIVE_INFINITY;
    let bottom = Number.POSITIVE_INFINITY;
    for (let i = 0; i < xs.length; i++) {
      const to = i + 1 < xs.length ? x(xs[i + 1]!) : last;
      if (to < centre - aside || x(xs[i]!) > centre + aside) continue;
      top = Math.max(top, y(base[i]! + (Number.isFinite(values[i]!) ? values[i]! : 0)));
      bottom = Math.min(bottom, y(base[i]!));
    }
    if (bottom - top > most) {
      most = bottom - top;
      best = {x: centre, y: (top + bottom) / 2};
    }
  }
  return best;
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

/** A horizontal line of reference with its label: a limit. */
export function reference(label: string, y: number): Markup {
  const at = coordinate(y);
  return html`<g class="goal"><line x1="0" x2="100%" y1="${at}" y2="${at}"/><text x="100%" y="${at}" dy="-5" text-anchor="end">${label}</text></g>`;
}
