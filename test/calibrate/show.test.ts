import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, afterEach, describe, expect, it, vi} from 'vitest';
import {samplesByKernel} from '../../calibrate/fit-tables.js';
import {loadTable} from '../../calibrate/load.js';
import {peaksFor} from '../../calibrate/physics.js';
import {calibrationDocument} from '../../calibrate/show/document.js';
import {calibrationLines} from '../../calibrate/show/lines.js';
import {measuredKernels} from '../../calibrate/show/measured.js';
import {readSubject} from '../../calibrate/show/subject.js';
import {run} from '../../src/cli.js';
import {crossValidate} from '../../src/models/cost/fit/cross-validate.js';
import {forms} from '../../src/models/cost/fit/index.js';
import {builtinDevice} from '../../src/models/devices/index.js';
import {exampleProfile} from '../support/example-calibration.js';

const folder = mkdtempSync(join(tmpdir(), 'tiercast-show-'));
const toy = join(folder, 'toy.profile.json');
writeFileSync(toy, JSON.stringify(exampleProfile()));
const gemm = 'scenarios/examples/synthetic-gemm.csv';
afterAll(() => rmSync(folder, {recursive: true}));
afterEach(() => vi.restoreAllMocks());

async function caught(...argv: string[]): Promise<{code: number; out: string; err: string}> {
  const texts = {out: '', err: ''};
  for (const name of ['out', 'err'] as const) {
    vi.spyOn(process[`std${name}`], 'write').mockImplementation((text) => {
      texts[name] += text;
      return true;
    });
  }
  const code = await run(['calibrate', ...argv]);
  return {code, ...texts};
}

