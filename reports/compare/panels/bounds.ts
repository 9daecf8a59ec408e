import type {Comparison} from '../../../src/sim/compare/comparison.js';
import type {ResultDocument} from '../../../src/sim/scenario/result.js';
import {stackedBar} from '../../charts/bar.js';
import {share} from '../../format.js';
import {html} from '../../markup.js';
import {type Chart, figure} from '../../page/figure.js';
import {number} from '../../page/table.js';
import {kinds} from '../../panels/bounds.js';
import type {ComparePanel} from '../panel.js';

/** What busy time goes to, one bar a scenario. */
export const bounds: ComparePanel = {
  name: 'What bounds each',

  title({document: {labels, results}}) {
    const parts = results.map((result, i) => {
      const most = kinds.reduce((a, b) => (result.time.bound_share[b.bound] > result.time.bound_share[a.bound] ? b : a));
      return result.time.busy_s === 0
        ? `no step of ${labels[i]} ran`
        : `${most.label} is ${share(result.time.bound_share[most.bound])} of the busy time of ${labels[i]}`;
    });
    const text = parts.join(', ');
    return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
  },

  render({document}: Comparison) {
    return html`${document.results.flatMap((result, i) => (result.time.busy_s === 0 ? [] : [figure(chart(result, document.labels[i]!, i))]))}`;
  },
};

function chart({time, load}: ResultDocument, label: string, index: number): Chart {
  const segments = kinds.map(({bound, series, label: name}) => ({label: name, series, value: time.bound_share[bound]}));
  const seen = segments.filter(({value}) => value > 0);
  const busy = load.busy_share === null ? '' : `, busy ${share(load.busy_share)} of the time`;
  const title = `${label}${busy}: busy time by what bounds it`;
  return {
    id: `bounds-${index + 1}`,
    title,
    svg: stackedBar(`${title}: ${seen.map((one) => `${one.label} ${share(one.value)}`).join('; ')}.`, segments, 1, share),
    legend: seen.map(({series, label: name, value}) => ({series, label: `${name} ${share(value)}`, mark: 'area' as const})),
    data: {
      kind: 'items',
      valueLabel: 'share',
      format: 'share',
      items: seen.map((one) => ({label: one.label, value: one.value, note: `of the busy time of ${label}`})),
    },
    table: {
      caption: title,
      head: [{label: 'part'}, {label: 'share of busy time', numeric: true}],
      rows: segments.map((one) => [one.label, number(one.value, share)]),
    },
  };
}
