import {count} from '../format.js';
import {figure} from '../page/figure.js';
import type {Part} from '../page/sections.js';
import {number} from '../page/table.js';
import {rowPlot} from './row-plot.js';
import {type CalibratedOp, type CalibrationView, signedShare} from './view.js';

/** Signed error of every kernel: where 80 % of the predictions lie, and their bias. */
export const errors: Part<CalibrationView> = {
  name: 'Error by op',

  title(view) {
    const rows = rowsOf(view);
    const worst = [...rows].sort((a, b) => Math.abs(b.bias) - Math.abs(a.bias))[0];
    return worst === undefined ? 'No error is stated.' : `${worst.op} is the most biased: ${signedShare(worst.bias)} on average.`;
  },

  render(view) {
    const rows = rowsOf(view);
    if (rows.length === 0) return null;
    const title = 'Predicted against measured: the bar holds 80 % of the points, the dot is the mean';
    return figure({
      id: 'errors',
      title,
      svg: rowPlot(
        title,
        rows.map(({op, low, high, bias}) => ({
          label: op,
          text: `${signedShare(low)} … ${signedShare(high)}`,
          from: low,
          to: high,
          dot: bias,
        })),
        'predicted / measured − 1',
      ),
      legend: [],
      data: {
        kind: 'items',
        valueLabel: 'bias',
        format: 'share',
        items: rows.map(({op, low, high, bias, n}) => ({
          label: `${op}: bias`,
          value: bias,
          text: signedShare(bias),
          note: `80 % between ${signedShare(low)} and ${signedShare(high)}, ${count(n)} points`,
        })),
      },
      table: {
        caption: title,
        head: ['kernel', 'points', 'p10', 'p90', 'bias'].map((label, i) => ({label, numeric: i > 0})),
        rows: rows.map(({op, n, low, high, bias}) => [
          op,
          number(n, count),
          number(low, signedShare),
          number(high, signedShare),
          number(bias, signedShare),
        ]),
      },
    });
  },
};

/** A profile keeps the 10th and 90th percentile of measured/predicted; here they are read as errors of the prediction. */
function rowsOf({ops}: CalibrationView) {
  const row = ({op, error}: CalibratedOp) => {
    if (error === null) return [];
    const [least, most] = error.interval;
    return [{op, n: error.n, bias: error.bias, low: 1 / most - 1, high: 1 / least - 1}];
  };
  return ops.flatMap(row).sort((a, b) => b.high - b.low - (a.high - a.low) || (a.op < b.op ? -1 : 1));
}
