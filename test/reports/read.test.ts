import {describe, expect, it} from 'vitest';
import {renderReport} from '../../reports/index.js';
import {readCsv} from '../../reports/read/csv.js';
import {type NamedText, reportFromFiles} from '../../reports/read/files.js';
import {readDocument} from '../../reports/read/schema.js';
import {canonicalJson} from '../../src/sim/scenario/canonical.js';
import {reportData, timelinesOf} from '../../src/sim/scenario/report-data.js';
import type {Report} from '../../src/sim/scenario/result.js';
import {summarise} from '../../src/sim/scenario/summarise.js';
import {requestTable, type TableRow, timelineTable} from '../../src/sim/scenario/tables.js';
import {exampleReport} from '../support/example-report.js';
import {pageParts} from '../support/page-parts.js';
import {runRecord} from '../support/records.js';
import {toyPlan, toyScenario} from '../support/scenarios.js';

const csv = (rows: Iterable<TableRow>) => `${[...rows].map((row) => row.join(',')).join('\n')}\n`;
const files =
  (texts: Readonly<Record<string, string>>) =>
  (name: string): NamedText | null =>
    name in texts ? {name, text: texts[name]!} : null;
const document = (text: string): NamedText => ({name: 'result.json', text});

describe('reportFromFiles', () => {
  // Thirds of a second are no round numbers: what the run knows, the files hold with nine digits.
  const rows = Array.from({length: 90}, (_, i) => ({
    arrival: i / 3,
    scheduled: i / 3 + 0.01,
    firstToken: i / 3 + 0.1 + i / 700,
    finished: i / 3 + 1 + i / 70,
    output: 1 + (i % 7),
    input: 100 + i,
  }));
  const record = runRecord(rows);
  const toy = toyScenario();
  const ran = toyScenario({
    run: {...toy.run, warmup: {kind: 'requests', value: 7}},
    report: {...toy.report, sample: 50},
    resolved: {report: {sample: 50}},
  });
  const result = summarise(ran, toyPlan, [record], {requestsFile: true});
  const report = reportData(ran, toyPlan, [record], result);
  const texts = {'requests.csv': csv(requestTable(record, ran.slo)), 'timeline.csv': csv(timelineTable(timelinesOf(toyPlan, record)))};

  it('reads what a run wrote back to a page of the same bytes', () => {
    const parts = pageParts();
    const again = reportFromFiles(document(canonicalJson(result)), files(texts));
    expect(again.sample.ttft).toHaveLength(50);
    expect(renderReport(again, parts)).toBe(renderReport(report, parts));
  });

  it('leaves empty what was not written', () => {
    const again = reportFromFiles(document(canonicalJson(result)), files({}));
    expect(again.sample.ttft).toHaveLength(0);
    expect(again.timeline.time_s).toHaveLength(0);
  });

  it.each([
    ['../requests.csv', 'result.json: files: "../requests.csv" is no name of a file beside it'],
    ['/etc/passwd', 'result.json: files: "/etc/passwd" is no name of a file beside it'],
  ])('does not follow the path %s', (requests, message) => {
    const text = canonicalJson({...result, files: {...result.files, requests}});
    expect(() => reportFromFiles(document(text), files(texts))).toThrow(message);
  });

  it('names a timeline that goes backwards, and a table that is too short', () => {
    const read = (change: Record<string, string>) => () => reportFromFiles(document(canonicalJson(result)), files({...texts, ...change}));
    const [head, first] = texts['timeline.csv'].split('\n');
    expect(read({'timeline.csv': [head, first, first].join('\n')})).toThrow('timeline.csv: row 2, time_s: 0 is not after the row before');
    expect(read({'requests.csv': texts['requests.csv'].split('\n').slice(0, 3).join('\n')})).toThrow('requests.csv: has 2 rows');
  });
});

describe('readDocument', () => {
  const valid = exampleReport().document;
  const changed = (change: object) => JSON.stringify({...valid, ...change});

  it('takes what run writes, and keys that a later version adds', () => {
    expect(readDocument(canonicalJson({...valid, later: 1}), 'r.json')).toMatchObject(JSON.parse(canonicalJson(valid)));
  });

  it.each([
    ['', 'r.json: is no JSON'],
    ['{"schema": "tiercast.result/1"', 'r.json: is no JSON'],
    ['null', 'r.json: has no schema; this version reads "tiercast.result/1"'],
    ['[]', 'r.json: has no schema'],
    [changed({schema: 'tiercast.result/2'}), 'r.json: has the schema "tiercast.result/2"'],
    [changed({metrics: {...valid.metrics, ttft_s: {...valid.metrics.ttft_s, p95: '1'}}}), 'r.json: metrics.ttft_s.p95: '],
    [changed({plan: {...valid.plan, terms: [{}]}}), 'r.json: plan.terms.0.name: '],
    [changed({trust: {grade: 'E', text: ''}}), 'r.json: trust.grade: '],
    [changed({verdict: undefined}), 'r.json: verdict: '],
  ])('refuses %.40s with one line that names the place', (text, message) => {
    const attempt = () => readDocument(text, 'r.json');
    expect(attempt).toThrow(message);
    expect(attempt).toThrow(/^[^\n]+$/);
  });
});

describe('readCsv', () => {
  it('reads numbers by column, empty as not applicable', () => {
    const table = readCsv('a,b\r\n1,\r\n2.5,-3e2\r\n', 't.csv');
    expect([...table.numbers('a')]).toEqual([1, 2.5]);
    expect([...table.numbers('b')]).toEqual([Number.NaN, -300]);
  });

  it('reads quoted fields with commas, quotes and line breaks in them', () => {
    const table = readCsv('name,"x"\n"a,""b""\nc",1\n"",2\nd,3\n', 't.csv');
    expect(table.rows).toBe(3);
    expect([...table.numbers('x')]).toEqual([1, 2, 3]);
  });

  it.each([
    ['', 't.csv: is empty'],
    ['a,b\n1\n', 't.csv: row 1 has 1 fields, the header 2'],
    ['b\n1\n', 't.csv: has no column a'],
    ['a\n1\nx\n', 't.csv: row 2, a: "x" is no number'],
    ['a\nInfinity\n', 't.csv: row 1, a: "Infinity" is no number'],
    ['a\n 1\n', 't.csv: row 1, a: " 1" is no number'],
    ['a\n"1\n', 't.csv: row 1 has a quote that is not closed'],
    ['a\n"1"2\n', 't.csv: row 1 has a quote'],
  ])('refuses %j: %s', (text, message) => {
    expect(() => readCsv(text, 't.csv').numbers('a')).toThrow(message);
  });
});

it('reads a report whose texts hold line breaks, quotes and formulas without shifting a column', () => {
  const report: Report = exampleReport({requests: 3, rows: 2});
  const head = 'request_id,class,arrival_s,ttft_s,tpot_s,e2e_s,input_tokens,output_tokens,hit_hbm_tokens,hit_dram_tokens,hit_ssd_tokens';
  const rows = [1, 2, 3].map((i) => `${i},"=cmd|'/c ""x""'\n",${i},0.${i},,1.${i},10,1,4,${i},`);
  const text = JSON.stringify({...report.document, files: {...report.document.files, measured_from_row: 1}});
  const again = reportFromFiles(document(text), files({'requests.csv': `${[head, ...rows].join('\n')}\n`}));
  expect([...again.sample.ttft]).toEqual([0.2, 0.3]);
  expect([...again.sample.tpot]).toEqual([Number.NaN, Number.NaN]);
  // Hits of all memories together; there is no SSD.
  expect([...again.sample.hitTokens]).toEqual([6, 7]);
});
