import type {Grade} from '../../src/models/provenance.js';
import type {ResultDocument} from '../../src/sim/scenario/result.js';
import {share, significant, unbroken} from '../format.js';
import {html, type Markup} from '../markup.js';
import {grade} from '../page/grade.js';
import {number, table} from '../page/table.js';
import type {Panel} from './panel.js';

const guesses: ReadonlySet<Grade> = new Set(['assumed', 'extrapolated']);

/** Which figures the result rests on, where they come from, and how much time each governs. */
export const trust: Panel = {
  name: 'Assumptions and trust',
  needs: [],

  title({document}) {
    // The first clause says why; what stands in brackets behind it follows below.
    return `Trust ${document.trust.grade}: ${document.trust.text.split(' (')[0]!.replace(/[.]$/, '')}.`;
  },

  render({document}) {
    const assumed = document.assumptions.filter((a) => guesses.has(a.grade)).length;
    return html`${reason(document.trust.text)}
${document.provenance.length > 0 ? terms(document) : null}
<h3>Figures that somebody chose</h3>
<p class="note">${assumed === 0 ? 'None of them is a guess.' : `${assumed} of ${document.assumptions.length} ${assumed === 1 ? 'is a guess' : 'are guesses'}: assumed or extrapolated.`} Grades, best first: measured, fitted, datasheet, extrapolated, assumed.</p>
${table({
  caption: 'Assumptions',
  sortable: true,
  head: [{label: 'figure'}, {label: 'value'}, {label: 'grade'}, {label: 'source'}],
  rows: document.assumptions.map((a) => [
    {markup: html`<code>${a.path}</code>`, text: a.path},
    unbroken(a.value),
    grade(a.grade),
    a.source,
  ]),
})}`;
  },
};

/** What stands in brackets behind the first clause, as a sentence of its own. */
function reason(text: string): Markup | null {
  const inside = / \((.+)\)\.?$/.exec(text)?.[1];
  return inside === undefined ? null : html`<p>${inside[0]!.toUpperCase()}${inside.slice(1)}.</p>`;
}

function terms({provenance}: ResultDocument) {
  return html`<h3>Terms of the step time</h3>
${table({
  caption: 'Terms of the step time',
  sortable: true,
  head: [
    {label: 'term'},
    {label: 'share of busy time', numeric: true},
    {label: 'grade'},
    {label: '80 % of true/predicted', numeric: true},
    {label: 'asked beyond what was measured', numeric: true},
    {label: 'source'},
  ],
  rows: [...provenance]
    .sort((a, b) => b.busy_share - a.busy_share)
    .map((p) => [
      p.term,
      number(p.busy_share, share),
      grade(p.grade),
      `${significant(p.interval[0])} … ${significant(p.interval[1])}`,
      number(p.extrapolated_share, share),
      p.source,
    ]),
})}`;
}
