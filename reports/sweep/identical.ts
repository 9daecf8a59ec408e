import {count} from '../format.js';
import {html, type Markup} from '../markup.js';
import {number, table} from '../page/table.js';
import type {SweepView} from './view.js';

/** Values of axes whose runs are the same events, everywhere or at some settings of the other axes. */
export function identical({document}: SweepView): Markup | null {
  if (document.identical.length === 0) return null;
  return html`${table({
    caption: 'Values whose runs are the same',
    head: [{label: 'axis'}, {label: 'values'}, {label: 'settings of the others', numeric: true}, {label: 'of'}],
    rows: document.identical.map(({axis, values, settings, of}) => [axis, values.join(', '), number(settings, count), count(of)]),
  })}<p class="note">Every step, every end of a request, and the bytes that each memory moved and let go, by cause, are equal there: what differs between these values changed nothing.</p>`;
}

/** The sentence above: which values are one and the same everywhere. */
export function identicalTitle({document}: SweepView): string {
  const [first] = document.identical;
  if (first === undefined || first.settings < first.of) return 'No two values are the same everywhere; some are at some settings.';
  return `${first.axis}: ${first.values.join(' and ')} are the same by another name.`;
}
