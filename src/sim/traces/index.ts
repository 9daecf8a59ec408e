import {InputError} from '../core/errors.js';
import {lookup} from '../core/registry.js';
import {assemble} from './assemble.js';
import {azure} from './azure.js';
import {Columns, checkCover} from './columns.js';
import {kvCacheTester} from './kv-cache-tester.js';
import {Lines, printable} from './lines.js';
import {lmcacheAgent} from './lmcache-agent.js';
import {mooncake} from './mooncake.js';
import type {TraceReader} from './reader.js';
import {tieNotes} from './ties.js';
import type {Trace} from './trace.js';

/** Every trace format by the name that scenario files use. */
export const traceReaders = {azure, 'kv-cache-tester': kvCacheTester, 'lmcache-agent': lmcacheAgent, mooncake} as const satisfies Record<
  string,
  TraceReader
>;

export type TraceFormat = keyof typeof traceReaders;

/**
 * Reads a whole trace from the bytes of an unpacked file; the format is found by its first line unless it is named.
 *
 * Any fault is an InputError that names file, line, column, field and rule; nothing is used then.
 */
export function readTrace(bytes: Uint8Array, file: string, format?: string): Trace {
  const lines = new Lines(bytes, file);
  const {name, reader, head, fail} = opened(lines, file, format);
  const columns = new Columns(reader, fail);
  for (const row of reader.read(lines, fail)) columns.add(row);
  if (columns.rows === 0) throw new InputError(`${file} holds no request`);
  const recorded = assemble(columns, name, reader);
  const unread = reader.unread(head);
  return {
    ...recorded,
    notes: [
      {code: 'time_unit', text: `${reader.fields.time} is read as ${reader.unit}`},
      ...tieNotes(recorded),
      ...(unread.length > 0 ? [{code: 'unread_fields', text: printable(`not read: ${unread.join(', ')}`)}] : []),
    ],
  };
}

/** The rows of a trace one after the other, without holding them; only traces with block ids. Faults are as those of `readTrace`. */
export function streamTrace(
  pieces: Iterable<Uint8Array>,
  file: string,
  format?: string,
): {readonly format: TraceFormat; readonly blockSize: number; rows(): Iterable<StreamedRow>} {
  const lines = new Lines(pieces, file);
  const {name, reader, fail} = opened(lines, file, format);
  if (reader.bySession)
    throw new InputError(
      `${file} goes session by session (format ${name}), so its requests are in order only when all are read; leave --stream out`,
    );
  return {
    format: name,
    blockSize: reader.blockSize,
    *rows() {
      for (const {time, input, ids} of reader.read(lines, fail)) {
        if (ids === null)
          throw new InputError(`${file} has no block ids (format ${name}), so nothing in it can hit; a Mooncake trace has them`);
        const each = 'runs' in ids ? ids.runs.flatMap(([first, count]) => Array.from({length: count}, (_, i) => first + i)) : ids;
        checkCover(reader, fail, input, each.length);
        yield {time, ids: each};
      }
    },
  };
}

/** What a stream of requests tells of one. */
export interface StreamedRow {
  /** ns from an origin of the reader's choice. */
  readonly time: number;
  /** As written. */
  readonly ids: readonly number[];
}

function opened(lines: Lines, file: string, format: string | undefined) {
  const head = firstLine(lines, file);
  const name = format === undefined ? formatOf(head, file) : named(format, head, file);
  const reader: TraceReader = traceReaders[name];
  const fail = (field: string, rule: string): never => lines.fail(reader.column(lines.text, field, head), `${field}: ${rule}`);
  return {name, reader, head, fail};
}

function firstLine(lines: Lines, file: string): string {
  for (const line of lines) return line;
  throw new InputError(`${file} holds no request`);
}

function formatOf(head: string, file: string): TraceFormat {
  for (const [name, reader] of Object.entries(traceReaders)) if (reader.matches(head)) return name as TraceFormat;
  const shown = printable(head.slice(0, 80));
  throw new InputError(`${file}:1 no known trace format begins with "${shown}"; known: ${Object.keys(traceReaders).join(', ')}`);
}

function named(format: string, head: string, file: string): TraceFormat {
  let reader: TraceReader;
  try {
    reader = lookup<TraceReader>('trace format', traceReaders, format);
  } catch (error) {
    throw new InputError((error as Error).message);
  }
  if (!reader.matches(head)) throw new InputError(`${file}:1 does not begin like the format ${format} (${reader.description})`);
  return format as TraceFormat;
}
