import {stringify} from 'csv-stringify/sync';
import type {TableRow} from '../tables.js';

/** Rows that are formatted at once: csv-stringify is fastest on short tables. */
const ROWS = 100;

/** Rows as CSV text, a hundred at a time. Texts that a spreadsheet would run as a formula are quoted as text. */
export function* csvText(rows: Iterable<TableRow>): Generator<string> {
  let piece: TableRow[] = [];
  for (const row of rows) {
    piece.push(row);
    if (piece.length < ROWS) continue;
    yield textOf(piece);
    piece = [];
  }
  if (piece.length > 0) yield textOf(piece);
}

function textOf(rows: readonly TableRow[]): string {
  return stringify(rows as (string | number)[][], {escape_formulas: true});
}
