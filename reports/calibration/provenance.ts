import {count} from '../format.js';
import {html} from '../markup.js';
import {grade} from '../page/grade.js';
import type {Part} from '../page/sections.js';
import {number, table} from '../page/table.js';
import type {CalibrationView} from './view.js';
import {decimal} from './view.js';

/** Where each fit and figure comes from, and which rows were dropped. */
export const provenance: Part<CalibrationView> = {
  name: 'Provenance',

  title({ops, dropped}) {
    const rows = dropped.reduce((sum, one) => sum + one.rows, 0);
    const sources = new Set(ops.map(({source}) => source)).size;
    const from =
      ops.length === 0
        ? 'All figures are stated, none fitted'
        : `${ops.length === 1 ? '1 fit comes' : `${count(ops.length)} fits come`} from ${count(sources)} ${sources === 1 ? 'source' : 'sources'}`;
    return `${from}${rows === 0 ? '' : `; ${count(rows)} rows were dropped`}.`;
  },

  render({ops, figures, dropped, measured}) {
    const peaks = figures.filter(({kind}) => kind === 'compute');
    return html`${
      ops.length === 0
        ? null
        : table({
            caption: 'Fits and their sources',
            sortable: true,
            head: [{label: 'kernel'}, {label: 'form'}, {label: 'grade'}, {label: 'kernels measured'}, {label: 'source'}],
            rows: ops.map((op) => [op.op, op.form, grade(op.grade), op.backend ?? '–', op.source]),
          })
    }
<h3>Peaks</h3>
${table({
  caption: 'Peaks',
  head: [{label: 'format'}, {label: 'peak', numeric: true}, {label: 'grade'}, {label: 'source'}],
  rows: peaks.map((peak) => [peak.name, number(peak.value, decimal('FLOP/s')), grade(peak.grade), peak.source]),
})}
${
  dropped.length === 0
    ? null
    : html`<h3>Rows that were dropped</h3>
${table({
  caption: 'Rows that were dropped',
  head: [{label: 'kernel'}, {label: 'rows', numeric: true}, {label: 'reason'}],
  rows: dropped.map((one) => [one.kernel, number(one.rows, count), one.reason]),
})}`
}
${measured === null ? null : html`<p class="note">Tables given: ${measured.files.join(', ')}.</p>`}`;
  },
};
