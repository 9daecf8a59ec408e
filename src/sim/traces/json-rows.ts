import type {Fail} from './reader.js';

type Fields = Readonly<Record<string, unknown>>;

/** The JSON object in a line; anything else stops the reading. */
export function jsonObject(line: string, fail: Fail): Fields {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return fail('row', `not JSON (${(error as Error).message})`);
  }
  return isObject(value) ? value : fail('row', 'not a JSON object');
}

/** The JSON object in a line, or null. */
export function parsedObject(line: string): Fields | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A whole number; `of` completes "is no whole number": ` of milliseconds`. */
export function wholeNumber(row: Fields, field: string, fail: Fail, of = ''): number {
  const value = row[field];
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  return fail(field, value === undefined ? 'missing' : `${JSON.stringify(value)} is no whole number${of}`);
}

/** A list of ids, one a block. */
export function idList(value: unknown, field: string, fail: Fail): readonly number[] {
  if (!Array.isArray(value)) return fail(field, `${JSON.stringify(value)} is no list of ids`);
  for (const id of value) {
    if (!(Number.isSafeInteger(id) && id >= 0))
      return fail(field, `${JSON.stringify(id)} is no id; ids are whole numbers from 0 to 2^53 - 1`);
  }
  return value;
}

/** Runs of ids: `[[first, count], …]`. */
export function idRuns(value: unknown, field: string, fail: Fail): readonly (readonly [number, number])[] {
  if (!Array.isArray(value)) return fail(field, `${JSON.stringify(value)} is no list of [first id, count]`);
  for (const run of value) {
    const [first, count] = Array.isArray(run) && run.length === 2 ? run : [];
    if (!(Number.isSafeInteger(first) && first >= 0 && Number.isSafeInteger(count) && count >= 1 && count <= MOST_IN_A_RUN))
      return fail(field, `${JSON.stringify(run)} is no [first id, count] of whole numbers, the count at least 1`);
  }
  return value;
}

/** More blocks than any prompt has: a longer run is a mistake that would fill the memory. */
const MOST_IN_A_RUN = 2 ** 24;
