import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, afterEach, describe, expect, it, vi} from 'vitest';
import {parsePoints} from '../../calibrate/compare-forms.js';
import {run} from '../../src/cli.js';

const gemm = 'scenarios/examples/synthetic-gemm.csv';
const folder = mkdtempSync(join(tmpdir(), 'tiercast-calibrate-'));
afterAll(() => rmSync(folder, {recursive: true}));
afterEach(() => vi.restoreAllMocks());

/** Runs the command line with its output caught. */
async function caught(...argv: string[]): Promise<{code: number; out: string; err: string}> {
  const texts = {out: '', err: ''};
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    texts.out += text;
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    texts.err += text;
    return true;
  });
  const code = await run(argv);
  return {code, ...texts};
}

describe('tiercast calibrate import', () => {
  it('writes a profile and prints the error of each kernel', async () => {
    const out = join(folder, 'mine.profile.json');
    const {code, out: text} = await caught('calibrate', 'import', gemm, '--device', 'h100-sxm', '--out', out);
    expect(code).toBe(0);
    expect(text).toMatch(/^gemm\.bf16 +pnorm-grid +225 +0 /m);
    expect(text).toContain(`wrote ${out}`);
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({id: 'mine', extends: 'h100-sxm'});
  });

  it('--json prints the profile and nothing else', async () => {
    const out = join(folder, 'json.profile.json');
    const {out: text} = await caught('calibrate', 'import', gemm, '--device', 'h100-sxm', '--out', out, '--json');
    expect(text).toBe(readFileSync(out, 'utf8'));
    expect(Object.keys(JSON.parse(text).fits)).toEqual(['gemm.bf16']);
  });

  it.each([
    [['nowhere.csv', '--device', 'h100-sxm'], 'nowhere.csv cannot be read: there is no such file'],
    [[gemm, '--device', 'h100-sxn'], 'unknown device "h100-sxn" (did you mean "h100-sxm"?)'],
    [[gemm, '--device', 'h100-sxm', '--tensor', '1.5'], '--tensor: 1.5 is no whole number ≥ 1'],
    [['package.json', '--device', 'h100-sxm'], 'package.json:1 these columns are no kernel table that is known'],
  ])('%j ends with 2 and one line', async (argv, message) => {
    const {code, err} = await caught('calibrate', 'import', ...argv, '--out', join(folder, 'no.json'));
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('tiercast calibrate compare-forms', () => {
  it('prints the held-out error of each form: the smooth roofline beats the sharp one, both beat a forest of 50 points', async () => {
    const {code, out} = await caught('calibrate', 'compare-forms', gemm, '--points', '50', '--json');
    expect(code).toBe(0);
    const {rows} = JSON.parse(out) as {rows: {form: string; mape: number; n: number; trained: number}[]};
    expect(rows.map(({form}) => form)).toEqual(['max', 'pnorm', 'pnorm-grid', 'table', 'forest']);
    for (const {n, trained} of rows) expect([n, trained]).toEqual([175, 50]);
    const errors = Object.fromEntries(rows.map(({form, mape}) => [form, mape]));
    expect(errors['pnorm']).toBeLessThan(errors['max']);
    expect(errors['max']).toBeLessThan(errors['forest']);
    expect(errors['pnorm']).toBeLessThan(0.06);
  });

  it('aligns a table, progress apart from it', async () => {
    const {out, err} = await caught('calibrate', 'compare-forms', gemm, '--points', '20%', '--op', 'gemm');
    expect(out).toMatch(/^gemm\.bf16 pnorm +20 % +180 /m);
    expect(err).toBe('gemm.bf16: 225 samples\n');
  });

  it('an op that is not there is answered with those that are', async () => {
    const {code, err} = await caught('calibrate', 'compare-forms', gemm, '--op', 'moe');
    expect(code).toBe(2);
    expect(err).toContain('--op: no kernel is named moe; the tables have gemm.bf16');
  });

  it.each(['0', '2.5', '120%', 'many', '0%'])('--points %s is refused', (text) => {
    expect(() => parsePoints(text)).toThrow('--points: ');
  });

  it('--points takes numbers and shares', () => {
    expect(parsePoints('20%, 400')).toEqual([{share: 0.2}, {count: 400}]);
  });
});
