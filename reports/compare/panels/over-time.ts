import type {Comparison} from '../../../src/sim/compare/comparison.js';
import type {TimelineColumn} from '../../../src/sim/scenario/result.js';
import {bytesY, byteUnit, linearTicks, linearX, linearY, timeUnit} from '../../charts/axis.js';
import {pack} from '../../charts/data.js';
import {frame} from '../../charts/frame.js';
import {stepLine, stepPath} from '../../charts/lines.js';
import {duration, type FormatName, formats, mean, significant} from '../../format.js';
import {html} from '../../markup.js';
import {type Chart, figure} from '../../page/figure.js';
import {number} from '../../page/table.js';
import {intervals} from '../../panels/intervals.js';
import {largest} from '../../panels/over-time.js';
import type {ComparePanel} from '../panel.js';

/** The runs over time, one line a scenario. */
export const overTime: ComparePanel = {
  name: 'Over time',

  title({document: {labels, results}}) {
    const parts = results.map(({load}, i) => `${mean(load.mean_running)} with ${labels[i]}`);
    return `Requests that run on average: ${parts.join(', ')}.`;
  },

  render(comparison) {
    const lines = linesOf(comparison);
    return lines.length === 0
      ? html`<p>Nothing ran, so there is nothing to show over time.</p>`
      : html`${charts.map((one) => figure(chart(one, lines)))}`;
  },
};

interface Line {
  readonly label: string;
  readonly series: number;
  readonly columns: Readonly<Record<TimelineColumn, Float64Array>>;
  readonly end: number;
}

const charts = [
  {column: 'running', title: 'Requests running, mean of each interval', unit: 'requests', format: 'mean'},
  {column: 'waiting', title: 'Requests waiting, mean of each interval', unit: 'requests', format: 'mean'},
  {column: 'kv_hbm_bytes', title: 'KV that running requests hold', unit: 'bytes', format: 'bytes'},
] as const satisfies readonly {column: TimelineColumn; title: string; unit: string; format: FormatName}[];

function linesOf({document, reports}: Comparison): Line[] {
  return reports.flatMap((report, i) => {
    const {columns, end} = intervals(report);
    return columns.time_s.length === 0 ? [] : [{label: document.labels[i]!, series: i + 1, columns, end}];
  });
}

const height = 150;
const mostRows = 50;

function chart({column, title, unit, format}: (typeof charts)[number], lines: readonly Line[]): Chart {
  const longest = lines.reduce((most, line) => (line.end > most.end ? line : most));
  const x = linearX(0, longest.end);
  const most = Math.max(...lines.map(({columns}) => largest(columns[column])));
  const y = format === 'bytes' ? bytesY(most, height) : linearY(most, height);
  const inUnit = byteUnit(y.domain()[1]!);
  const seconds = timeUnit(longest.end);
  const every = Math.max(1, Math.ceil(longest.columns.time_s.length / mostRows));
  const times = longest.columns.time_s.filter((_, i) => i % every === 0);
  return {
    id: `time-${column.replaceAll('_', '-')}`,
    title,
    svg: frame({
      label: `${title}: ${lines.map(({label, columns}) => `${label} at most ${formats[format](largest(columns[column]))}`).join(', ')}, over ${duration(longest.end)}.`,
      height,
      x: {title: `time (${seconds.name})`, ticks: linearTicks(x, 8, seconds.seconds, (v) => significant(v ?? 0, 6))},
      y: {
        title: format === 'bytes' ? inUnit.name : unit,
        ticks: linearTicks(y, 4, format === 'bytes' ? inUnit.bytes : 1, (v) => significant(v ?? 0, 6)),
      },
      marks: lines.map(({series, columns, end}) => stepLine(series, stepPath(columns.time_s, columns[column], end, x, y))),
    }),
    legend: lines.map(({series, label}) => ({series, label, mark: 'line' as const})),
    group: 'time',
    note: 'First replication of each, warm-up included.',
    data: {
      kind: 'lines',
      x: {label: 'time', format: 'duration', log: false, domain: x.domain() as [number, number]},
      stops: pack(longest.columns.time_s),
      // A line ends where its run does: behind it nothing is known.
      series: lines.map(({label, columns, end}) => ({
        label,
        format,
        x: pack([...columns.time_s, end]),
        y: pack([...columns[column], Number.NaN]),
      })),
    },
    table: {
      caption: title,
      head: [{label: 'from'}, ...lines.map(({label}) => ({label, numeric: true}))],
      rows: [...times].map((time) => [
        number(time, duration),
        ...lines.map((line) => number(valueAt(line, column, time), formats[format])),
      ]),
    },
  };
}

function valueAt({columns, end}: Line, column: TimelineColumn, time: number): number | null {
  if (time >= end) return null;
  const at = columns.time_s.findLastIndex((from) => from <= time);
  const value = columns[column][at];
  return value === undefined || !Number.isFinite(value) ? null : value;
}
