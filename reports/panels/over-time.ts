import type {Report, TimelineColumn} from '../../src/sim/scenario/result.js';
import {bytesY, byteUnit, linearTicks, linearX, linearY, type Scale, timeUnit} from '../charts/axis.js';
import {type LinesData, pack} from '../charts/data.js';
import {frame, type Tick} from '../charts/frame.js';
import {areaLabels, reference, stackedAreas, stepLine, stepPath} from '../charts/lines.js';
import {bytes, duration, type FormatName, formats, mean, significant} from '../format.js';
import {html} from '../markup.js';
import {type Chart, figure} from '../page/figure.js';
import type {Table} from '../page/table.js';
import {thinned} from '../page/thinned.js';
import {type Intervals, intervals, mergedNote} from './intervals.js';
import type {Panel} from './panel.js';
import {tierName, tierSeries, tiersBelow} from './tiers.js';

/** The run over time: who runs and waits, what the KV cache holds, how full steps are. */
export const overTime: Panel = {
  name: 'Over time',
  needs: ['timeline'],

  title({document, timeline}) {
    const {overloaded, mean_running: running} = document.load;
    if (overloaded) return `The queue grows as long as requests come: up to ${significant(largest(timeline.waiting), 2)} wait.`;
    const average = running === null ? '' : `; ${mean(running)} run on average`;
    return largest(timeline.waiting) === 0
      ? `Nobody waits${average}.`
      : `At most ${significant(largest(timeline.waiting), 2)} requests wait${average}.`;
  },

  render(report) {
    const over = intervals(report);
    return html`${zoomFields}${[requests(report, over), kv(report, over), ...below(report, over), batch(over)].map(figure)}`;
  },
};

/** A part of the run that all charts over time show; the page's script shows the fields. */
const zoomFields = html`<p class="zoom chosen-tools" hidden>Drag over a chart to look closer at that part of the run, in all charts over time: <label>from <input class="from" type="number" min="0" step="any"></label> <label>to <input class="to" type="number" min="0" step="any"> s</label> <button type="button">Whole run</button></p>
`;

interface Line {
  readonly column: TimelineColumn;
  readonly series: number;
  readonly label: string;
}

const height = 150;

/** The time axis that all charts over time share. */
export function timeAxis({columns, end}: Intervals): {x: Scale; axis: {title: string; ticks: Tick[]}} {
  const x = linearX(columns.time_s[0]!, end);
  const unit = timeUnit(end - columns.time_s[0]!);
  return {x, axis: {title: `time (${unit.name})`, ticks: linearTicks(x, 8, unit.seconds, (v) => significant(v ?? 0, 6))}};
}

/** What the page's script needs to read lines over time. */
export function timeData(over: Intervals, lines: readonly Line[], format: FormatName): LinesData {
  return {
    kind: 'lines',
    x: {label: 'time', format: 'duration', log: false, domain: timeAxis(over).x.domain() as [number, number]},
    stops: pack(over.columns.time_s),
    series: lines.map(({column, label}) => ({label, format, x: null, y: pack(over.columns[column])})),
  };
}

function requests({document}: Report, over: Intervals): Chart {
  const lines: Line[] = [
    {column: 'running', series: 1, label: 'running'},
    {column: 'waiting', series: 2, label: 'waiting'},
    ...(tiersBelow(document).length > 0 ? [{column: 'loading', series: 3, label: 'loading from below'} as const] : []),
  ];
  const title = lines.length > 2 ? 'Requests running, waiting and loading' : 'Requests running and waiting';
  return lineChart(over, 'requests', `${title}, mean of each interval`, lines, 'requests');
}

function batch(over: Intervals): Chart {
  const lines: Line[] = [{column: 'batch_tokens', series: 1, label: 'tokens a step'}];
  return lineChart(over, 'batch', 'Tokens computed a step, mean over the steps of each interval', lines, 'tokens a step');
}

