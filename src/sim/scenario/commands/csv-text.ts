import {stringify} from 'csv-stringify/sync';
import type {TableRow} from '../tables.js';

const ROWS = 1000;

/** Rows as CSV text, a thousand at a time. Texts that a spreadsheet would run as a formula are quoted as text. */
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