describe('the document of a profile', async () => {
  const document = calibrationDocument(await readSubject(toy), null);
  const op = (name: string) => document.ops.find((one) => one.op === name)!;

  it('evaluates a fit along one axis, in powers of two over its range', () => {
    const {along, points} = op('gemm.bf16');
    expect(along).toBe('m');
    expect(points.map(({shape}) => shape)).toEqual([
      [1, 4096, 4096],
      [2, 4096, 4096],
      [4, 4096, 4096],
    ]);
    // 2 × 4096² FLOP; 2 × (4096² + 2 × 4096) bytes, over 2000 GB/s, and 10 µs for the launch.
    expect(points[0].flops).toBe(2 * 4096 ** 2);
    expect(points[0].bytes).toBe(33_570_816);
    expect(points[0].seconds).toBeCloseTo(26.785_408e-6, 12);
  });

  it('the share of the peak is that of the roof, which is memory here: 33.6 MB take 10.04 of 26.81 µs', () => {
    expect(op('gemm.bf16').of_peak).toBeCloseTo(33_619_968 / 3.35e12 / 26.809_984e-6, 6);
    expect(op('all_reduce.nccl.2gpu.2pernode').of_peak).toBeNull();
    expect(op('add_rmsnorm.bf16').of_peak).toBeNull(); // may run from a cache
  });

  it('tells kernels that compute, that stream, and that cross a link', () => {
    expect(document.ops.map(({op: name, kind, dtype}) => [name, kind, dtype])).toEqual([
      ['gemm.bf16', 'compute', 'bf16'],
      ['gemm.fp8', 'compute', 'fp8'],
      ['add_rmsnorm.bf16', 'stream', 'bf16'],
      ['all_reduce.nccl.2gpu.2pernode', 'link', null],
    ]);
  });

  it('covers each operator and format by its own fit, that of the other 16-bit format, the base, or the datasheet', () => {
    const {ops, dtypes, cells} = document.coverage;
    const at = (name: string, dtype: string) => cells[ops.indexOf(name)][dtypes.indexOf(dtype)];
    expect(at('gemm', 'bf16')).toEqual({state: 'fitted', worst: 0.04, as: null});
    expect(at('gemm', 'fp16')).toEqual({state: 'fitted', worst: 0.04, as: 'bf16'});
    expect(at('attn.decode', 'bf16')).toEqual({state: 'inherited', worst: null, as: null});
    expect(at('moe', 'int8')).toEqual({state: 'datasheet', worst: null, as: null});
  });

  it('says none where the device has no peak for a format', async () => {
    const file = join(folder, 'none.profile.json');
    const {fits} = exampleProfile();
    writeFileSync(file, JSON.stringify({profile: 1, id: 'none', extends: 'a100-sxm-80gb', fits: {'gemm.fp8': fits['gemm.fp8']}}));
    const {coverage} = calibrationDocument(await readSubject(file), null);
    const at = (name: string) => coverage.cells[coverage.ops.indexOf(name)][coverage.dtypes.indexOf('fp8')].state;
    // An A100 has int8, which bounds fp8, but no fp4.
    expect([at('gemm'), at('moe'), at('attn.decode')]).toEqual(['fitted', 'datasheet', 'unused']);
    writeFileSync(file, JSON.stringify({profile: 1, id: 'none', extends: 'a100-sxm-80gb', fits: {'gemm.nvfp4': fits['gemm.fp8']}}));
    const fp4 = calibrationDocument(await readSubject(file), null).coverage;
    expect(fp4.cells[fp4.ops.indexOf('moe')][fp4.dtypes.indexOf('nvfp4')].state).toBe('none');
  });

  it('keeps the grade, the reasons and the dropped rows that the file states', () => {
    expect(document).toMatchObject({grade: 'B', reasons: ['made by hand', 'worst kernel: gemm.fp8 of Toy accelerator']});
    expect(document.dropped).toEqual([{kernel: 'gemm.bf16', reason: 'faster than the memory allows, says Toy accelerator', rows: 7}]);
  });

  it('grades a built-in device by its worst kernel', async () => {
    const {grade, reasons, ops} = calibrationDocument(await readSubject('h100-sxm'), null);
    const worst = Math.max(...ops.map(({error}) => error!.mape));
    expect(worst).toBeGreaterThan(0.1);
    expect(worst).toBeLessThan(0.2);
    expect(grade).toBe('C');
    expect(reasons[0]).toContain(`${(100 * worst).toFixed(1)} % mean error`);
  });

  it('a device without fits gets D, and the shares of the datasheet that it runs on', async () => {
    const document = calibrationDocument(await readSubject('mi300x'), null);
    expect(document).toMatchObject({grade: 'D', ops: []});
    expect(calibrationLines(document).join('\n')).toMatch(/^linear +0\.51 +0\.70 /m);
  });

  it('of an axis the range and of a source its number stand in the table', () => {
    const lines = calibrationLines(document).join('\n');
    expect(lines).toMatch(/^gemm\.bf16 +225 +4\.0 +8\.0 +0\.37 +m 1–4 +fitted +\[1\]$/m);
    expect(lines).toMatch(/^all_reduce\S+ +12 +3\.0 +6\.0 +– +bytes 977k–3\.81M +fitted +\[2\]$/m);
    expect(lines).toContain('[2] a hand-made table');
    expect(lines.split('\n').at(-1)).toBe('grade B: made by hand; worst kernel: gemm.fp8 of Toy accelerator');
  });
});

