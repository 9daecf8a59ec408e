import type {Llm} from '../../src/models/llms/llm.js';
import {InputError} from '../../src/sim/core/errors.js';
import {nearest} from '../../src/sim/core/registry.js';

/** One measured kernel of a table, not yet checked. */
export interface Measurement {
  /** Name of the kernel, as `kernelNamed` knows it. */
  readonly kernel: string;
  /** The implementation that was measured, with the engine's version: two of them are not mixed. */
  readonly backend: string;
  readonly shape: readonly number[];
  /** As the table states it; may be anything. */
  readonly seconds: number;
  /** Line in the file, from 1. */
  readonly line: number;
}

/** What a file's name, its header and its neighbours say about all of its rows. */
export interface TableContext {
  readonly file: string;
  /** Columns that are equal in all rows and stand in the header comment, by name. */
  readonly constants: Readonly<Record<string, string>>;
  /** Where the table comes from: the `source=` of the header comment, or the file's name. */
  readonly source: string;
  /** Of the profiled model, for tables that name layers and not shapes. */
  readonly model: Llm | null;
  /** Devices that the layers were split over. */
  readonly tensor: number;
  /** For example `vllm 0.19.0`; null when nothing says it. */
  readonly engine: string | null;
}

/** A kind of kernel table: how it is told, which columns it has, what a row means. */
export interface KernelTable {
  /** For example `aiconfigurator gemm`. */
  readonly name: string;
  /** Unit of the times, for people. */
  readonly unit: 'ms' | 'us' | 'ns';
  /** Columns that every table of this kind has, in its rows or in its header. */
  readonly required: readonly string[];
  /** Columns that may stand there beside. */
  readonly optional: readonly string[];
  /** Values of columns that tell this kind from others with the same columns. */
  readonly when?: (row: Row) => boolean;
  /** The kernels that one row measured. */
  measurements(row: Row, context: TableContext): Omit<Measurement, 'line'>[];
}

/** The cells of one row by column; knows where it stands. */
export class Row {
  readonly #columns: ReadonlyMap<string, number>;
  readonly #constants: Readonly<Record<string, string>>;
  readonly #file: string;
  cells: readonly string[] = [];
  line = 0;

  constructor(columns: ReadonlyMap<string, number>, constants: Readonly<Record<string, string>>, file: string) {
    this.#columns = columns;
    this.#constants = constants;
    this.#file = file;
  }

  has(column: string): boolean {
    return this.#columns.has(column) || Object.hasOwn(this.#constants, column);
  }

  /** The text of a column, in the row or the same for all rows. */
  text(column: string): string {
    const index = this.#columns.get(column);
    if (index !== undefined) return this.cells[index];
    if (Object.hasOwn(this.#constants, column)) return this.#constants[column];
    return this.fail(column, 'the column is missing');
  }

  /** The number of a column; anything else stops the import. */
  number(column: string): number {
    const text = this.text(column);
    const value = text.trim() === '' ? Number.NaN : Number(text);
    return Number.isFinite(value) ? value : this.fail(column, `"${text}" is not a number`);
  }

  /** A time, which may be empty or no number: such rows are counted and dropped. */
  time(column: string): number {
    const text = this.text(column).trim();
    return text === '' ? Number.NaN : Number(text);
  }

  fail(column: string, what: string): never {
    throw new InputError(`${this.#file}:${this.line} ${column}: ${what}`);
  }
}

/** A CSV with a header, and the `# … const={…}` comment that may stand above it. */
export interface Csv {
  readonly columns: readonly string[];
  /** Line of the header, from 1. */
  readonly headerLine: number;
  readonly constants: Readonly<Record<string, string>>;
  readonly source: string | null;
  readonly lines: readonly string[];
}

/** Splits a kernel table into header and lines; cells have no quotes or commas. */
export function readCsv(text: string, file: string): Csv {
  const lines = text.replace(/\r/g, '').split('\n');
  const comment = lines[0].startsWith('#') ? lines[0] : '';
  const header = comment === '' ? 0 : 1;
  if ((lines[header] ?? '').trim() === '')
    throw new InputError(`${file}:${header + 1} there is no header; a kernel table names its columns`);
  return {
    columns: lines[header].split(','),
    headerLine: header + 1,
    constants: constantsOf(comment, file),
    source: /\bsource=(\S+)/.exec(comment)?.[1] ?? null,
    lines,
  };
}

function constantsOf(comment: string, file: string): Record<string, string> {
  const json = /\bconst=(\{.*\})/.exec(comment)?.[1];
  if (json === undefined) return {};
  try {
    return Object.fromEntries(Object.entries(JSON.parse(json) as object).map(([key, value]) => [key, String(value)]));
  } catch (error) {
    throw new InputError(`${file}:1 const=… is not JSON: ${(error as Error).message}`);
  }
}

/** The kind of table that these columns are. Throws InputError that names the column that is missing or unknown, with file and line. */
export function tableFor(kinds: readonly KernelTable[], csv: Csv, file: string): KernelTable {
  const present = new Set([...csv.columns, ...Object.keys(csv.constants)]);
  const missingOf = (kind: KernelTable) => kind.required.filter((column) => !present.has(column));
  const possible = kinds.filter((kind) => missingOf(kind).length === 0);
  const first = possible.length === 0 ? null : firstRow(csv, file);
  const complete = possible.filter((kind) => first === null || (kind.when?.(first) ?? true));
  const fits = complete.find((kind) => unknownColumns(kind, csv).length === 0);
  if (fits !== undefined) return fits;
  const where = `${file}:${csv.headerLine}`;
  const closest = (complete.length > 0 ? complete : [...kinds]).sort(
    (a, b) => missingOf(a).length / a.required.length - missingOf(b).length / b.required.length,
  )[0];
  const missing = missingOf(closest);
  if (missing.length > closest.required.length / 2) {
    throw new InputError(
      `${where} these columns are no kernel table that is known: ${csv.columns.join(',').slice(0, 160)}; known: ${kinds.map(({name}) => name).join(', ')}`,
    );
  }
  if (missing.length > 0) {
    const near = nearest(missing[0], csv.columns);
    throw new InputError(
      `${where} column "${missing[0]}" of a table of ${closest.name} is missing${near === null ? '' : ` (is it "${near}"?)`}`,
    );
  }
  const known = [...closest.required, ...closest.optional].join(', ');
  throw new InputError(`${where} column "${unknownColumns(closest, csv)[0]}" is unknown in a table of ${closest.name}; known: ${known}`);
}

function unknownColumns(kind: KernelTable, csv: Csv): string[] {
  return csv.columns.filter((column) => !kind.required.includes(column) && !kind.optional.includes(column));
}

function firstRow(csv: Csv, file: string): Row | null {
  for (const row of rowsOf(csv, file)) return row;
  return null;
}

/** The rows after the header; the same object each time. A row with more or fewer cells than columns stops the import. */
export function* rowsOf({columns, headerLine, constants, lines}: Csv, file: string): Iterable<Row> {
  const row = new Row(new Map(columns.map((name, i) => [name, i])), constants, file);
  for (let i = headerLine; i < lines.length; i++) {
    if (lines[i] === '') continue;
    row.cells = lines[i].split(',');
    row.line = i + 1;
    if (row.cells.length !== columns.length) {
      throw new InputError(`${file}:${row.line} ${row.cells.length} cells in a table of ${columns.length} columns`);
    }
    yield row;
  }
}
