import type {FitError} from '../src/models/cost/fit/fit.js';

/** A share as per cent, one decimal. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(1)}`;
}

/** Lines of a table with its columns aligned: the first to the left, the others to the right. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0].map((_, column) => rows.reduce((most, row) => Math.max(most, row[column].length), 0));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
      .join('  ')
      .trimEnd(),
  );
}

/** Mean, median, 90th percentile, bias and interval of an error, as cells. */
export function errorCells(error: FitError | null): string[] {
  if (error === null) return ['–', '–', '–', '–', '–'];
  const {mape, p50, p90, bias, interval} = error;
  return [percent(mape), percent(p50), percent(p90), percent(bias), interval.map((ratio) => ratio.toFixed(2)).join('–')];
}
