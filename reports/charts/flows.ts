import type {Format} from '../format.js';
import {html, type Markup} from '../markup.js';
import {coordinate, plotWidth} from './frame.js';

/** Bytes that go from one place to another for one reason. */
export interface Flow {
  readonly from: string;
  readonly to: string;
  readonly cause: string;
  readonly value: number;
  readonly series: number;
}

const tallest = 44;
const least = 2;
const label = 20;
const gap = 8;
const bar = 16;

/**
 * Flows between places in a row, each a band as thick as its value: a Sankey chart whose bands lie one below the other, so that none crosses
 * another. `places` go from left to right; every flow that passes one by lies below it.
 */
export function flowBands(description: string, places: readonly string[], flows: readonly Flow[], format: Format): Markup {
  const x = (place: string) => (places.indexOf(place) / Math.max(1, places.length - 1)) * (plotWidth - bar);
  const most = Math.max(...flows.map(({value}) => value));
  let top = 24;
  const bands = flows.map((flow) => {
    const height = most > 0 ? Math.max(least, (flow.value / most) * tallest) : least;
    const band = {
      ...flow,
      y: top + label,
      height,
      left: Math.min(x(flow.from), x(flow.to)) + bar,
      right: Math.max(x(flow.from), x(flow.to)),
    };
    top = band.y + height + gap;
    return band;
  });
  top = Math.ceil(top);
  const pillars = places.map((place) => {
    const touching = bands.filter(({from, to}) => from === place || to === place);
    const from = Math.min(...touching.map(({y}) => y - 2));
    return {place, from, to: Math.max(...touching.map(({y, height}) => y + height + 2))};
  });
  const share = (value: number) => `${coordinate((value / plotWidth) * 100)}%`;
  return html`<svg class="plot-svg" role="img" aria-label="${description}" width="100%" height="${top}" data-height="${top}">
<svg class="marks" width="100%" height="${top}" viewBox="0 0 ${plotWidth} ${top}" preserveAspectRatio="none">${bands.map(
    (b, i) =>
      html`<rect class="area s${b.series}" data-item="${i}" x="${coordinate(b.left)}" y="${coordinate(b.y)}" width="${coordinate(b.right - b.left)}" height="${coordinate(b.height)}"/>`,
  )}${pillars.map(({place, from, to}) => html`<rect class="pillar" x="${coordinate(x(place))}" y="${coordinate(from)}" width="${bar}" height="${coordinate(to - from)}"/>`)}</svg>
${places.map((place, i) => html`<text class="dot-label" font-weight="600" x="${share(x(place) + bar / 2)}" y="12" text-anchor="${i === 0 ? 'start' : i === places.length - 1 ? 'end' : 'middle'}"${i === 0 ? html` dx="-8"` : i === places.length - 1 ? html` dx="8"` : null}>${place}</text>`)}
${bands.map((b) => html`<text class="dot-label" x="${share(b.left)}" y="${coordinate(b.y - 5)}" dx="6">${places.indexOf(b.from) < places.indexOf(b.to) ? '→' : '←'} ${b.cause} ${format(b.value)}</text>`)}
</svg>`;
}
