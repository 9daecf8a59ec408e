import {mostForms} from '../charts/mark.js';
import {html, type Markup} from '../markup.js';
import {grade} from '../page/grade.js';
import {type Guide, logPlot, type PlotSeries} from '../page/log-plot.js';
import type {Part} from '../page/sections.js';
import {number, table} from '../page/table.js';
import {type CalibratedOp, type CalibrationView, decimal, shapeText} from './view.js';

const byteRate = decimal('B/s');

/** Bytes a second by size: kernels that stream the device's memory, then each kind of collective and storage. */
export const bandwidth: Part<CalibrationView> = {
  name: 'Bandwidth by size',

  title({figures}) {
    const [memory] = figures.filter(({kind}) => kind === 'memory');
    return memory === undefined
      ? 'No memory is stated.'
      : `${memory.name} moves ${byteRate(memory.value)} by its ${memory.grade} figure; small sizes reach a part of it.`;
  },

  render(view) {
    const {ops, figures} = view;
    const groups = new Map<string, CalibratedOp[]>();
    for (const op of ops.filter(({kind}) => kind === 'link')) {
      const name = op.op.split('.').slice(0, 2).join('.');
      groups.set(name, [...(groups.get(name) ?? []), op]);
    }
    return html`${memoryChart(view)}${[...groups].map(([name, members]) => linkChart(name, members, view))}
<h3>Figures of memories and links</h3>
${table({
  caption: 'Figures of memories and links',
  head: [{label: 'part'}, {label: 'bandwidth', numeric: true}, {label: 'grade'}, {label: 'source'}],
  rows: figures
    .filter(({kind}) => kind !== 'compute')
    .map((figure) => [`${figure.kind} ${figure.name}`, number(figure.value, byteRate), grade(figure.grade), figure.source]),
})}`;
  },
};

/** Kernels that mostly move bytes: streams of activations and decode attention. */
function memoryChart({ops, figures}: CalibrationView): Markup | null {
  const streaming = ops
    .filter(({kind, op}) => kind === 'stream' || op.startsWith('attn.decode.') || op.startsWith('mla.decode.'))
    .slice(0, mostForms);
  const memory = figures.find(({kind}) => kind === 'memory');
  if (streaming.length === 0 || memory === undefined) return null;
  return logPlot({
    id: 'bandwidth-memory',
    title: `Kernels that stream ${memory.name}, by the bytes they move`,
    x: {title: 'bytes moved', format: decimal('B'), tick: decimal('B')},
    y: {title: 'B/s', format: byteRate, tick: decimal('')},
    series: streaming.map(seriesOf),
    guides: [level(`${memory.name}, ${memory.grade}`, memory.value)],
    note: 'Small working sets may stay in a cache, and then pass above the line.',
  });
}

function linkChart(name: string, ops: readonly CalibratedOp[], {figures}: CalibrationView): Markup | null {
  const isStorage = name.startsWith('storage.');
  const link = figures.find((figure) => figure.kind === 'link' && figure.name === (isStorage ? 'storage' : 'peer'));
  return logPlot({
    id: `bandwidth-${name}`,
    title: isStorage ? `${name}: bytes a second at a queue depth` : `${name}: bytes of the message over its time, by topology`,
    x: {title: isStorage ? 'request size' : 'message size', format: decimal('B'), tick: decimal('B')},
    y: {title: 'B/s', format: byteRate, tick: decimal('')},
    series: ops.slice(0, mostForms).map(seriesOf),
    guides: link === undefined ? [] : [level(`${link.name} link, ${link.grade}`, link.value)],
  });
}

function seriesOf({op, axes, points}: CalibratedOp): PlotSeries {
  return {
    label: op,
    joined: true,
    points: points.map((point) => ({x: point.bytes, y: point.bytes / point.seconds, note: shapeText(axes, point.shape)})),
  };
}

function level(label: string, value: number): Guide {
  return {label: `${label} ${byteRate(value)}`, dashed: true, along: (ends) => ends.map((x) => ({x, y: value}))};
}
