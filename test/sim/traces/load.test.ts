import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {afterAll, expect, it} from 'vitest';
import {loadTrace} from '../../../src/sim/traces/load.js';
import {mooncakeText} from '../../support/traces.js';

const folder = mkdtempSync(join(tmpdir(), 'tiercast-traces-'));
afterAll(() => rmSync(folder, {recursive: true}));

const rows = Array.from({length: 2000}, (_, i): [number, number, number, number[]] => [
  i * 7,
  600 + (i % 300),
  1 + ((i * 31) % 97),
  [0, i + 1],
]);
const text = mooncakeText(rows);

function written(name: string, bytes: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

it('reads a packed file like a plain one, whatever its name says', () => {
  const plain = loadTrace(written('plain.gz', text)).trace;
  expect(loadTrace(written('packed.jsonl', gzipSync(text))).trace).toEqual(plain);
  expect(plain.rows).toBe(2000);
});

it('gives the bytes of the file as they lie on the disk', () => {
  const packed = gzipSync(text);
  expect(Buffer.compare(Buffer.from(loadTrace(written('p.gz', packed)).bytes), packed)).toBe(0);
});

it('a stream that ends early is refused, with the number of whole rows', () => {
  const packed = gzipSync(text);
  const path = written('cut.jsonl.gz', packed.subarray(0, packed.length / 2));
  expect(() => loadTrace(path, 'cut.jsonl.gz')).toThrow(
    /^cut\.jsonl\.gz ends inside the gzip stream, after [\d,]+ whole rows; nothing was used$/,
  );
});

it('the header of a CSV is no row', () => {
  const lines = Array.from({length: 3}, (_, i) => `2023-11-16 18:15:0${i},5,5\n`).join('');
  const packed = gzipSync(`TIMESTAMP,ContextTokens,GeneratedTokens\n${lines}`);
  const path = written('cut.csv.gz', packed.subarray(0, packed.length - 4)); // only the length at the end is missing
  expect(() => loadTrace(path, 'c')).toThrow('c ends inside the gzip stream, after 3 whole rows; nothing was used');
});

it('a damaged stream is refused', () => {
  const packed = Uint8Array.from(gzipSync(text));
  packed.fill(0xff, 200, 240);
  expect(() => loadTrace(written('bad.gz', packed), 'bad.gz')).toThrow(/^bad\.gz is damaged inside its gzip stream: /);
});

it('a file that is not there, or a folder, is named', () => {
  expect(() => loadTrace(join(folder, 'nothing'), 'nothing')).toThrow('nothing cannot be read: there is no such file');
  expect(() => loadTrace(folder, 'folder')).toThrow('folder cannot be read: it is a folder');
});

it('refuses a file that unpacks to more than a trace can', () => {
  const bomb = gzipSync(Buffer.alloc(2 ** 25));
  expect(() => loadTrace(written('bomb.gz', bomb), 'bomb.gz')).toThrow(
    'bomb.gz unpacks to more than 200 times its size, which no trace does; unpack it first if it is one',
  );
});
