import {spawnSync} from 'node:child_process';
import {copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';

const program = resolve('dist/main.js');
const scenario = `model: llama-3.1-8b
hardware: {device: h100-sxm}
engine: vllm
workload: {kind: chat, arrivals: 2 session/s}
slo: {ttft: 500 ms, tpot: 50 ms}
run: {requests: 120, replications: 2}
report: {sample: 50}
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tiercast-report-'));
  writeFileSync(join(folder, 'chat.yaml'), scenario);
  expect(tiercast('run', 'chat.yaml', '--out', 'ran', '-q')).toMatchObject({status: 0, stdout: ''});
});
afterAll(() => rmSync(folder, {recursive: true, force: true}));

function tiercast(...args: string[]): {status: number | null; stdout: string; stderr: string} {
  const {status, stdout, stderr} = spawnSync(program, args, {cwd: folder, encoding: 'utf8', env: {...process.env, NO_COLOR: '1'}});
  return {status, stdout, stderr};
}

/** A copy of the result, with files changed or (null) removed. */
function result(name: string, change: Readonly<Record<string, string | null>> = {}): string {
  cpSync(join(folder, 'ran'), join(folder, name), {recursive: true});
  for (const [file, text] of Object.entries(change)) {
    if (text === null) rmSync(join(folder, name, file));
    else writeFileSync(join(folder, name, file), text);
  }
  return name;
}

const read = (...path: string[]) => readFileSync(join(folder, ...path), 'utf8');

describe('tiercast report', () => {
  it('writes the page again to the byte, from the folder or from result.json', () => {
    const again = result('again', {'report.html': null});
    expect(tiercast('report', again)).toEqual({status: 0, stdout: '', stderr: 'wrote       again/report.html\n'});
    expect(read('again/report.html')).toBe(read('ran/report.html'));
    expect(tiercast('report', 'again/result.json', '--out', 'page.html', '-q')).toEqual({status: 0, stdout: '', stderr: ''});
    expect(read('page.html')).toBe(read('ran/report.html'));
    expect(readdirSync(join(folder, 'again')).sort()).toEqual(['report.html', 'requests.csv', 'result.json', 'timeline.csv']);
  });

  it('prints one JSON document with --json', () => {
    const {stdout} = tiercast('report', result('json'), '--json');
    expect(JSON.parse(stdout)).toEqual({pages: [{name: 'chat', page: 'json/report.html'}]});
  });

  it('draws what is there when a table is missing, and says what is not', () => {
    const {status, stderr} = tiercast('report', result('less', {'requests.csv': null, 'timeline.csv': null}));
    expect(status).toBe(0);
    expect(stderr).toContain('warning     less/requests.csv is missing: the page shows less\n');
    expect(stderr).toContain('warning     less/timeline.csv is missing: the page shows less\n');
    expect(read('less/report.html')).toContain('Only these percentiles are known');
  });

  it.each([
    ['a result that is not there', () => 'nowhere', /^nowhere: does not exist; `tiercast run SCENARIO` writes one\n$/],
    ['text that is no JSON', () => result('text', {'result.json': '{"schema":\n"tier'}), /^text\/result\.json: is no JSON: [^\n]+\n$/],
    [
      'another schema',
      () => result('other', {'result.json': '{"schema": "tiercast.sweep/1"}'}),
      /^other\/result\.json: has the schema "tiercast\.sweep\/1"; [^\n]+\n$/,
    ],
    [
      'a cut table',
      () => result('cut', {'requests.csv': read('ran/requests.csv').slice(0, 5000)}),
      /^cut\/requests\.csv: row \d+ has \d+ fields, the header 27\n$/,
    ],
    [
      'a table of text',
      () => result('word', {'timeline.csv': read('ran/timeline.csv').replace(/\n0,/, '\nnoon,')}),
      /^word\/timeline\.csv: row 1, time_s: "noon" is no number\n$/,
    ],
    ['bytes that are no text', () => broken('bytes'), /^bytes\/result\.json: cannot be read: [^\n]+\n$/],
  ])('refuses %s with one line and exit code 2, and writes nothing', (_what, make, line) => {
    const name = make();
    rmSync(join(folder, name, 'report.html'), {force: true});
    const {status, stdout, stderr} = tiercast('report', name);
    expect(stderr).toMatch(line);
    expect({status, stdout}).toEqual({status: 2, stdout: ''});
    expect(existsSync(join(folder, name, 'report.html'))).toBe(false);
  });

  it('draws none of several results when one of them is malformed', () => {
    const good = result('good', {'report.html': null});
    expect(tiercast('report', good, result('bad', {'result.json': '{'})).status).toBe(2);
    expect(existsSync(join(folder, good, 'report.html'))).toBe(false);
  });

  it('does not replace a file that is no report page, nor write where no folder is', () => {
    copyFileSync(join(folder, 'chat.yaml'), join(folder, 'mine.html'));
    expect(tiercast('report', 'ran', '--out', 'mine.html')).toMatchObject({
      status: 2,
      stderr: 'mine.html: exists and is no report page; name another file\n',
    });
    expect(read('mine.html')).toBe(scenario);
    expect(tiercast('report', 'ran', '--out', 'no/where.html')).toMatchObject({
      status: 2,
      stderr: 'no/where.html: its folder does not exist\n',
    });
    expect(tiercast('report', 'ran', 'ran', '--out', 'one.html')).toMatchObject({status: 2});
  });
});

it('a scenario that asks for a panel that the page does not have is refused', () => {
  writeFileSync(join(folder, 'panel.yaml'), `${scenario.replace('report: {sample: 50}', 'report: {panels: [hits, speed]}')}`);
  expect(tiercast('run', 'panel.yaml', '--out', 'panel')).toMatchObject({
    status: 2,
    stderr:
      'panel.yaml:7:18 report.panels: unknown panel "speed"; known: all, memory, latency, over-time, bounds, moved, prefetch, wear, hits, load-or-compute, worth, goals, trust, reproduce\n',
  });
});

/** A folder whose result.json is not UTF-8. */
function broken(name: string): string {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, 'result.json'), Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
  return name;
}
