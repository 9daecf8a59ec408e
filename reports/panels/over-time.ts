import type {Report, TimelineColumn} from '../../src/sim/scenario/result.js';
import {bytesY, byteUnit, linearTicks, linearX, linearY, type Scale, timeUnit} from '../charts/axis.js';
import {type LinesData, pack} from '../charts/data.js';
import {frame} from '../charts/frame.js';
import {reference, stackedAreas, stepLine, stepPath} from '../charts/lines.js';
import {bytes, count, duration, type FormatName, formats, mean, significant} from '../format.js';
import {html, type Markup} from '../markup.js';
import {type Chart, figure} from '../page/figure.js';
import {thinned} from '../page/thinned.js';
import type {Panel} from './panel.js';

/** The run over time: who runs and waits, what the KV cache holds, how full steps are. */
export const overTime: Panel = {
  id: 'over-time',
  name: 'Over time',
  needs: ['timeline'],

  title({document, timeline}) {
    const most = Math.max(...timeline.waiting);
    if (document.load.overloaded)
      return `The queue grows: ${significant(last(timeline.waiting))} requests wait at the end. More is asked than can be served.`;
    if (most === 0) return `Nobody waits; ${mean(document.load.mean_running)} requests run on average.`;
    const average = document.load.mean_running === null ? '' : `; ${mean(document.load.mean_running)} run on average`;
    return `At most ${significant(most)} requests wait${average}.`;
  },

  render(report) {
    return html`${[requests(report), kv(report), batch(report)].map(figure)}`;
  },
};

interface Line {
  readonly column: TimelineColumn;
  readonly series: number;
  readonly label: string;
}

const height = 150;

/** Where the last interval ends: as wide as the one before. */
export function timelineEnd({timeline: {time_s: time}, document}: Report): number {
  const n = time.length;
  return n > 1 ? time[n - 1]! + (time[n - 1]! - time[n - 2]!) : Math.max(time[0]! + 1e-9, document.load.makespan_s);
}

/** The time axis that all charts over time share. */
export function timeAxis(report: Report): {x: Scale; end: number; axis: {title: string; ticks: ReturnType<typeof linearTicks>}} {
  const end = timelineEnd(report);
  const x = linearX(report.timeline.time_s[0]!, end);
  const unit = timeUnit(end - report.timeline.time_s[0]!);
  return {x, end, axis: {title: `time (${unit.name})`, ticks: linearTicks(x, 8, unit.seconds, (v) => significant(v ?? 0, 6))}};
}

/** What the page's script needs to read lines over time. */
export function timeData(report: Report, lines: readonly Line[], format: FormatName): LinesData {
  const {x} = timeAxis(report);
  return {
    kind: 'lines',
    x: {label: 'time', format: 'duration', log: false, domain: x.domain() as [number, number]},
    stops: pack(report.timeline.time_s),
    series: lines.map(({column, label}) => ({label, format, x: null, y: pack(report.timeline[column])})),
  };
}

function requests(report: Report): Chart {
  const lines: Line[] = [
    {column: 'running', series: 1, label: 'running'},
    {column: 'waiting', series: 2, label: 'waiting'},
  ];
  const top = Math.max(...report.timeline.running, ...report.timeline.waiting);
  return lineChart(report, 'requests', 'Requests running and waiting, mean of each interval', lines, top, 'requests', 'mean');
}

function batch(report: Report): Chart {
  const lines: Line[] = [{column: 'batch_tokens', series: 1, label: 'tokens a step'}];
  const known = report.timeline.batch_tokens.filter((v) => Number.isFinite(v));
  return lineChart(
    report,
    'batch',
    'Tokens computed a step, mean over the steps of each interval',
    lines,
    Math.max(0, ...known),
    'tokens a step',
    'mean',
  );
}

function lineChart(
  report: Report,
  id: string,
  title: string,
  lines: readonly Line[],
  top: number,
  unit: string,
  format: FormatName,
): Chart {
  const {x, end, axis} = timeAxis(report);
  const y = linearY(top, height);
  const {timeline} = report;
  return {
    id: `time-${id}`,
    title,
    svg: frame({
      label: summary(report, title, lines, format),
      height,
      x: axis,
      y: {title: unit, ticks: linearTicks(y, 4, 1, count)},
      marks: lines.map(({column, series}) => stepLine(series, stepPath(timeline.time_s, timeline[column], end, x, y))),
    }),
    legend: lines.length > 1 ? lines.map(({series, label}) => ({series, label, mark: 'line' as const})) : [],
    group: 'time',
    data: timeData(report, lines, format),
    table: thinned(
      title,
      report.timeline.time_s,
      lines.map(({column, label}) => ({label, values: timeline[column], format: formats[format]})),
    ),
  };
}

function kv(report: Report): Chart {
  const {x, end, axis} = timeAxis(report);
  const {timeline, document} = report;
  const lines: Line[] = [
    {column: 'kv_hbm_bytes', series: 2, label: 'held by running requests'},
    {column: 'kv_cached_bytes', series: 1, label: 'kept for reuse'},
  ];
  const limit = document.plan.kv_blocks * document.plan.block_bytes;
  const filled = timeline.kv_hbm_bytes.map((held, i) => held + timeline.kv_cached_bytes[i]!);
  const y = bytesY(Math.max(limit, ...filled), height);
  const unit = byteUnit(y.domain()[1]!);
  const title = 'What the KV cache holds';
  const layers = lines.map(({column, series}) => ({series, values: timeline[column]}));
  return {
    id: 'time-kv',
    title,
    svg: frame({
      label: summary(report, title, lines, 'bytes'),
      height,
      x: axis,
      y: {title: unit.name, ticks: linearTicks(y, 4, unit.bytes, count)},
      marks: stackedAreas(timeline.time_s, layers, end, x, y),
      over: limit > 0 ? limitLine(limit, y) : null,
    }),
    legend: [...lines].reverse().map(({series, label}) => ({series, label, mark: 'area' as const})),
    group: 'time',
    data: timeData(report, lines, 'bytes'),
    table: thinned(
      title,
      timeline.time_s,
      lines.map(({column, label}) => ({label, values: timeline[column], format: bytes})),
    ),
  };
}

function limitLine(limit: number, y: Scale): Markup {
  return reference(`capacity ${bytes(limit)}`, {y: y(limit)}, height);
}

function summary({timeline}: Report, title: string, lines: readonly Line[], format: FormatName): string {
  const show = formats[format];
  const parts = lines.map(({column, label}) => {
    const known = timeline[column].filter((v) => Number.isFinite(v));
    return `${label} at most ${show(known.length > 0 ? Math.max(...known) : null)}`;
  });
  return `${title}, over ${duration(last(timeline.time_s) - timeline.time_s[0]!)}: ${parts.join(', ')}.`;
}

function last(values: Float64Array): number {
  return values[values.length - 1]!;
}
