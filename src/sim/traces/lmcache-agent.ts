import {idRuns, jsonObject, parsedObject, wholeNumber} from './json-rows.js';
import type {TraceReader} from './reader.js';

const fields = {time: 't_us', input: 'in_chars', output: 'out_chars', ids: 'h'};
const known: readonly string[] = [...Object.values(fields), 'session', 'agent'];

/** Characters of a token: the trace counts characters, and nobody tokenised it (assumed; English text has about 4). */
const CHARACTERS = 4;

/**
 * Chains of agent requests in three kinds (LMCache/lmcache-agent-trace): µs, characters, and prefix-inclusive ids per 64 characters, in runs.
 *
 * Ids stand for the same text in every session. When an answer ended was not recorded, so a request has a time and no gap.
 */
export const lmcacheAgent: TraceReader = {
  description: 'JSON lines of LMCache/lmcache-agent-trace chains: t_us, agent, session, in_chars, out_chars, h in runs per 64 characters',
  blockSize: 64 / CHARACTERS,
  partialIds: false,
  unit: 'microseconds; lengths are characters, 4 of them one token (assumed)',
  fields,

  matches(head) {
    const row = parsedObject(head);
    return row !== null && fields.time in row && fields.input in row;
  },

  *read(lines, fail) {
    let start: number | null = null;
    for (const line of lines) {
      const row = jsonObject(line, fail);
      const time = wholeNumber(row, fields.time, fail, ' of microseconds');
      start ??= time;
      yield {
        time: (time - start) * 1e3,
        input: Math.max(1, Math.floor(wholeNumber(row, fields.input, fail) / CHARACTERS)),
        output: Math.max(1, Math.floor(wholeNumber(row, fields.output, fail) / CHARACTERS)), // a tool call alone may have no text
        ids: {runs: idRuns(row[fields.ids], fields.ids, fail)},
        session: `${row.agent} ${row.session ?? fail('session', 'missing')}`,
        kind: String(row.agent ?? fail('agent', 'missing')),
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