function lineChart(over: Intervals, id: string, title: string, lines: readonly Line[], unit: string): Chart {
  const {columns, end} = over;
  const {x, axis} = timeAxis(over);
  const y = linearY(Math.max(...lines.map(({column}) => largest(columns[column]))), height);
  return {
    id: `time-${id}`,
    title,
    svg: frame({
      label: summary(over, title, lines, 'mean'),
      height,
      x: axis,
      y: {title: unit, ticks: linearTicks(y, 4, 1, (v) => significant(v ?? 0, 6))},
      marks: lines.map(({column, series}) => stepLine(series, stepPath(columns.time_s, columns[column], end, x, y))),
    }),
    legend: lines.length > 1 ? lines.map(({series, label}) => ({series, label, mark: 'line' as const})) : [],
    group: 'time',
    note: mergedNote(over),
    data: timeData(over, lines, 'mean'),
    table: timeTable(over, title, lines, 'mean'),
  };
}

function kv({document}: Report, over: Intervals): Chart {
  const lines: Line[] = [
    {column: 'kv_hbm_bytes', series: 2, label: 'held by running requests'},
    {column: 'kv_cached_bytes', series: 1, label: 'kept for reuse'},
  ];
  return areaChart(
    over,
    'kv',
    'What the KV cache holds',
    lines,
    document.plan.kv_blocks * document.plan.block_bytes * document.plan.replicas,
  );
}

/** What each memory below HBM keeps; a page cache and a remote memory have no column in the timeline. */
function below({document}: Report, over: Intervals): Chart[] {
  return tiersBelow(document).flatMap((tier) => {
    const column = `kv_${tier}_bytes` as TimelineColumn;
    if (over.columns[column] === undefined) return [];
    const lines: Line[] = [{column, series: tierSeries(tier), label: `kept in ${tier.toUpperCase()}`}];
    return areaChart(over, `kv-${tier}`, `What ${tierName(tier)} holds`, lines, document.tiers[tier]!.size_bytes);
  });
}

/** Bytes over time, one on the other, beside the most there is room for. */
function areaChart(over: Intervals, id: string, title: string, lines: readonly Line[], limit: number): Chart {
  const {columns, end} = over;
  const {x, axis} = timeAxis(over);
  const filled = columns[lines[0]!.column].map((_, i) => lines.reduce((sum, {column}) => sum + columns[column][i]!, 0));
  const y = bytesY(Math.max(limit, largest(filled)), height);
  const unit = byteUnit(y.domain()[1]!);
  const layers = lines.map(({column, series, label}) => ({series, label, values: columns[column]}));
  return {
    id: `time-${id}`,
    title,
    svg: frame({
      label: summary(over, title, lines, 'bytes'),
      height,
      x: axis,
      y: {title: unit.name, ticks: linearTicks(y, 4, unit.bytes, (v) => significant(v ?? 0, 6))},
      marks: stackedAreas(columns.time_s, layers, end, x, y),
      over: [...areaLabels(columns.time_s, layers, end, x, y), limit > 0 ? reference(`capacity ${bytes(limit)}`, y(limit)) : null],
    }),
    legend: lines.length < 2 ? [] : [...lines].reverse().map(({series, label}) => ({series, label, mark: 'area' as const})),
    group: 'time',
    note: mergedNote(over),
    data: timeData(over, lines, 'bytes'),
    table: timeTable(over, title, lines, 'bytes'),
  };
}

/** Lines over time as a table. */
export function timeTable({columns}: Intervals, title: string, lines: readonly Line[], format: FormatName): Table {
  return thinned(
    title,
    columns.time_s,
    lines.map(({column, label}) => ({label, values: columns[column], format: formats[format]})),
  );
}

/** The largest known value, 0 when there is none. */
export function largest(values: Float64Array): number {
  return values.reduce((most, v) => (Number.isFinite(v) ? Math.max(most, v) : most), 0);
}

function summary({columns, end}: Intervals, title: string, lines: readonly Line[], format: FormatName): string {
  const parts = lines.map(({column, label}) => `${label} at most ${formats[format](largest(columns[column]))}`);
  return `${title}, over ${duration(end - columns.time_s[0]!)}: ${parts.join(', ')}.`;
}
