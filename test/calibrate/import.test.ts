import {describe, expect, it} from 'vitest';
import {fitKernels, formFor, samplesByKernel} from '../../calibrate/fit-tables.js';
import type {LoadedTable} from '../../calibrate/load.js';
import {implausible, peaksFor} from '../../calibrate/physics.js';
import {importedProfile, profileText} from '../../calibrate/profile.js';
import {aiconfigurator} from '../../calibrate/tables/aiconfigurator.js';
import type {FitJson} from '../../src/models/cost/fit/fit.js';
import {loadFit} from '../../src/models/cost/fit/index.js';
import {kernelNamed} from '../../src/models/cost/fit/kernels/index.js';
import {builtinDevice} from '../../src/models/devices/index.js';
import {quantities} from '../../src/sim/core/quantity.js';
import {readProfile} from '../../src/sim/scenario/resolve/profile.js';

const h100 = builtinDevice('h100-sxm');
const gemm = kernelNamed('gemm.bf16');

/** A table of GEMMs that take `seconds`, all measured with one backend unless the shape says otherwise. */
function table(file: string, backend: string, rows: readonly (readonly [number, number])[]): LoadedTable {
  const measurements = rows.map(([m, seconds], i) => ({kernel: 'gemm.bf16', backend, shape: [m, 4096, 4096], seconds, line: i + 2}));
  return {file, kind: aiconfigurator[0], source: `source of ${file}`, measurements};
}

/** 4096 × 4096 weights at 2.5 TB/s or 700 TFLOP/s, whichever is longer, and 3 µs. */
function plausible(m: number): [number, number] {
  return [m, 3e-6 + Math.max((2 * m * 4096 ** 2) / 700e12, (2 * 4096 ** 2 + 4 * m * 4096) / 2.5e12)];
}

describe('physics', () => {
  const peaks = peaksFor(gemm, h100);

  it('knows the peaks of the device', () => {
    expect(peaks).toEqual({flops: 989e12, bandwidth: 3.35e12});
    expect(peaksFor(kernelNamed('all_reduce.nccl.8gpu.8pernode'), h100)).toBeUndefined();
  });

  it.each([
    ['33.6 MB at 1.04 × 3.35 TB/s', [1, 4096, 4096], 33_570_816 / (1.04 * 3.35e12), null],
    ['33.6 MB at 1.06 × 3.35 TB/s', [1, 4096, 4096], 33_570_816 / (1.06 * 3.35e12), 'faster than the memory allows'],
    ['1.1 TFLOP at 1.04 × 989 TFLOP/s', [8192, 8192, 8192], (2 * 8192 ** 3) / (1.04 * 989e12), null],
    ['1.1 TFLOP at 1.06 × 989 TFLOP/s', [8192, 8192, 8192], (2 * 8192 ** 3) / (1.06 * 989e12), 'faster than the arithmetic allows'],
    ['a time of 0', [1, 1, 1], 0, 'the time is no number above 0'],
    ['a negative time', [1, 1, 1], -1, 'the time is no number above 0'],
    ['no time', [1, 1, 1], Number.NaN, 'the time is no number above 0'],
  ])('%s', (_what, shape, seconds, reason) => {
    expect(implausible(gemm, shape, seconds, peaks)).toBe(reason);
  });

  it('lets small elementwise operators run from the cache, and large ones not', () => {
    const add = kernelNamed('add.bf16');
    // 6 bytes an element at 10 TB/s: 0.6 MB may lie in a cache, 6 GB may not.
    expect(implausible(add, [10, 10_000], 6e5 / 1e13, peaks)).toBeNull();
    expect(implausible(add, [100_000, 10_000], 6e9 / 1e13, peaks)).toBe('faster than the memory allows');
  });
});

