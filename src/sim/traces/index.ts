import {InputError} from '../core/errors.js';
import {lookup} from '../core/registry.js';
import {assemble} from './assemble.js';
import {azure} from './azure.js';
import {Columns} from './columns.js';
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
  const head = firstLine(lines, file);
  const name = format === undefined ? formatOf(head, file) : named(format, head, file);
  const reader: TraceReader = traceReaders[name];
  const fail = (field: string, rule: string): never => lines.fail(reader.column(lines.text, field, head), `${field}: ${rule}`);
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
