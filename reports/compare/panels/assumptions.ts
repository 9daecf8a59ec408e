import type {Assumed, Pair} from '../../../src/sim/compare/comparison.js';
import {unbroken} from '../../format.js';
import {html, type Markup} from '../../markup.js';
import {table} from '../../page/table.js';
import type {ComparePanel} from '../panel.js';

/** Figures that somebody chose and that differ between the scenarios, and how far each scenario's times can be trusted. */
export const assumptions: ComparePanel = {
  name: 'Assumptions that differ',

  title({document: {comparisons, results}}) {
    const differing = comparisons.reduce((sum, pair) => sum + pair.assumptions.length, 0);
    const all = results[0]!.assumptions.length;
    return differing === 0
      ? `All rest on the same ${all} assumptions, so that their errors mostly cancel.`
      : `${differing === 1 ? '1 assumption differs' : `${differing} assumptions differ`}; the difference is only as good as these.`;
  },

  render({document: {comparisons, labels, results}}) {
    return html`${comparisons.filter(({assumptions: rows}) => rows.length > 0).map((pair) => html`${comparisons.length > 1 ? html`<h3>${pair.after}</h3>` : null}${rowsOf(pair)}`)}
<ul class="verdicts">${results.map(({trust}, i) => html`<li data-mark="${trust.grade}">${labels[i]!}: trust ${trust.grade}, ${unbroken(trust.text)}</li>\n`)}</ul>`;
  },
};

function rowsOf({before, after, assumptions: rows}: Pair): Markup {
  return table({
    caption: `Assumptions that differ between ${before} and ${after}`,
    head: [{label: 'figure'}, {label: before}, {label: after}],
    rows: rows.map((row) => [{markup: html`<code>${row.path}</code>`, text: row.path}, cell(row.before), cell(row.after)]),
  });
}

function cell(assumed: Assumed | null): string {
  return assumed === null ? '–' : unbroken(`${assumed.value} (${assumed.grade}: ${assumed.source})`);
}