describe('measurements by kernel', () => {
  it('drops rows that cannot be and counts them by reason', () => {
    const rows = [plausible(1), plausible(8), [16, 1e-9], [32, 1e-9], [64, 0]] as const;
    const [{samples, dropped}] = samplesByKernel([table('a.csv', 'torch', rows)], h100);
    expect(samples).toHaveLength(2);
    expect(dropped).toEqual({'faster than the memory allows': 2, 'the time is no number above 0': 1});
  });

  it('refuses two files whose kernels have different backends, and says what to do', () => {
    const tables = [table('a.csv', 'flashinfer', [plausible(1)]), table('b.csv', 'flash_attention', [plausible(2)])];
    expect(() => samplesByKernel(tables, h100)).toThrow(
      'gemm.bf16: a.csv measured flashinfer, b.csv measured flash_attention; kernels of two backends are not mixed; import one of them, or choose with --backend',
    );
    const [{samples, backends}] = samplesByKernel(tables, h100, 'flashinfer');
    expect(samples).toEqual([{shape: [1, 4096, 4096], seconds: plausible(1)[1]}]);
    expect(backends).toEqual(['flashinfer']);
  });

  it('refuses one shape measured with two backends in one file, by line', () => {
    const both = table('a.csv', 'flashinfer', [plausible(1), plausible(1)]);
    const mixed = {...both, measurements: both.measurements.map((row, i) => ({...row, backend: i === 0 ? 'flashinfer' : 'fa3'}))};
    expect(() => samplesByKernel([mixed], h100)).toThrow(
      'a.csv:3 gemm.bf16 of shape 1,4096,4096 is measured with fa3 here and with flashinfer in line 2',
    );
  });

  it('accepts an engine that chose its kernel by shape', () => {
    const one = table('a.csv', 'fa3', [plausible(1), plausible(2)]);
    const dispatched = {...one, measurements: one.measurements.map((row, i) => ({...row, backend: i === 0 ? 'fa3' : 'fa4'}))};
    expect(samplesByKernel([dispatched], h100)[0].backends).toEqual(['fa3', 'fa4']);
  });

  it('names the backends there are when none is chosen', () => {
    expect(() => samplesByKernel([table('a.csv', 'fa3', [plausible(1)])], h100, 'triton')).toThrow(
      '--backend: no row was measured with "triton"; there are: fa3',
    );
  });
});

it.each([
  ['gemm.bf16', 'pnorm-grid'],
  ['attn.mixed.bf16', 'table'],
  ['all_reduce.nccl.8gpu.8pernode', 'two-protocol'],
  ['storage.read', 'storage'],
])('%s is fitted by %s', (kernel, form) => {
  expect(formFor(kernelNamed(kernel)).name).toBe(form);
});

describe('the profile', () => {
  const sizes = Array.from({length: 40}, (_, i) => 1 + 5 * i);
  const groups = samplesByKernel([table('a.csv', 'torch VLLM 0.24.0', [...sizes.map(plausible), [3, 1e-9]])], h100);
  const fits = fitKernels(groups, h100);
  const profile = importedProfile('mine', h100, groups, fits);

  it('says what was measured with what, what was dropped, and what is left to the datasheet', () => {
    expect(profile).toMatchObject({
      profile: 1,
      id: 'mine',
      extends: 'h100-sxm',
      kernels: {'gemm.bf16': 'torch VLLM 0.24.0'},
      coverage: {measured: ['gemm.bf16'], datasheet: ['attn.prefill.bf16', 'attn.decode.bf16', 'moe.bf16.balanced']},
      quality: {grade: 'B', dropped: [{kernel: 'gemm.bf16', reason: 'faster than the memory allows', rows: 1}]},
    });
    expect(profile.quality.reasons[0]).toBe('imported, not measured on this machine');
    expect(profile.fits['gemm.bf16']).toMatchObject({
      form: 'pnorm-grid/1',
      grade: 'fitted',
      source: 'source of a.csv',
      range: {m: [1, 196]},
    });
  });

  it('is read as a device by the scenario, and its fits predict what they did', async () => {
    const text = profileText(profile);
    expect(readProfile(text, 'mine.profile.json')).toMatchObject({id: 'mine', unused: []});
    const read = JSON.parse(text) as {fits: Record<string, FitJson>};
    const {fitted} = loadFit('gemm.bf16', read.fits['gemm.bf16'], await quantities());
    for (const m of [1, 7, 100, 1000]) expect(fitted.predict([m, 4096, 4096])).toBe(fits[0].fitted.predict([m, 4096, 4096]));
  });

  it('leaves kernels with fewer than ten usable rows to the datasheet, and says so', () => {
    const few = samplesByKernel([table('a.csv', 'torch', sizes.slice(0, 9).map(plausible))], h100);
    const none = fitKernels(few, h100);
    expect(none).toEqual([]);
    expect(importedProfile('mine', h100, few, none).quality).toMatchObject({
      grade: 'D',
      reasons: ['imported, not measured on this machine', 'gemm.bf16: 9 usable rows, fewer than 10, not fitted'],
    });
  });
});
