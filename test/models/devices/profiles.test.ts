import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {builtinFits, builtinModule} from '../../../calibrate/builtin/generate.js';
import {recipes} from '../../../calibrate/builtin/recipes.js';
import {loadTable} from '../../../calibrate/load.js';
import {peaksFor} from '../../../calibrate/physics.js';
import type {FitError, KernelFit} from '../../../src/models/cost/fit/fit.js';
import {loadFit} from '../../../src/models/cost/fit/index.js';
import {builtinDevice, devices} from '../../../src/models/devices/index.js';
import {literal} from '../../../src/models/devices/literal.js';

const ids = Object.keys(devices).filter((id) => devices[id].fits !== undefined);

function fitsOf(id: string): KernelFit[] {
  return Object.entries(devices[id].fits!()).map(([name, json]) => loadFit(name, json, literal));
}

it('A100, H100, B200, L40S, RTX PRO 6000 and RTX 4090 come with fits, each from a recipe', () => {
  expect(ids.sort()).toEqual(['a100-sxm-80gb', 'b200-sxm', 'h100-sxm', 'l40s', 'rtx-4090', 'rtx-pro-6000-server']);
  expect(recipes.map(({device}) => device).sort()).toEqual(ids.sort());
});

describe.each(ids)('the profile of %s', (id) => {
  const fits = fitsOf(id);

  it('states no rate above 1.05 × what the device can do', () => {
    for (const {kernel, fitted} of fits) {
      const peaks = peaksFor(kernel, builtinDevice(id));
      if (peaks === undefined) continue;
      expect(fitted.parameters['P'], kernel.name).toBeLessThanOrEqual(peaks.flops * 1.05 * (1 + 1e-8));
      expect(fitted.parameters['W'], kernel.name).toBeLessThanOrEqual(peaks.bandwidth * 1.05 * (1 + 1e-8));
    }
  });

  it('names commit, licence and kernels of every fit, its error on points it did not see, and its range', () => {
    const spec = devices[id].fits!();
    for (const {kernel, source, error, grade} of fits) {
      expect(source).toMatch(/@[0-9a-f]{7,12} \((Apache-2\.0|MIT)\) .+: \S/);
      expect(source).not.toMatch(/\.\.\/|\/work\//);
      expect(grade).toBe('fitted');
      const {mape, interval, n} = error as FitError;
      expect(mape, kernel.name).toBeLessThan(0.35);
      expect(interval[0], kernel.name).toBeLessThan(1.001);
      expect(interval[1], kernel.name).toBeGreaterThan(0.999);
      expect(n).toBeGreaterThanOrEqual(20);
      expect(Object.keys(spec[kernel.name]['range'] as object)).toEqual([...kernel.axes]);
    }
  });

  it('is below 60 KB, so that nobody waits for it at the start', () => {
    expect(readFileSync(`src/models/devices/profiles/${id}.ts`, 'utf8').length).toBeLessThan(60_000);
  });
});

it.each([
  ['h100-sxm', 'gemm.bf16', 0.06],
  ['h100-sxm', 'attn.prefill.bf16', 0.08],
  ['h100-sxm', 'attn.decode.bf16', 0.09],
  ['a100-sxm-80gb', 'gemm.bf16', 0.095],
  ['rtx-4090', 'gemm.bf16', 0.05],
  ['rtx-4090', 'attn.mixed.bf16', 0.05],
])('%s %s has a cross-validated mean error of at most %d', (id, name, limit) => {
  expect((devices[id].fits!()[name]['error'] as FitError).mape).toBeLessThanOrEqual(limit);
});

it('8-bit products of many rows are faster than 16-bit ones on every device that was measured with both', () => {
  for (const id of ids) {
    const [half, eight] = ['gemm.bf16', 'gemm.fp8'].map((name) => fitsOf(id).find(({kernel}) => kernel.name === name)?.fitted);
    if (half === undefined || eight === undefined) continue;
    for (const m of [64, 4096]) expect(eight.predict([m, 8192, 8192]), `${id} ${m}`).toBeLessThan(half.predict([m, 8192, 8192]));
  }
});

const tables = '../shared/data/kernels';

it.skipIf(!existsSync(tables))(
  'fitting the RTX 4090 again gives the same bytes (skipped without the kernel tables)',
  {timeout: 120_000},
  () => {
    const recipe = recipes.find(({device}) => device === 'rtx-4090')!;
    const again = builtinModule(
      recipe,
      builtinFits(recipe, (path) => loadTable(join(tables, path))),
    );
    expect(again === readFileSync('src/models/devices/profiles/rtx-4090.ts', 'utf8')).toBe(true);
  },
);
