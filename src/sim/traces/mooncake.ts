import {idList, jsonObject, parsedObject, wholeNumber} from './json-rows.js';
import type {TraceReader} from './reader.js';

const fields = {time: 'timestamp', input: 'input_length', output: 'output_length', ids: 'hash_ids'};
const known: readonly string[] = Object.values(fields);

/** Mooncake's JSON lines: ms from the start, lengths, and one prefix-inclusive id per 512 prompt tokens (kvcache-ai/Mooncake, FAST25-release). */
export const mooncake: TraceReader = {
  description: 'JSON lines of kvcache-ai/Mooncake: timestamp in ms, input_length, output_length, hash_ids per 512 tokens',
  blockSize: 512,
  partialIds: true,
  unit: 'milliseconds from the start',
  fields,

  matches(head) {
    const row = parsedObject(head);
    return row !== null && fields.input in row && fields.output in row;
  },

  *read(lines, fail) {
    let start: number | null = null;
    for (const line of lines) {
      const row = jsonObject(line, fail);
      const ms = wholeNumber(row, fields.time, fail, ' of milliseconds');
      start ??= ms; // before the unit changes: ns since 1970 are too many for one number
      yield {
        time: (ms - start) * 1e6,
        input: wholeNumber(row, fields.input, fail),
        output: wholeNumber(row, fields.output, fail),
        ids: row[fields.ids] === undefined ? null : idList(row[fields.ids], fields.ids, fail),
      };
    }
  },

  column(line, field) {
    return line.indexOf(`"${field}"`) + 1;
  },

  unread(head) {
    return Object.keys(parsedObject(head) ?? {}).filter((field) => !known.includes(field));
  },
};
