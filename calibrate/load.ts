import {existsSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {builtinLlm, llmNames} from '../src/models/llms/index.js';
import type {Llm} from '../src/models/llms/llm.js';
import {InputError} from '../src/sim/core/errors.js';
import {gunzip} from '../src/sim/traces/load.js';
import {kernelTables} from './tables/index.js';
import {type KernelTable, type Measurement, readCsv, rowsOf, type TableContext, tableFor} from './tables/table.js';

/** A kernel table that was read. */
export interface LoadedTable {
  readonly file: string;
  readonly kind: KernelTable;
  readonly source: string;
  readonly measurements: readonly Measurement[];
}

/** What the command line may say where a file does not. */
export interface TableHints {
  readonly model?: string;
  readonly tensor?: number;
}

/** Reads a kernel table, packed with gzip or not. Throws InputError with file, line and column on anything that is not one. */
export function loadTable(path: string, hints: TableHints = {}): LoadedTable {
  return readTable(new TextDecoder().decode(gunzip(bytesOf(path), path)), path, {...neighbours(path), ...hints});
}

/** Reads the text of a kernel table. */
export function readTable(text: string, file: string, hints: TableHints & {readonly engine?: string} = {}): LoadedTable {
  const csv = readCsv(text, file);
  const kind = tableFor(kernelTables, csv, file);
  const context: TableContext = {
    file,
    constants: csv.constants,
    source: csv.source ?? file,
    model: hints.model === undefined ? null : modelNamed(hints.model),
    tensor: hints.tensor ?? 1,
    engine: hints.engine ?? null,
  };
  const measurements: Measurement[] = [];
  for (const row of rowsOf(csv, file)) for (const entry of kind.measurements(row, context)) measurements.push({...entry, line: row.line});
  return {file, kind, source: context.source, measurements};
}

function bytesOf(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    const missing = (error as {code?: string}).code === 'ENOENT';
    throw new InputError(`${path} cannot be read: ${missing ? 'there is no such file' : (error as Error).message}`);
  }
}

/** LLMServingSim keeps model, split and engine in the folders above a table: …/ORG/MODEL/VARIANT/tp1/dense.csv, with meta.yaml in VARIANT. */
function neighbours(path: string): TableHints & {engine?: string} {
  const folders = /([^/]+)\/([^/]+)\/tp(\d+)\/[^/]+$/.exec(path);
  if (folders === null) {
    const bare = /([^/]+)\/tp(\d+)\/[^/]+$/.exec(path);
    return bare === null ? {} : {model: bare[1], tensor: Number(bare[2])};
  }
  const meta = join(dirname(dirname(path)), 'meta.yaml');
  const hasVariant = existsSync(meta) || !llmNames.some((name) => isModel(name, folders[2]));
  const engine = existsSync(meta) ? /^vllm_version: *(\S+)/m.exec(readFileSync(meta, 'utf8'))?.[1] : undefined;
  return {
    model: hasVariant ? folders[1] : folders[2],
    tensor: Number(folders[3]),
    ...(engine === undefined ? {} : {engine: `vllm ${engine}`}),
  };
}

/** `meta-llama/Llama-3.1-8B` and `Llama-3.1-8B-Instruct` are `llama-3.1-8b`: the longest built-in name that it starts with. */
function modelNamed(text: string): Llm {
  const found = llmNames.filter((name) => isModel(name, text)).sort((a, b) => b.length - a.length)[0];
  return builtinLlm(found ?? text);
}

function isModel(name: string, text: string): boolean {
  const plain = text.split('/').at(-1)!.toLowerCase();
  return plain === name || plain.startsWith(`${name}-`);
}
