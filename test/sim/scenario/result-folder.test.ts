import {existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {csvText} from '../../../src/sim/scenario/commands/csv-text.js';
import {folderName, refuseForeign, writeResult} from '../../../src/sim/scenario/commands/result-folder.js';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'tiercast-test-'));
});
afterEach(() => {
  rmSync(parent, {recursive: true, force: true});
});

const result = (text: string) => ({name: 'result.json', text: [`{"schema": "tiercast.result/1", "text": "${text}"}`]});

describe('writeResult', () => {
  it('writes all files into a new folder, also below folders that are not there yet', async () => {
    await writeResult(join(parent, 'a', 'b'), [result('x'), {name: 'timeline.csv', text: ['1\n', '2\n']}]);
    expect(readdirSync(join(parent, 'a'))).toEqual(['b']);
    expect(readdirSync(join(parent, 'a', 'b')).sort()).toEqual(['result.json', 'timeline.csv']);
    expect(readFileSync(join(parent, 'a', 'b', 'timeline.csv'), 'utf8')).toBe('1\n2\n');
  });

  it('replaces an earlier result, with what that had more', async () => {
    await writeResult(join(parent, 'r'), [result('old'), {name: 'requests.csv', text: ['1']}]);
    await writeResult(join(parent, 'r'), [result('new')]);
    expect(readdirSync(parent)).toEqual(['r']);
    expect(readdirSync(join(parent, 'r'))).toEqual(['result.json']);
    expect(readFileSync(join(parent, 'r', 'result.json'), 'utf8')).toContain('new');
  });

  it('leaves the earlier result and nothing else when a file cannot be written whole', async () => {
    await writeResult(join(parent, 'r'), [result('old')]);
    const breaks = (function* () {
      yield 'half';
      throw new Error('broken');
    })();
    await expect(writeResult(join(parent, 'r'), [result('new'), {name: 'requests.csv', text: breaks}])).rejects.toThrow('broken');
    expect(readdirSync(parent)).toEqual(['r']);
    expect(readFileSync(join(parent, 'r', 'result.json'), 'utf8')).toContain('old');
  });
});

describe('refuseForeign', () => {
  it.each([
    ['a foreign file', {'notes.txt': 'mine'}, 'holds "notes.txt"'],
    ['a result beside a foreign file', {'result.json': '{"schema": "tiercast.result/1"}', 'notes.txt': ''}, 'holds "notes.txt"'],
    ["somebody else's result.json", {'result.json': '{"schema": "other/1"}'}, 'holds no result of ours'],
    ['a result.json that is no JSON', {'result.json': 'hello'}, 'holds no result of ours'],
    ['a timeline.csv alone', {'timeline.csv': ''}, 'holds no result of ours'],
  ])('refuses a folder with %s', (_what, files: Record<string, string>, message) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(parent, name), text);
    expect(() => refuseForeign(parent)).toThrow(message);
    expect(readdirSync(parent).sort()).toEqual(Object.keys(files).sort());
  });

  it('refuses a file', () => {
    writeFileSync(join(parent, 'file'), '');
    expect(() => refuseForeign(join(parent, 'file'))).toThrow('is no folder');
  });

  it('refuses a place below a file, or where nothing can be made', async () => {
    writeFileSync(join(parent, 'file'), '');
    expect(() => refuseForeign(join(parent, 'file', 'below'))).toThrow('file is a file');
    await expect(writeResult('/proc/tiercast', [result('x')])).rejects.toThrow('/proc/tiercast cannot be written');
  });

  it('takes a free place and an empty folder', () => {
    mkdirSync(join(parent, 'empty'));
    expect(() => refuseForeign(join(parent, 'empty'))).not.toThrow();
    expect(() => refuseForeign(join(parent, 'free'))).not.toThrow();
    expect(existsSync(join(parent, 'free'))).toBe(false);
  });
});

it.each([
  ['h100-chat', 'h100-chat'],
  ['../../etc', 'etc'],
  ['</script><img src=x onerror=alert(1)>', 'script-img-src-x-onerror-alert-1'],
  ['größe 7', 'größe-7'],
  ['..', 'result'],
])('a scenario named %s writes into %s', (name, folder) => expect(folderName(name)).toBe(folder));

describe('csvText', () => {
  it('quotes what needs it and keeps a spreadsheet from running a formula', () => {
    const rows = [
      ['name', 'value'],
      ['=cmd()', -1],
      ['@x', 0.5],
      ['a,b', ''],
      ['"', 2],
    ];
    expect([...csvText(rows)].join('')).toBe('name,value\n\'=cmd(),-1\n\'@x,0.5\n"a,b",\n"""",2\n');
  });

  it('gives pieces of a hundred rows, so that no table is ever one text', () => {
    const pieces = [...csvText(Array.from({length: 250}, (_, i) => [i]))];
    expect(pieces.map((piece) => piece.split('\n').length - 1)).toEqual([100, 100, 50]);
  });
});

it('a place that is no folder is refused before the run: no name, a link that leads nowhere', () => {
  symlinkSync(join(parent, 'nowhere'), join(parent, 'link'));
  expect(() => refuseForeign('')).toThrow('--out "" is no folder; name one');
  expect(() => refuseForeign(join(parent, 'link'))).toThrow(/link is no folder; name one$/);
});
