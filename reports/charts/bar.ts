import type {Format} from '../format.js';
import {html, type Markup} from '../markup.js';
import {coordinate, plotWidth} from './frame.js';

/** A part of a bar. `series` 0 is empty space: drawn as an outline. */
export interface Segment {
  readonly label: string;
  readonly series: number;
  readonly value: number;
}

/** Where a segment lies, in 0…1000 of the bar's width. */
export interface Placed extends Segment {
  readonly from: number;
  readonly to: number;
}

/** Lays segments side by side so that `total` fills the bar; parts without size are left out. */
export function place(segments: readonly Segment[], total: number): Placed[] {
  let sum = 0;
  const placed: Placed[] = [];
  for (const segment of segments) {
    if (!(segment.value > 0)) continue;
    const from = total > 0 ? (sum / total) * plotWidth : 0;
    sum += segment.value;
    placed.push({...segment, from, to: total > 0 ? (sum / total) * plotWidth : 0});
  }
  return placed;
}

const barHeight = 44;

/** One stacked horizontal bar as SVG; segments wide enough carry their label, all have it in their title. */
export function stackedBar(label: string, segments: readonly Segment[], total: number, format: Format): Markup {
  const placed = place(segments, total);
  return html`<svg class="plot-svg bar" role="img" aria-label="${label}" width="100%" height="${barHeight}" data-height="${barHeight}">
<svg class="marks" width="100%" height="${barHeight}" viewBox="0 0 ${plotWidth} ${barHeight}" preserveAspectRatio="none">${placed.map(
    (s, i) =>
      html`<rect class="segment s${s.series}" data-item="${i}" x="${coordinate(s.from)}" y="0" width="${coordinate(s.to - s.from)}" height="${barHeight}"><title>${s.label}: ${format(s.value)}</title></rect>`,
  )}</svg>
${placed.map((s) => segmentLabel(s, format))}
</svg>`;
}

function segmentLabel(segment: Placed, format: Format): Markup | null {
  const width = (segment.to - segment.from) / plotWidth;
  const text = `${segment.label} ${format(segment.value)}`;
  const at = `${coordinate((segment.from + segment.to) / 2 / 10)}%`;
  // About 7 px a letter: on a plot of 700 px, and on one of 300 px, where fewer labels fit.
  if (text.length * 7.5 > width * 700) return null;
  return html`<text class="on s${segment.series}${text.length * 7.5 > width * 300 ? ' wide-only' : ''}" x="${at}" y="${barHeight / 2}" dy="0.35em" text-anchor="middle">${text}</text>`;
}
