import {readFileSync, writeFileSync} from 'node:fs';
import {expect, it} from 'vitest';
import {referenceTable} from '../../../src/sim/scenario/schema/reference.js';

const page = 'docs/scenario.md';
const table = /(<!-- keys -->\n)[\s\S]*(<!-- \/keys -->)/;

it('the table of keys in the documentation is the one made from the schema (UPDATE_DOCS=1 writes it)', () => {
  const text = readFileSync(page, 'utf8');
  const updated = text.replace(table, (_all, start: string, end: string) => `${start}${referenceTable()}${end}`);
  if (process.env.UPDATE_DOCS === '1') writeFileSync(page, updated);
  else expect(text).toBe(updated);
  expect(updated).toContain('| `slo.ttft` |');
});
