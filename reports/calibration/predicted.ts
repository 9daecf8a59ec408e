import {count, duration, secondsTick} from '../format.js';
import {html, type Markup} from '../markup.js';
import {figure} from '../page/figure.js';
import {logPlot} from '../page/log-plot.js';
import type {Part} from '../page/sections.js';
import {number, table} from '../page/table.js';
import {rowPlot} from './row-plot.js';
import {type CalibrationView, errorShare, type MeasuredOp} from './view.js';

const mostCharts = 8;

/** Held-out points of the tables given; without tables, the errors that the profile keeps of its cross-validation. */
export const predicted: Part<CalibrationView> = {
  name: 'Predicted against measured',

  title({measured, ops}) {
    if (measured !== null) {
      const worst = byError(measured.kernels)[0];
      return worst?.held_out == null
        ? 'The tables given have too few shapes to hold any out.'
        : `Held out of the fit, ${measured.kernels.length > 1 ? 'the worst kernel, ' : ''}${worst.kernel}${measured.kernels.length > 1 ? ',' : ''} is off by ${errorShare(worst.held_out.mape)} on average.`;
    }
    const known = ops.filter(({error}) => error !== null);
    return known.length === 0
      ? 'The profile states no error.'
      : `Cross-validated mean errors lie between ${errorShare(Math.min(...known.map(({error}) => error!.mape)))} and ${errorShare(Math.max(...known.map(({error}) => error!.mape)))}.`;
  },

  render(view) {
    return view.measured === null ? stored(view) : dots(view.measured.kernels, view);
  },
};

function byError(kernels: readonly MeasuredOp[]): MeasuredOp[] {
  return [...kernels].sort((a, b) => (b.held_out?.mape ?? -1) - (a.held_out?.mape ?? -1) || (a.kernel < b.kernel ? -1 : 1));
}

function dots(kernels: readonly MeasuredOp[], {ops}: CalibrationView): Markup {
  const sorted = byError(kernels);
  const drawn = sorted.filter(({held_out}) => held_out !== null).slice(0, mostCharts);
  return html`${drawn.map((one) => {
    const axes = ops.find(({op}) => op === one.kernel)?.axes;
    return logPlot({
      id: `predicted-${one.kernel}`,
      title: `${one.kernel}: mean error ${errorShare(one.held_out!.mape)} over ${count(one.held_out!.n)} held-out rows`,
      x: {title: 'measured', format: duration, tick: secondsTick},
      y: {title: 'predicted', format: duration, tick: secondsTick},
      series: [
        {
          label: `held-out row${one.points.length < one.rows ? `, ${one.points.length} of ${count(one.rows)}` : ''}`,
          joined: false,
          points: one.points.flatMap(({shape, seconds, predicted: y}) =>
            y === null
              ? []
              : [{x: seconds, y, note: axes === undefined ? shape.join(' × ') : axes.map((axis, i) => `${axis} ${shape[i]}`).join(', ')}],
          ),
        },
      ],
      guides: [{label: 'predicted = measured', dashed: true, along: (ends) => ends.map((x) => ({x, y: x}))}],
      band: [0.9, 1.1],
    });
  })}
<h3>All kernels of the tables given</h3>
${table({
  caption: 'Kernels of the tables given',
  sortable: true,
  head: [
    {label: 'kernel'},
    {label: 'rows', numeric: true},
    {label: 'held-out mean', numeric: true},
    {label: 'held-out p90', numeric: true},
    {label: 'bias', numeric: true},
    {label: "profile's own fit, mean", numeric: true},
  ],
  rows: sorted.map(({kernel, rows, held_out, own}) => [
    kernel,
    number(rows, count),
    number(held_out?.mape ?? null, errorShare),
    number(held_out?.p90 ?? null, errorShare),
    number(held_out?.bias ?? null, errorShare),
    number(own?.mape ?? null, errorShare),
  ]),
})}
<p class="note">Held out: a fit of the same form and knots to the other folds of these tables predicts each row. The profile's own fit may have seen the rows.${drawn.length < sorted.length ? ` Drawn are the ${drawn.length} kernels with the largest errors.` : ''}</p>`;
}

function stored({ops}: CalibrationView): Markup | null {
  const known = ops.filter(({error}) => error !== null).sort((a, b) => b.error!.mape - a.error!.mape || (a.op < b.op ? -1 : 1));
  if (known.length === 0) return null;
  const title = 'Error in cross-validation, worst first: mean as a dot, from median to 90th percentile as a bar';
  return html`${figure({
    id: 'predicted-stored',
    title,
    svg: rowPlot(
      title,
      known.map(({op, error}) => ({
        label: op,
        text: `mean ${errorShare(error!.mape)}`,
        from: error!.p50,
        to: error!.p90,
        dot: error!.mape,
      })),
      '|predicted / measured − 1|',
    ),
    legend: [],
    data: {
      kind: 'items',
      valueLabel: 'mean error',
      format: 'share',
      items: known.map(({op, error}) => ({
        label: `${op}: mean error`,
        value: error!.mape,
        text: errorShare(error!.mape),
        note: `median ${errorShare(error!.p50)}, p90 ${errorShare(error!.p90)}, ${count(error!.n)} points`,
      })),
    },
    table: {
      caption: title,
      head: ['kernel', 'points', 'mean', 'median', 'p90'].map((label, i) => ({label, numeric: i > 0})),
      rows: known.map(({op, error}) => [
        op,
        number(error!.n, count),
        number(error!.mape, errorShare),
        number(error!.p50, errorShare),
        number(error!.p90, errorShare),
      ]),
    },
  })}
<p class="note">A profile keeps its fits, not the rows behind them. With <code>--data</code> and the kernel tables, each held-out row is drawn here as a dot, predicted over measured.</p>`;
}
