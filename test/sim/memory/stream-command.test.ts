import {spawnSync} from 'node:child_process';
import {closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {afterAll, beforeAll, expect, it} from 'vitest';

const MiB = 2 ** 20;
/** Heap that Node may have. */
const HEAP_MIB = 24;
const REQUESTS = 6000;
const BLOCKS = 8000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tiercast-stream-'));
});
afterAll(() => rmSync(folder, {recursive: true, force: true}));

/** Four prompts of 8,000 blocks each in turn: 32,000 different blocks, all of which lie between two uses of one. */
function writeTrace(path: string): void {
  const prompts = [0, 1, 2, 3].map((p) => Array.from({length: BLOCKS}, (_, i) => 100_000 + p * BLOCKS + i).join(','));
  const file = openSync(path, 'w');
  for (let i = 0; i < REQUESTS; i++)
    writeSync(file, `{"timestamp":${i},"input_length":${BLOCKS * 512},"output_length":1,"hash_ids":[${prompts[i % 4]}]}\n`);
  closeSync(file);
}

it('counts the hits of a trace ten times the heap, in memory that does not grow with it', {timeout: 300_000}, () => {
  const trace = join(folder, 'long.jsonl');
  writeTrace(trace);
  expect(statSync(trace).size).toBeGreaterThan(10 * HEAP_MIB * MiB);
  const usage = join(folder, 'usage.json');
  const {status, stdout, stderr} = spawnSync(
    process.execPath,
    [
      `--max-old-space-size=${HEAP_MIB}`,
      '--import',
      resolve('test/bench/usage.mjs'),
      resolve('dist/main.js'),
      ...['cache', trace, '--stream', '--policies', 'lru', '--sizes', '16000,32000', '--no-report', '--json'],
    ],
    {encoding: 'utf8', env: {...process.env, USAGE_FILE: usage}},
  );
  expect(status, stderr).toBe(0);
  const document = JSON.parse(stdout);
  expect(document.trace).toMatchObject({requests: REQUESTS, accesses: REQUESTS * BLOCKS, distinct_blocks: 4 * BLOCKS});
  // In 16,000 blocks each has left before it comes again; in 32,000 all stay.
  expect(document.policies[0].sizes.map(({hits}: {hits: number}) => hits)).toEqual([0, (REQUESTS - 4) * BLOCKS]);
  const {maxRSS} = JSON.parse(readFileSync(usage, 'utf8')); // KiB
  expect(maxRSS * 1024).toBeLessThan(statSync(trace).size / 2);
});
