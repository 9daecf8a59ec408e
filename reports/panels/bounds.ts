import type {ResultDocument, TimelineColumn} from '../../src/sim/scenario/result.js';
import {linearTicks, shareY} from '../charts/axis.js';
import {type Segment, stackedBar} from '../charts/bar.js';
import {frame} from '../charts/frame.js';
import {areaLabels, stackedAreas} from '../charts/lines.js';
import {count, duration, share} from '../format.js';
import {html} from '../markup.js';
import {type Chart, figure} from '../page/figure.js';
import {number} from '../page/table.js';
import {type Intervals, intervals, mergedNote} from './intervals.js';
import {largest, timeAxis, timeData, timeTable} from './over-time.js';
import type {Panel} from './panel.js';

type BoundName = keyof ResultDocument['time']['bound_share'];

/** What a step's time goes to; the order is that of the stack, from the bottom. */
export const kinds: readonly {
  readonly bound: BoundName;
  readonly column: TimelineColumn;
  readonly series: number;
  readonly label: string;
}[] = [
  {bound: 'hbm', column: 'bound_hbm_share', series: 1, label: 'memory bandwidth'},
  {bound: 'compute', column: 'bound_compute_share', series: 2, label: 'compute'},
  {bound: 'link', column: 'bound_link_share', series: 3, label: 'links'},
  {bound: 'launch', column: 'bound_launch_share', series: 5, label: 'kernel launches'},
  {bound: 'host', column: 'bound_host_share', series: 4, label: 'host'},
];

/** What bounds the run: over time, in all, and by kind of step. */
export const bounds: Panel = {
  name: 'What bounds it',
  needs: ['steps'],

  title({document: {time, load}}) {
    const most = kinds.reduce((a, b) => (time.bound_share[b.bound] > time.bound_share[a.bound] ? b : a));
    const busy = load.busy_share === null ? '' : `; the device is busy ${share(load.busy_share)} of the time`;
    return `${most.label[0]!.toUpperCase()}${most.label.slice(1)} ${most.label.endsWith('s') ? 'bound' : 'bounds'} ${share(time.bound_share[most.bound])} of busy time${busy}.`;
  },

  render(report) {
    const charts = [total(report.document), steps(report.document)];
    if (report.timeline.time_s.length > 0) charts.push(overTime(intervals(report)));
    return html`${charts.map(figure)}`;
  },
};

function total({time}: ResultDocument): Chart {
  const segments = kinds.map(({bound, series, label}) => ({label, series, value: time.bound_share[bound]}));
  return shareBar('bounds-total', `Busy time by what bounds it, ${duration(time.busy_s)} in all`, segments);
}

function steps({time}: ResultDocument): Chart {
  const {prefill, mixed, decode} = time.by_step;
  return shareBar('bounds-steps', 'Busy time by kind of step', [
    {label: `prefill, ${count(time.steps.prefill)} steps`, series: 2, value: prefill},
    {label: `mixed, ${count(time.steps.mixed)} steps`, series: 6, value: mixed},
    {label: `decode, ${count(time.steps.decode)} steps`, series: 1, value: decode},
  ]);
}

function shareBar(id: string, title: string, segments: readonly Segment[]): Chart {
  const seen = segments.filter((s) => s.value > 0);
  return {
    id,
    title,
    svg: stackedBar(`${title}: ${segments.map((s) => `${s.label} ${share(s.value)}`).join('; ')}.`, segments, 1, share),
    legend: seen.map((s) => ({series: s.series, label: `${s.label} ${share(s.value)}`, mark: 'area' as const})),
    data: {
      kind: 'items',
      valueLabel: 'share',
      format: 'share',
      items: seen.map((s) => ({label: s.label, value: s.value, note: 'of busy time'})),
    },
    table: {
      caption: title,
      head: [{label: 'part'}, {label: 'share of busy time', numeric: true}],
      rows: segments.map((s) => [s.label, number(s.value, share)]),
    },
  };
}

const height = 170;

function overTime(over: Intervals): Chart {
  const {columns, end} = over;
  const seen = kinds.filter(({column}) => largest(columns[column]) > 0);
  const {x, axis} = timeAxis(over);
  const layers = seen.map(({column, series, label}) => ({series, label, values: columns[column]}));
  const stacked = columns.time_s.map((_, i) => layers.reduce((sum, {values}) => sum + (values[i]! || 0), 0));
  // A step counts where it ends: one that is longer than its interval fills it more than once.
  const y = shareY(largest(stacked), height);
  const title = 'Share of each interval by what bounds it; what is left is idle';
  return {
    id: 'bounds-time',
    title,
    svg: frame({
      label: `${title}. ${seen.map(({label, column}) => `${label} at most ${share(largest(columns[column]))}`).join(', ')}.`,
      height,
      x: axis,
      y: {title: 'share of the interval', ticks: linearTicks(y, 4, 0.01, (v) => `${v} %`)},
      marks: stackedAreas(columns.time_s, layers, end, x, y),
      over: areaLabels(columns.time_s, layers, end, x, y),
    }),
    legend: [...seen].reverse().map(({series, label}) => ({series, label, mark: 'area' as const})),
    group: 'time',
    note: `A step counts in the interval in which it ends. ${mergedNote(over)}`.trim(),
    data: {...timeData(over, seen, 'share'), top: y.domain()[1]!},
    table: timeTable(over, title, seen, 'share'),
  };
}
