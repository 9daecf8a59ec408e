import {share} from '../format.js';
import {html} from '../markup.js';
import {grade} from '../page/grade.js';
import type {Part} from '../page/sections.js';
import {number, table} from '../page/table.js';
import type {CalibrationView} from './view.js';
import {type CoverageState, errorShare} from './view.js';

/** Full for what was measured, hollow for what nobody knows. */
const marks: Readonly<Record<CoverageState, string>> = {measured: '●', fitted: '◕', inherited: '◑', datasheet: '◔', none: '○', unused: ''};

const meanings: Readonly<Record<Exclude<CoverageState, 'unused'>, string>> = {
  measured: 'rows of it were measured on this machine, or are in the tables given',
  fitted: 'fitted to tables that others measured',
  inherited: 'the fit of the device that the profile extends',
  datasheet: 'no fit: the datasheet times the share that its architecture reaches',
  none: 'no fit, and the device states no peak for the format',
};

/** What stands behind each operator in each number format. */
export const coverage: Part<CalibrationView> = {
  name: 'Coverage',

  title({coverage: {cells}}) {
    const all = cells.flat().filter(({state}) => state !== 'unused');
    const backed = all.filter(({state}) => state !== 'datasheet' && state !== 'none').length;
    return `${backed} of ${all.length} pairs of operator and number format rest on measurements.`;
  },

  render({coverage: {ops, dtypes, cells}, extends: base, datasheet_shares: shares}) {
    const used = (Object.keys(meanings) as (keyof typeof meanings)[]).filter((state) => cells.flat().some((cell) => cell.state === state));
    return html`${table({
      caption: 'Coverage: operator by number format',
      head: [{label: 'operator'}, ...dtypes.map((label) => ({label}))],
      rows: ops.map((op, i) => [
        op,
        ...cells[i]!.map(({state, worst, as}) => ({
          markup: html`<span class="grade" data-mark="${marks[state]}">${state === 'unused' ? '–' : state}</span>${as === null ? null : html` <small>as ${as}</small>`}${worst === null ? null : html` <small>${errorShare(worst)}</small>`}`,
          text: state,
        })),
      ]),
    })}
<ul class="meanings">${used.map((state) => html`<li><span class="grade" data-mark="${marks[state]}">${state}</span>: ${meanings[state]}${state === 'inherited' ? `, ${base ?? ''}` : ''}</li>`)}</ul>
<p class="note">Per cent: mean error in cross-validation, of the worst kernel where a cell has several. “–”: no model runs the operator in that format. “As”: 16-bit formats take the same time, so the fit of the other one stands in.</p>
<h3>Where there is no fit</h3>
${table({
  caption: 'Shares of the datasheet where there is no fit',
  head: [
    {label: 'kernels'},
    {label: 'of the peak', numeric: true},
    {label: 'of the bandwidth', numeric: true},
    {label: '80 % of measured / predicted', numeric: true},
    {label: 'grade'},
    {label: 'source'},
  ],
  rows: shares.map((one) => [
    one.kernels,
    number(one.compute, share),
    number(one.stream, share),
    `${one.interval[0]} … ${one.interval[1]}`,
    grade(one.grade),
    one.source,
  ]),
})}`;
  },
};
