import type {Format} from '../format.js';
import {html, type Markup} from '../markup.js';
import {linearTicks, linearX} from './axis.js';
import {coordinate, frame, percent} from './frame.js';

/** A share beside the share that is wanted. */
export interface Bullet {
  readonly label: string;
  readonly value: number;
  readonly goal: number;
}

const rowHeight = 46;
const barHeight = 14;

/** One row a share: a bar from 0 to it, a tick at the goal, and both in words. A bar that misses its goal is of another colour, and says so. */
export function bulletPlot(label: string, bullets: readonly Bullet[], title: string, format: Format): Markup {
  const x = linearX(0, 1);
  const height = bullets.length * rowHeight;
  const top = (i: number) => i * rowHeight + 24;
  const marks = bullets.map(
    ({value, goal}, i) =>
      html`<rect class="segment s0" x="0" y="${top(i)}" width="1000" height="${barHeight}"/><rect class="area s${value < goal ? 2 : 1}" x="0" y="${top(i)}" width="${coordinate(x(value))}" height="${barHeight}"/>`,
  );
  const over = bullets.map(
    ({label: name, value, goal}, i) =>
      html`<g data-item="${i}"><text class="dot-label" x="0" y="${top(i) - 7}">${value < goal ? '✕' : '✓'} <tspan font-weight="600">${name}</tspan> ${format(value)}, goal ${format(goal)}</text><line class="tick" x1="${percent(x(goal))}" x2="${percent(x(goal))}" y1="${top(i) - 4}" y2="${top(i) + barHeight + 4}"/></g>`,
  );
  return frame({label, height, x: {title, ticks: linearTicks(x, 5, 0.01, (v) => `${v} %`)}, y: {title: '', ticks: []}, marks, over});
}
