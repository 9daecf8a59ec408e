import {mostForms} from '../charts/mark.js';
import {html, type Markup} from '../markup.js';
import {logPlot, roofAlong} from '../page/log-plot.js';
import type {Part} from '../page/sections.js';
import {type CalibratedOp, type CalibrationView, decimal, shapeText} from './view.js';

const flopRate = decimal('FLOP/s');

function plain(value: number | null): string {
  if (value === null) return '–';
  return value >= 1000 ? `${Number((value / 1000).toPrecision(3))}k` : String(Number(value.toPrecision(3)));
}

/** Every number format's kernels under the roof of the datasheet and that of the fit. */
export const roofline: Part<CalibrationView> = {
  name: 'Roofline',

  title({ops}) {
    const best = computing(ops).reduce<CalibratedOp | null>((most, op) => ((op.of_peak ?? 0) > (most?.of_peak ?? 0) ? op : most), null);
    return best === null
      ? 'No kernel was fitted.'
      : `${best.op} comes nearest to the datasheet: ${Math.round(100 * best.of_peak!)} % of its roof at typical shapes.`;
  },

  render(view) {
    const dtypes = view.coverage.dtypes.filter((name) => computing(view.ops).some(({dtype}) => dtype === name));
    if (dtypes.length === 0) return null;
    return html`${dtypes.flatMap((dtype) => chunked(computing(view.ops).filter((op) => op.dtype === dtype)).map((ops, i) => chart(view, dtype, ops, i)))}
<p class="note">Marks are the fit along one axis, from least to most that was measured, the others at typical sizes: n and k 4096, 32 heads over 8 of 128, 32 sequences in decode, the experts of Mixtral 8x7B, or the nearest to these that was measured. The roof of the fit bounds it from above: what lies between is launch time, the corner, and what the residual adds.</p>`;
  },
};

function computing(ops: readonly CalibratedOp[]): CalibratedOp[] {
  return ops.filter(({kind}) => kind === 'compute');
}

function chunked(ops: readonly CalibratedOp[]): CalibratedOp[][] {
  return Array.from({length: Math.ceil(ops.length / mostForms)}, (_, i) => ops.slice(i * mostForms, (i + 1) * mostForms));
}

function chart({measured}: CalibrationView, dtype: string, ops: readonly CalibratedOp[], index: number): Markup | null {
  const {roof} = ops[0]!;
  const fitted =
    ops.find(({op, fitted_roof}) => op.startsWith('gemm.') && fitted_roof !== null) ?? ops.find((op) => op.fitted_roof !== null);
  const fastest = Math.max(...ops.flatMap(({points}) => points.map(({flops, seconds}) => flops / seconds)));
  return logPlot({
    id: `roofline-${dtype}${index === 0 ? '' : `-${index + 1}`}`,
    title: `${dtype}: up to ${flopRate(fastest)}${roof === null ? '' : ` of ${flopRate(roof.flops)}`}`,
    x: {title: 'FLOP per byte', format: plain, tick: plain},
    y: {title: 'FLOP/s', format: flopRate, tick: decimal('')},
    series: ops.map(({op, axes, points}) => ({
      label: op,
      joined: true,
      points: points.map((point) => ({x: point.flops / point.bytes, y: point.flops / point.seconds, note: shapeText(axes, point.shape)})),
    })),
    clouds: ops.flatMap(({op}, i) => {
      const rows = measured?.kernels.find(({kernel}) => kernel === op);
      if (rows === undefined) return [];
      const points = rows.points.map(({flops, bytes, seconds}) => ({x: flops / bytes, y: flops / seconds}));
      return [{label: `${op} measured, ${points.length} of ${rows.rows}`, series: i + 1, points}];
    }),
    guides: [
      ...(roof === null ? [] : [{label: 'datasheet', dashed: true, along: roofAlong(roof)}]),
      ...(fitted === undefined ? [] : [{label: `roof of the fit of ${fitted.op}`, dashed: false, along: roofAlong(fitted.fitted_roof!)}]),
    ],
  });
}