describe('held-out rows of tables', () => {
  it('come from fits with the knots of the profile, so that a coarse profile is not judged by a finer one', () => {
    const device = builtinDevice('h100-sxm');
    const [group] = samplesByKernel([loadTable(gemm)], device);
    const {kernel, samples} = group;
    const peaks = peaksFor(kernel, device)!;
    const errorWith = (grid: Record<string, number[]>) => crossValidate(forms['pnorm-grid'], kernel, samples, {peaks, grid})!.mape;
    const heldOutOf = (grid: Record<string, number[]>) => {
      const fitted = forms['pnorm-grid'].fit(kernel, samples, {peaks, grid});
      const fits = [{kernel, fitted, error: null, grade: 'fitted' as const, source: ''}];
      const subject = {device, base: null, fits, inherited: [], grade: 'B', reasons: [], backends: {}, dropped: []};
      return measuredKernels([group], subject)[0].held_out!.mape;
    };
    const [coarse, fine] = [{m: [1, 4096]}, {m: [1, 16, 256, 4096], n: [512, 16_384], k: [512, 16_384]}];
    expect(heldOutOf(coarse)).toBe(errorWith(coarse));
    expect(heldOutOf(fine)).toBe(errorWith(fine));
    expect(errorWith(fine)).not.toBeCloseTo(errorWith(coarse), 4);
  });
});

describe('tiercast calibrate show', () => {
  it('prints the table and writes page and document, equal each time', async () => {
    const out = join(folder, 'out');
    const first = await caught('show', toy, '--out', out);
    expect(first.code).toBe(0);
    expect(first.out).toContain('Toy accelerator (toy)');
    expect(first.err).toBe(`wrote ${join(out, 'calibration.html')}\n`);
    expect(readdirSync(out).sort()).toEqual(['calibration.html', 'calibration.json']);
    const page = readFileSync(join(out, 'calibration.html'), 'utf8');
    await caught('show', toy, '--out', out);
    expect(readFileSync(join(out, 'calibration.html'), 'utf8')).toBe(page);
  });

  it('--json prints the document and nothing else; --no-report writes nothing', async () => {
    const {out, err} = await caught('show', 'mi300x', '--json', '--no-report', '--out', join(folder, 'none'));
    expect(JSON.parse(out)).toMatchObject({schema: 'tiercast.calibration/1', id: 'mi300x', grade: 'D'});
    expect(err).toBe('');
    expect(readdirSync(folder)).not.toContain('none');
  });

  it('--data sets held-out points beside it, and the own fit where the profile has one', async () => {
    const profile = join(folder, 'fitted.profile.json');
    await caught('import', gemm, '--device', 'h100-sxm', '--out', profile);
    const {out, err} = await caught('show', profile, '--data', gemm, '--json', '--no-report');
    expect(err).toBe('gemm.bf16: cross-validating\n');
    const document = JSON.parse(out);
    const [kernel] = document.measured.kernels;
    expect(kernel).toMatchObject({kernel: 'gemm.bf16', rows: 225});
    // The same folds as at the import, so the same error; the own fit saw every row.
    expect(kernel.held_out.mape).toBeCloseTo(document.ops[0].error.mape, 4);
    expect(kernel.own.mape).toBeLessThan(kernel.held_out.mape / 5);
    expect(kernel.points).toHaveLength(225);
    const {ops, dtypes, cells} = document.coverage;
    expect(cells[ops.indexOf('gemm')][dtypes.indexOf('bf16')].state).toBe('measured');
  });

  it.each([
    [['nowhere.json'], 'nowhere.json cannot be read: there is no such file'],
    [['h100-sxn'], 'unknown device "h100-sxn" (did you mean "h100-sxm"?)'],
    [['h100-sxm', '--tensor', '0', '--data', gemm], '--tensor: 0 is no whole number ≥ 1'],
    [['h100-sxm', '--out', 'test'], '--out test holds'],
  ])('%j ends with 2 and one line', async (argv, message) => {
    const {code, err} = await caught('show', ...argv);
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });

  it('names the place of a fit that cannot be read', async () => {
    const file = join(folder, 'bad.profile.yaml');
    writeFileSync(file, 'extends: h100-sxm\nfits:\n  gemm.bf16: {form: max/1, P: 1 furlong, W: 1 TB/s, o: 1 us, p: 2, range: {}}\n');
    const {code, err} = await caught('show', file, '--no-report');
    expect(code).toBe(2);
    expect(err).toContain(`${file}:3:3`);
    expect(err).toContain('furlong');
  });
});
