import type {Comparison, MetricComparison, Pair} from '../../../src/sim/compare/comparison.js';
import {type ComparedMetricName, comparedMetric, comparedMetricNames} from '../../../src/sim/compare/metrics.js';
import {changeOf, changeText, figureText, signed} from '../../../src/sim/compare/text.js';
import {type Dumbbell, dumbbellPlot, farthest} from '../../charts/dumbbell.js';
import {html} from '../../markup.js';
import {type Chart, figure} from '../../page/figure.js';
import {type ComparePanel, markOf, seriesOf} from '../panel.js';

/** Every figure before and after on one axis of per cent, with its interval. */
export const differences: ComparePanel = {
  name: 'Before and after',

  title({document: {comparisons}}) {
    const most = comparisons.flatMap((pair) => known(pair).map(({name, metric}) => ({pair, name, change: changeOf(metric)})));
    const largest = most.filter(({change}) => change.unit === '%').sort((a, b) => Math.abs(b.change.value!) - Math.abs(a.change.value!))[0];
    if (largest === undefined) return 'There is no figure that both scenarios have.';
    return largest.change.value === 0
      ? 'No figure changed.'
      : `The largest change is in ${comparedMetric(largest.name).label}: ${signed(largest.change.value!)} %.`;
  },

  render(comparison) {
    return html`${comparison.document.comparisons.filter((pair) => known(pair).length > 0).map((pair, i) => figure(chart(comparison, pair, i)))}`;
  },
};

function known({metrics}: Pair): {name: ComparedMetricName; metric: MetricComparison}[] {
  return comparedMetricNames.flatMap((name) => {
    const metric = metrics[name];
    return metric === null || changeOf(metric).value === null ? [] : [{name, metric}];
  });
}

function chart(comparison: Comparison, pair: Pair, index: number): Chart {
  const rows = known(pair).map(({name, metric}) => rowOf(name, metric));
  const title = `Change from ${pair.before} to ${pair.after}, with 95 % intervals`;
  const series = seriesOf(comparison, pair.after);
  return {
    id: `differences-${index + 1}`,
    title,
    svg: dumbbellPlot(
      `${title}: ${rows.map(({label, values, changeText: text}) => `${label} ${values}, ${text}`).join('; ')}.`,
      rows,
      series,
      'change, % of the value before; shares in points',
    ),
    legend: [
      {series: seriesOf(comparison, pair.before), label: `${pair.before} (ring)`, mark: 'line'},
      {series, label: `${pair.after} (dot)`, mark: 'line'},
    ],
    note: `✓ better, ✕ worse, = no difference shown. Bars are 95 % intervals of the paired difference.${rows.some(({change}) => change > farthest) ? ' Changes above 400 % stand at the edge.' : ''}`,
    data: {
      kind: 'items',
      valueLabel: 'change as a share',
      format: 'share',
      items: known(pair).map(({name, metric}) => ({
        label: comparedMetric(name).label,
        value: changeOf(metric).value,
        text: changeText(metric),
        note: `${figureText(metric.unit, metric.before)} → ${figureText(metric.unit, metric.after)}, ${metric.verdict}`,
      })),
    },
    table: {
      caption: title,
      head: [
        {label: 'figure'},
        {label: pair.before, numeric: true},
        {label: pair.after, numeric: true},
        {label: 'difference (95 %)', numeric: true},
        {label: 'verdict'},
      ],
      rows: comparedMetricNames.flatMap((name) => {
        const metric = pair.metrics[name];
        return metric === null
          ? []
          : [
              [
                comparedMetric(name).label,
                figureText(metric.unit, metric.before),
                figureText(metric.unit, metric.after),
                changeText(metric),
                metric.note === null ? metric.verdict : `${metric.verdict} (${metric.note})`,
              ],
            ];
      }),
    },
  };
}

function rowOf(name: ComparedMetricName, metric: MetricComparison): Dumbbell {
  const {value, ci95, unit} = changeOf(metric);
  return {
    label: comparedMetric(name).label,
    values: `${figureText(metric.unit, metric.before)} → ${figureText(metric.unit, metric.after)}`,
    change: value!,
    changeText: `${signed(value!)} ${unit}`,
    interval: ci95,
    intervalText: ci95 === null ? '' : ` (${signed(ci95[0])} … ${signed(ci95[1])})`,
    mark: markOf(metric.verdict),
  };
}
