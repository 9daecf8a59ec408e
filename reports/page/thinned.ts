import {duration, type Format} from '../format.js';
import {number, type Table} from './table.js';

const mostRows = 50;

/** A table of columns over time; of many rows it shows every n-th and says so. */
export function thinned(
  title: string,
  time: Float64Array,
  columns: readonly {readonly label: string; readonly values: Float64Array; readonly format: Format}[],
): Table {
  const every = Math.max(1, Math.ceil(time.length / mostRows));
  const rows = [];
  for (let i = 0; i < time.length; i += every) {
    rows.push([
      number(time[i]!, duration),
      ...columns.map(({values, format}) => number(Number.isFinite(values[i]!) ? values[i]! : null, format)),
    ]);
  }
  const note = every > 1 ? ` (every ${ordinal(every)} of ${time.length} intervals; all are in timeline.csv)` : '';
  return {caption: `${title}${note}`, head: [{label: 'from'}, ...columns.map(({label}) => ({label, numeric: true}))], rows};
}

function ordinal(n: number): string {
  const tens = n % 100;
  const ending = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${n}${ending}`;
}
