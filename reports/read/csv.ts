import {InputError} from '../../src/sim/core/errors.js';

/** Columns of a CSV text by name. */
export interface CsvTable {
  readonly rows: number;
  /** The named column as it stands. Throws InputError when it is missing. */
  texts(column: string): readonly string[];
  /** The named column as numbers, NaN where a cell is empty. Throws InputError when it is missing or a cell is no number. */
  numbers(column: string): Float64Array;
}

/** Reads RFC 4180 text with a header; `file` is what errors name. */
export function readCsv(text: string, file: string): CsvTable {
  const [head, ...rows] = records(text, file);
  if (head === undefined) throw new InputError(`${file}: is empty; a header was expected`);
  rows.forEach((row, i) => {
    if (row.length !== head.length) throw new InputError(`${file}: row ${i + 1} has ${row.length} fields, the header ${head.length}`);
  });
  const place = (column: string) => {
    const at = head.indexOf(column);
    if (at < 0) throw new InputError(`${file}: has no column ${column}`);
    return at;
  };
  return {
    rows: rows.length,
    texts(column) {
      const at = place(column);
      return rows.map((row) => row[at]!);
    },
    numbers(column) {
      const at = place(column);
      return Float64Array.from(rows, (row, i) => number(row[at]!, `${file}: row ${i + 1}, ${column}`));
    },
  };
}

function number(text: string, where: string): number {
  if (text === '') return Number.NaN;
  const value = Number(text);
  if (!Number.isFinite(value) || text.trim() !== text) throw new InputError(`${where}: ${JSON.stringify(text.slice(0, 40))} is no number`);
  return value;
}

/** Records of fields. Fast where nothing is quoted, as in all that tiercast writes but unusual names. */
function records(text: string, file: string): string[][] {
  const trimmed = text.replace(/\r?\n$/, '');
  if (trimmed === '') return [];
  return trimmed.includes('"') ? quotedRecords(trimmed, file) : trimmed.split(/\r?\n/).map((line) => line.split(','));
}

function quotedRecords(text: string, file: string): string[][] {
  const found: string[][] = [[]];
  const field = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r?\n|$)/y;
  while (field.lastIndex <= text.length) {
    const match = field.exec(text);
    if (match === null) throw new InputError(`${file}: row ${found.length - 1} has a quote that is not closed, or text behind one`);
    const [, value, end] = match;
    found.at(-1)!.push(value!.startsWith('"') ? value!.slice(1, -1).replaceAll('""', '"') : value!);
    if (end === '') break;
    if (end !== ',') found.push([]);
  }
  return found;
}
