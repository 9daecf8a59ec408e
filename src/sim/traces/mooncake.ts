import type {Fail, TraceReader, TraceRow} from './reader.js';

const fields = {time: 'timestamp', input: 'input_length', output: 'output_length', ids: 'hash_ids'};
const known: readonly string[] = Object.values(fields);

/** Mooncake's JSON lines: ms from the start, lengths, and one prefix-inclusive id per 512 prompt tokens (kvcache-ai/Mooncake, FAST25-release). */
export const mooncake: TraceReader = {
  description: 'JSON lines of kvcache-ai/Mooncake: timestamp in ms, input_length, output_length, hash_ids per 512 tokens',
  blockSize: 512,
  unit: 'milliseconds from the start',
  fields,

  matches(head) {
    const row = parsed(head);
    return row !== null && fields.input in row && fields.output in row;
  },

  *read(lines, fail) {
    let start: number | null = null;
    for (const line of lines) {
      const {ms, ...rest} = row(line, fail);
      start ??= ms; // before the unit changes: ns since 1970 are too many for one number
      yield {time: (ms - start) * 1e6, ...rest};
    }
  },

  column(line, field) {
    return line.indexOf(`"${field}"`) + 1;
  },

  unread(head) {
    return Object.keys(parsed(head) ?? {}).filter((field) => !known.includes(field));
  },
};

function row(line: string, fail: Fail): Omit<TraceRow, 'time'> & {ms: number} {
  let row: Record<string, unknown>;
  try {
    row = JSON.parse(line);
  } catch (error) {
    return fail('row', `not JSON (${(error as Error).message})`);
  }
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return fail('row', 'not a JSON object');
  return {
    ms: number(row, fields.time, fail),
    input: number(row, fields.input, fail),
    output: number(row, fields.output, fail),
    ids: ids(row[fields.ids], fail),
  };
}

function number(row: Record<string, unknown>, field: string, fail: Fail): number {
  const value = row[field];
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  if (value === undefined) return fail(field, 'missing');
  return fail(field, `${JSON.stringify(value)} is no whole number${field === fields.time ? ' of milliseconds' : ''}`);
}

function ids(value: unknown, fail: Fail): readonly number[] | null {
  if (value === undefined) return null;
  if (!Array.isArray(value)) return fail(fields.ids, `${JSON.stringify(value)} is no list of ids`);
  for (const id of value) {
    if (!(Number.isSafeInteger(id) && id >= 0))
      return fail(fields.ids, `${JSON.stringify(id)} is no id; ids are whole numbers from 0 to 2^53 - 1`);
  }
  return value;
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
