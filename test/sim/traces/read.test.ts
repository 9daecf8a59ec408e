import {readdirSync, readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {InputError} from '../../../src/sim/core/errors.js';
import {readTrace, type TraceFormat, traceReaders} from '../../../src/sim/traces/index.js';
import {noSharedData, sharedData} from '../../support/shared-data.js';
import {mooncakeText} from '../../support/traces.js';

const folder = 'test/golden/traces';
const golden = (name: string) => readTrace(readFileSync(`${folder}/${name}`), name);
const bytes = (text: string) => new TextEncoder().encode(text);
const seconds = (times: Float64Array) => [...times].map((time) => time / 1e9);

/** The lines of the InputError that reading `text` ends in. */
function faultOf(text: string, file = 't', format?: string): string {
  try {
    readTrace(bytes(text), file, format);
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return (error as Error).message;
  }
  throw new Error('it was read without a fault');
}

describe('every format', () => {
  const samples: Record<TraceFormat, string> = {
    azure: 'azure-2023.csv',
    'kv-cache-tester': 'kv-cache-tester.jsonl',
    'lmcache-agent': 'lmcache-agent.jsonl',
    mooncake: 'mooncake.jsonl',
  };

  it.each(Object.entries(samples))('%s is found by content, and reads the same when it is named', (format, name) => {
    const file = readFileSync(`${folder}/${name}`);
    expect(readTrace(file, name).format).toBe(format);
    expect(readTrace(file, name, format)).toEqual(readTrace(file, name));
  });

  it.each(Object.entries(samples))('%s: only its own reader claims a file', (format, name) => {
    const head = readFileSync(`${folder}/${name}`, 'utf8').split('\n')[0];
    expect(Object.entries(traceReaders).filter(([, reader]) => reader.matches(head))).toEqual([[format, expect.anything()]]);
  });

  const inOrder = Object.entries(samples).filter(([format]) => !traceReaders[format as TraceFormat].bySession);
  it.each(inOrder)('%s: rows out of order are refused with file, line and column', (_format, name) => {
    const lines = readFileSync(`${folder}/${name}`, 'utf8').trim().split('\n');
    const last = lines.length - 1;
    [lines[last - 3], lines[last]] = [lines[last], lines[last - 3]];
    expect(faultOf(lines.join('\n'), name)).toMatch(new RegExp(`^${name}:\\d+:\\d+ (timestamp|t_us): [\\d.]+ s before the row above`, 'i'));
  });

  it.each(readdirSync(folder))('%s reads the same with Windows line ends, a byte order mark and empty lines at the end', (name) => {
    const text = readFileSync(`${folder}/${name}`, 'utf8').replaceAll('\r', '');
    expect(readTrace(bytes(`\uFEFF${text.replaceAll('\n', '\r\n')}\r\n\n`), name)).toEqual(readTrace(bytes(text), name));
  });
});

it('mooncake: ms, lengths, and one id per 512 prompt tokens', () => {
  const trace = golden('mooncake.jsonl');
  expect(trace.rows).toBe(5);
  expect(seconds(trace.times)).toEqual([0, 0, 3, 3, 4.5]);
  expect([...trace.inputs]).toEqual([1200, 1024, 1600, 100, 1600]);
  expect([...trace.outputs]).toEqual([40, 7, 120, 1, 60]);
  expect(trace.blockSize).toBe(512);
  expect([...trace.offsets]).toEqual([0, 3, 5, 9, 10, 14]);
  expect([...trace.ids]).toEqual([0, 1, 2, 0, 1, 0, 1, 3, 4, 5, 0, 1, 3, 4]);
  expect(trace.distinct).toBe(6);
});

it('times count from the first row', () => {
  const trace = readTrace(
    bytes(
      mooncakeText([
        [1_700_000_000_000, 5, 1, [0]],
        [1_700_000_000_250, 5, 1, [0]],
      ]),
    ),
    't',
  );
  expect(seconds(trace.times)).toEqual([0, 0.25]);
});

it.each([
  ['small', [[7, 9], [9, 7, 8], [7]]],
  ['sparse', [[7e12, 9], [9, 7e12, 8], [7e12]]],
])('%s ids are renumbered in the order they are first seen', (_what, ids) => {
  const trace = readTrace(bytes(mooncakeText(ids.map((row, i) => [i, 512 * row.length, 1, row]))), 't');
  expect([...trace.ids]).toEqual([0, 1, 1, 0, 2, 0]);
  expect(trace.distinct).toBe(3);
});

it('azure 2023: seven digits of a second, over midnight', () => {
  const trace = golden('azure-2023.csv');
  expect([...trace.times]).toEqual([0, 750_000_100, 3.5e9, 3.5e9, 61.75e9]);
  expect([...trace.inputs]).toEqual([374, 396, 879, 91, 92]);
  expect([...trace.outputs]).toEqual([44, 109, 55, 16, 17]);
  expect(trace.blockSize).toBe(0);
  expect(trace.ids.length).toBe(0);
});

it('azure 2024: zones, and no fraction when it is 0', () => {
  expect([...golden('azure-2024.csv').times]).toEqual([0, 990_070_000, 1_490_070_000]);
});

it('azure 2025: ISO times, over a leap day, and images that it says are not read', () => {
  const trace = golden('azure-2025.csv');
  expect(seconds(trace.times)).toEqual([0, 86_400]);
  expect([...trace.inputs]).toEqual([770, 949]);
  expect(trace.notes).toContainEqual({code: 'unread_fields', text: 'not read: NumImages'});
});

it('says how many rows are tied when they are many, and nothing when they are few', () => {
  expect(golden('mooncake.jsonl').notes).toContainEqual({
    code: 'tied_timestamps',
    text: '2 of 5 rows share the time of the row before (steps of about 3 s): replaying as it is invents bursts → dequantise: uniform',
  });
  expect(golden('azure-2024.csv').notes.map(({code}) => code)).toEqual(['time_unit']);
});

const row = (fields: object) => JSON.stringify({timestamp: 0, input_length: 9300, output_length: 5, ...fields});
const good = '{"timestamp": 5, "input_length": 5, "output_length": 5, "hash_ids": [1]}';

it.each([
  ['', 't holds no request'],
  ['\n \n', 't holds no request'],
  ['TIMESTAMP,ContextTokens,GeneratedTokens\n', 't holds no request'],
  ['time,tokens\n1,2', 't:1 no known trace format begins with "time,tokens"; known: azure, kv-cache-tester, lmcache-agent, mooncake'],
  ['\u001b[31m', 't:1 no known trace format begins with "\\u001b[31m"; known: azure, kv-cache-tester, lmcache-agent, mooncake'],
  [
    `${good}\n${row({timestamp: 6, hash_ids: [...Array(12).keys()]})}`,
    't:2:54 hash_ids: 12 ids cover 6,144 of 9,300 prompt tokens; ceil(9300 / 512) = 19 are needed',
  ],
  [`${good}\n${row({timestamp: 3, hash_ids: []})}`, 't:2:2 timestamp: 0.002 s before the row above; rows are in order of time'],
  [row({timestamp: 0.5, hash_ids: []}), 't:1:2 timestamp: 0.5 is no whole number of milliseconds'],
  [row({input_length: 12.5}), 't:1:16 input_length: 12.5 is no whole number'],
  [row({input_length: '12'}), 't:1:16 input_length: "12" is no whole number'],
  [row({input_length: 0}), 't:1:16 input_length: 0 tokens; a request has at least 1'],
  [row({input_length: 3e9}), 't:1:16 input_length: 3000000000 tokens are more than a request can have (2147483647)'],
  [row({output_length: -1}), 't:1:36 output_length: -1 tokens; a request has at least 1'],
  [`${good}\n{"input_length": 5, "output_length": 5}`, 't:2 timestamp: missing'],
  [row({hash_ids: [1, 2.5]}), 't:1:54 hash_ids: 2.5 is no id; ids are whole numbers from 0 to 2^53 - 1'],
  ['{"timestamp": 0, "input_length": 5, "output_length": 5, "hash_ids": [18446744073709551615]}', expect.stringContaining('is no id')],
  [
    `${good}\n{"timestamp": 5, "input_length": 5, "output_length": 5}`,
    't:2 hash_ids: missing, but in the rows above; all rows have them or none',
  ],
  [`${good}\n{"timestamp": 5, `, expect.stringMatching(/^t:2 row: not JSON \(/)],
  [`${good}\n[1]`, 't:2 row: not a JSON object'],
])('%# refuses in one line: %j', (text, message) => {
  expect(faultOf(text)).toEqual(message);
});

const header = 'TIMESTAMP,ContextTokens,GeneratedTokens\n';
it.each([
  ['2023-11-16 18:15:46.68,374', 't:2 row: 2 cells under a header of 3'],
  ['2023-11-31 18:15:46.68,374,44', 't:2:1 TIMESTAMP: "2023-11-31 18:15:46.68" is no time like 2023-11-16 18:15:46.6805900'],
  ['2023-11-16 18:15:60,374,44', 't:2:1 TIMESTAMP: "2023-11-16 18:15:60" is no time like 2023-11-16 18:15:46.6805900'],
  ['1700158546,374,44', 't:2:1 TIMESTAMP: "1700158546" is no time like 2023-11-16 18:15:46.6805900'],
  ['2023-11-16 18:15:46.68,-3,44', 't:2:24 ContextTokens: "-3" is no whole number of tokens'],
  ['2023-11-16 18:15:46.68,374,0', 't:2:28 GeneratedTokens: 0 tokens; a request has at least 1'],
])('azure refuses %s', (line, message) => {
  expect(faultOf(header + line)).toBe(message);
});

it('refuses a format that is not known, and one that the file does not have', () => {
  expect(faultOf(good, 't', 'moncake')).toBe(
    'unknown trace format "moncake" (did you mean "mooncake"?); known: azure, kv-cache-tester, lmcache-agent, mooncake',
  );
  expect(faultOf(good, 't', 'azure')).toMatch(/^t:1 does not begin like the format azure/);
});

it('reads lines longer than its chunks, and refuses one of more than 16 MiB', () => {
  const padded = (length: number) =>
    `{"pad": "${'x'.repeat(length)}", "timestamp": 5, "input_length": 5, "output_length": 5, "hash_ids": [1]}`;
  const long = readTrace(bytes([good, padded(300_000), good, padded(100_000)].join('\n')), 't');
  expect(long.rows).toBe(4);
  const text = [good, padded(2 ** 24), good].join('\n');
  expect(faultOf(text)).toBe(`t:2 line: it is ${padded(2 ** 24).length} bytes long; a row has at most 16777216 (16 MiB)`);
});

it('reads lines that a chunk ends in just like others', () => {
  const rows = Array.from({length: 5000}, (_, i): [number, number, number, number[]] => [i, 512, 1 + (i % 977), [i]]);
  const trace = readTrace(bytes(mooncakeText(rows)), 't');
  expect([...trace.outputs]).toEqual(rows.map(([, , output]) => output));
});

describe.skipIf(noSharedData !== null)(`recorded traces${noSharedData === null ? '' : ` (skipped: ${noSharedData})`}`, () => {
  it('Mooncake conversation: 12,031 rows, 288,500 ids, 182,790 of them distinct', () => {
    const trace = readTrace(sharedData('traces/mooncake_conversation.jsonl.gz'), 'm');
    expect([trace.format, trace.rows, trace.ids.length, trace.distinct, trace.times.at(-1)]).toEqual([
      'mooncake',
      12_031,
      288_500,
      182_790,
      3_536_999e6,
    ]);
    expect(trace.notes.find(({code}) => code === 'tied_timestamps')?.text).toContain(
      '10,851 of 12,031 rows share the time of the row before',
    );
  });

  it('Azure conversation 2023: 19,366 rows', () => {
    const trace = readTrace(sharedData('traces/azure_llm_2023_conv.csv.gz'), 'a');
    expect([trace.format, trace.rows, trace.blockSize, trace.times[1]]).toEqual(['azure', 19_366, 0, 4_314_579_000]);
  });
});
