import type {HitDocument} from '../../src/sim/memory/hit-document.js';
import {linearTicks, linearX, linearY} from '../charts/axis.js';
import {pack} from '../charts/data.js';
import {frame} from '../charts/frame.js';
import {stepLine, stepPath} from '../charts/lines.js';
import {count, duration} from '../format.js';
import {html} from '../markup.js';
import {figure} from '../page/figure.js';
import type {Part} from '../page/sections.js';
import {number} from '../page/table.js';

const height = 240;

/** How many blocks matter over time. */
export const workingSet: Part<HitDocument> = {
  name: 'Working set',

  title({working_set: set}) {
    if (set === null) return '';
    const {points} = set;
    const most = (of: (point: (typeof points)[number]) => number) => Math.max(...points.map(of));
    return `At most ${count(most((point) => point.recent_blocks))} different blocks are read within ${duration(set.window_s)}; at most ${count(most((point) => point.live_blocks))} are read again.`;
  },

  render({working_set: set}) {
    if (set === null || set.window_s === 0) return null;
    const {points} = set;
    const xs = points.map(({time_s: time}) => time);
    const end = xs.at(-1)!;
    const x = linearX(0, end);
    const y = linearY(Math.max(...points.flatMap((point) => [point.recent_blocks, point.live_blocks])), height);
    const title = 'Blocks that matter, over time';
    const series = [
      {label: `read within ${duration(set.window_s)}`, values: points.map((point) => point.recent_blocks)},
      {label: 'read before, and again later', values: points.map((point) => point.live_blocks)},
    ];
    return figure({
      id: 'working-set',
      title,
      svg: frame({
        label: title,
        height,
        x: {title: 'time, s', ticks: linearTicks(x, 6, 1, count)},
        y: {title: 'blocks', ticks: linearTicks(y, 4, 1, count)},
        marks: html`${series.map(({values}, i) => stepLine(i + 1, stepPath(xs, values, end, x, y)))}`,
      }),
      legend: series.map(({label}, i) => ({series: i + 1, label, mark: 'line' as const})),
      note: 'A perfect predictor keeps those that are read again: their most is what it needs for the ceiling.',
      data: {
        kind: 'lines',
        x: {label: 'time', format: 'duration', log: false, domain: [0, end]},
        stops: pack(xs),
        series: series.map(({label, values}) => ({label, format: 'count' as const, x: null, y: pack(values)})),
      },
      table: {
        caption: title,
        head: [{label: 'time, s', numeric: true}, ...series.map(({label}) => ({label, numeric: true}))],
        rows: points.map((point) => [number(point.time_s, count), number(point.recent_blocks, count), number(point.live_blocks, count)]),
      },
    });
  },
};
