import {describe, expect, it} from 'vitest';
import type {Form, Sample} from '../../../../src/models/cost/fit/fit.js';
import {forms, loadFit, writeFit} from '../../../../src/models/cost/fit/index.js';
import {kernelNamed} from '../../../../src/models/cost/fit/kernels/index.js';
import type {Kernel} from '../../../../src/models/cost/fit/kernels/kernel.js';
import {pnorm, smoothSeconds} from '../../../../src/models/cost/fit/smooth-roofline.js';
import {quantities} from '../../../../src/sim/core/quantity.js';
import {stream} from '../../../../src/sim/core/random.js';

const parse = await quantities();
const gemm = kernelNamed('gemm.bf16');
const reduce = kernelNamed('all_reduce.nccl.8gpu.8pernode');
const reads = kernelNamed('storage.read');

const constants = {P: 800e12, W: 2.8e12, o: 3e-6, p: 2.5};

/** Samples of a smooth roofline times `factor`, over a grid of shapes. */
function rooflineSamples(factor: (shape: readonly number[]) => number = () => 1): Sample[] {
  const work = {flops: 0, bytes: 0};
  const samples: Sample[] = [];
  for (const m of [1, 16, 256, 4096]) {
    for (const n of [512, 2048, 8192]) {
      for (const k of [512, 2048, 8192]) {
        gemm.work([m, n, k], work);
        samples.push({shape: [m, n, k], seconds: smoothSeconds(constants, work) * factor([m, n, k])});
      }
    }
  }
  return samples;
}

/** Two protocols: 5 µs + n/50 GB/s below 360 kB, 10 µs + n/200 GB/s above. */
const linkSamples: Sample[] = Array.from({length: 20}, (_, i) => {
  const bytes = 1024 * 2 ** i;
  return {shape: [bytes], seconds: Math.min(5e-6 + bytes / 50e9, 10e-6 + bytes / 200e9)};
});

/** A device of 50 µs, 3.6 GB/s and 15 µs a request, by size and queue depth. */
const storageSamples: Sample[] = [4096, 65_536, 262_144, 1_048_576].flatMap((bytes) =>
  [1, 4, 16, 32].map((depth) => ({
    shape: [bytes, depth],
    seconds: pnorm((50e-6 + bytes / 3.6e9) / depth, 15e-6 + bytes / 3.6e9, 3),
  })),
);

const cases: readonly [Form, Kernel, readonly Sample[]][] = Object.values(forms).map((form) =>
  form.name === 'storage' ? [form, reads, storageSamples] : linked(form) ? [form, reduce, linkSamples] : [form, gemm, rooflineSamples()],
);

function linked({name}: Form): boolean {
  return name === 'alpha-beta' || name === 'two-protocol';
}

describe.each(cases.map((one) => [one[0].name, ...one] as const))('every form: %s', (_name, form, kernel, samples) => {
  const fitted = form.fit(kernel, samples, {});

  it('predicts finite times above 0, also outside what it saw', () => {
    const shapes = [...samples.map(({shape}) => shape), samples[0].shape.map((x) => x / 8), samples.at(-1)!.shape.map((x) => x * 8)];
    for (const shape of shapes) {
      const seconds = fitted.predict(shape);
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThan(10);
    }
  });

  it('says of each sample that it is inside, and of one far beyond that it is not', () => {
    expect(samples.filter(({shape}) => fitted.extrapolated(shape))).toEqual([]);
    expect(fitted.extrapolated(samples.at(-1)!.shape.map((x) => x * 8))).toBe(true);
  });

  it('fits equal samples equally, and reads back what it wrote to equal predictions', () => {
    const again = form.fit(kernel, samples, {});
    const json = JSON.parse(JSON.stringify(writeFit({kernel, fitted, error: null, grade: 'fitted', source: 'a test'})));
    const read = loadFit(kernel.name, json, parse);
    expect(read.source).toBe('a test');
    for (const {shape} of samples) {
      expect(again.predict(shape)).toBe(fitted.predict(shape));
      expect(read.fitted.predict(shape)).toBe(fitted.predict(shape));
      expect(read.fitted.extrapolated(shape)).toBe(false);
    }
    expect(read.fitted.extrapolated(samples.at(-1)!.shape.map((x) => x * 8))).toBe(true);
  });
});

describe('the smooth maximum', () => {
  it('is the sum at p = 1, and the larger one as p grows', () => {
    expect(pnorm(3, 4, 1)).toBe(7);
    expect(pnorm(3, 4, 2)).toBe(5);
    expect(pnorm(3, 4, 64)).toBeCloseTo(4, 6);
  });

  it('overflows for no times, however small', () => {
    expect(pnorm(1e-200, 1e-200, 8)).toBeCloseTo(2 ** (1 / 8) * 1e-200, 205);
    expect(pnorm(0, 0, 3)).toBe(0);
  });
});

describe('pnorm', () => {
  it('finds the four constants that samples were made with', () => {
    const {P, W, o, p} = forms.pnorm.fit(gemm, rooflineSamples(), {}).parameters;
    expect(P / constants.P).toBeCloseTo(1, 2);
    expect(W / constants.W).toBeCloseTo(1, 2);
    expect(o / constants.o).toBeCloseTo(1, 2);
    expect(p).toBeCloseTo(constants.p, 1);
  });

  it('finds them although one sample in twelve took three times as long', () => {
    const slow = rooflineSamples().map((sample, i) => (i % 12 === 5 ? {...sample, seconds: 3 * sample.seconds} : sample));
    const {P, W} = forms.pnorm.fit(gemm, slow, {}).parameters;
    expect(Math.abs(P / constants.P - 1)).toBeLessThan(0.12);
    expect(Math.abs(W / constants.W - 1)).toBeLessThan(0.12);
  });

  it('never exceeds 1.05 × the peaks of the device', () => {
    const {P, W} = forms.pnorm.fit(gemm, rooflineSamples(), {peaks: {flops: 400e12, bandwidth: 1e12}}).parameters;
    expect(P).toBeLessThanOrEqual(1.0501 * 400e12);
    expect(W).toBeLessThanOrEqual(1.0501 * 1e12);
  });
});

describe('pnorm-grid', () => {
  it('gives samples back that are a grid, whatever the roofline misses', () => {
    const samples = rooflineSamples(([m, n]) => (m === 16 ? 1.4 : 1) * (n === 8192 ? 0.8 : 1));
    const fitted = forms['pnorm-grid'].fit(gemm, samples, {});
    for (const {shape, seconds} of samples) expect(fitted.predict(shape) / seconds).toBeCloseTo(1, 3);
  });

  it('interpolates the residual in log2 between knots, and keeps it beyond them', () => {
    // A residual of 1 at m = 1 and of e^0.4 at m = 16: half of it at m = 4.
    const samples = rooflineSamples(([m]) => (m >= 16 ? Math.exp(0.4) : 1));
    const fitted = forms['pnorm-grid'].fit(gemm, samples, {});
    const base = forms.pnorm.fit(gemm, samples, {});
    const residual = (m: number) => Math.log(fitted.predict([m, 2048, 2048]) / base.predict([m, 2048, 2048]));
    expect(residual(4)).toBeCloseTo((residual(1) + residual(16)) / 2, 3);
    expect(residual(8192)).toBeCloseTo(residual(4096), 6);
  });

  it('fills a cell that was not measured from those around it, and names it', () => {
    const samples = rooflineSamples(() => 1.3).filter(({shape}) => shape.join() !== '16,2048,2048');
    const fitted = forms['pnorm-grid'].fit(gemm, samples, {grid: {m: [1, 16, 256, 4096], n: [512, 2048, 8192], k: [512, 2048, 8192]}});
    const {filled} = fitted.toJson()['residual'] as {filled: number[]};
    // Cell of m = 16, n = 2048, k = 2048: 1·9 + 1·3 + 1.
    expect(filled).toEqual([13]);
    const work = {flops: 0, bytes: 0};
    gemm.work([16, 2048, 2048], work);
    expect(fitted.predict([16, 2048, 2048]) / (1.3 * smoothSeconds(constants, work))).toBeCloseTo(1, 1);
  });

  it.each([
    [{form: 'pnorm-grid/1'}, 'fits.gemm.bf16: pnorm-grid/1 has no "residual"'],
    [{form: 'pnorm-grid/2'}, 'is not one of version 1'],
    [{form: 'pnorm-gird/1'}, 'unknown form of fits "pnorm-gird" (did you mean "pnorm-grid"?)'],
    [{...written(), P: 814}, 'fits.gemm.bf16.P: 814 is no text with a unit'],
    [{...written(), W: '3 kg/s'}, 'fits.gemm.bf16.W:'],
    [{...written(), residual: {m: [1, 8], log: [0]}}, 'fits.gemm.bf16.residual.log: 1 numbers for 2 cells'],
    [{...written(), residual: {q: [1], log: [0]}}, 'unknown coordinate "q"'],
    [{...written(), residual: {m: [8, 1], log: [0, 0]}}, 'fits.gemm.bf16.residual.m: knots are above 0 and rise'],
  ])('refuses a profile that is not whole: %j', (json, message) => {
    expect(() => loadFit('gemm.bf16', json as never, parse)).toThrow(message);
  });

  it('reads the fit of a profile that a person wrote', () => {
    const {fitted, error} = loadFit('gemm.bf16', written(), parse);
    // (3.37 µs + max-like of 2·8·4096²/814.5e12 and 33.7 MB/2.84e12) · e^0.5
    const work = {flops: 0, bytes: 0};
    gemm.work([8, 4096, 4096], work);
    const expected = smoothSeconds({P: 814.5e12, W: 2.84e12, o: 3.37e-6, p: 2.29}, work) * Math.exp(0.5);
    expect(fitted.predict([8, 4096, 4096])).toBeCloseTo(expected, 12);
    expect(error?.mape).toBe(0.095);
    expect(fitted.extrapolated([8193, 4096, 4096])).toBe(true);
  });
});

/** A fit as a person writes it. */
function written() {
  return {
    form: 'pnorm-grid/1',
    P: '814.5 TFLOP/s',
    W: '2.84 TB/s',
    o: '3.37 us',
    p: 2.29,
    residual: {m: [1, 8, 32], n: [4096], k: [4096], log: [0, 0.5, 0]},
    error: {mape: 0.095, n: 128},
    range: {m: [1, 8192], n: [256, 16384], k: [256, 16384]},
    grade: 'fitted',
    source: 'a test',
  };
}

describe('table', () => {
  const at = (shape: readonly number[], seconds: number): Sample => ({shape, seconds});

  it('is linear between the shapes measured, on each axis', () => {
    // m 0…10 by n 1 and 3: 2 corners each.
    const fitted = forms.table.fit(gemm, [at([1, 1, 1], 2), at([1, 3, 1], 6), at([5, 1, 1], 4), at([5, 3, 1], 12)], {});
    expect(fitted.predict([1, 2, 1])).toBe(4);
    expect(fitted.predict([3, 1, 1])).toBe(3);
    expect(fitted.predict([3, 2, 1])).toBe(6);
  });

  it('passes over a value whose row has a hole there', () => {
    // At m = 2 nothing was measured beyond n = 4, so n = 8 lies between m = 1 and m = 3.
    const samples = [at([1, 4, 1], 1), at([1, 8, 1], 2), at([2, 4, 1], 100), at([3, 4, 1], 3), at([3, 8, 1], 6)];
    const fitted = forms.table.fit(gemm, samples, {});
    expect(fitted.predict([2, 8, 1])).toBe(4);
    expect(fitted.extrapolated([2, 8, 1])).toBe(false);
    expect(fitted.predict([2, 4, 1])).toBe(100);
  });

  it('goes on along the line of the two nearest beyond its edge, and says so; never below the shortest', () => {
    const fitted = forms.table.fit(gemm, [at([1, 1, 1], 2), at([2, 1, 1], 3), at([4, 1, 1], 7)], {});
    expect(fitted.predict([6, 1, 1])).toBe(11);
    expect(fitted.extrapolated([6, 1, 1])).toBe(true);
    expect(fitted.predict([0.1, 1, 1])).toBe(2);
  });

  it('takes the mean of a shape measured twice', () => {
    const fitted = forms.table.fit(gemm, [at([1, 1, 1], 2), at([1, 1, 1], 4)], {});
    expect(fitted.predict([1, 1, 1])).toBe(3);
  });
});

describe('forest', () => {
  it('learns a step that no roofline has', () => {
    const random = stream(1, 'test/forest');
    const samples = Array.from({length: 400}, () => {
      const m = 1 + Math.floor(random() * 1000);
      return {shape: [m, 64, 64], seconds: m < 300 ? 1e-6 : 5e-6};
    });
    const fitted = forms.forest.fit(gemm, samples, {});
    expect(fitted.predict([100, 64, 64]) * 1e6).toBeCloseTo(1, 6);
    expect(fitted.predict([800, 64, 64]) * 1e6).toBeCloseTo(5, 6);
  });
});

describe('links', () => {
  it('two protocols are found, each with its start and its bandwidth', () => {
    const {a1, W1, a2, W2} = forms['two-protocol'].fit(reduce, linkSamples, {}).parameters;
    expect(a1 * 1e6).toBeCloseTo(5, 1);
    expect(W1 / 1e9).toBeCloseTo(50, 0);
    expect(a2 * 1e6).toBeCloseTo(10, 1);
    expect(W2 / 1e9).toBeCloseTo(200, 0);
  });

  it('one protocol misses them by much more', () => {
    const worst = (form: Form) => {
      const fitted = form.fit(reduce, linkSamples, {});
      return Math.max(...linkSamples.map(({shape, seconds}) => Math.abs(fitted.predict(shape) / seconds - 1)));
    };
    expect(worst(forms['two-protocol'])).toBeLessThan(0.001);
    expect(worst(forms['alpha-beta'])).toBeGreaterThan(0.1);
  });

  it('no branch runs away when there is only one protocol', () => {
    const single = linkSamples.map(({shape}) => ({shape, seconds: 8e-6 + shape[0] / 100e9}));
    for (const [name, value] of Object.entries(forms['two-protocol'].fit(reduce, single, {}).parameters)) {
      if (name.startsWith('a')) expect(value).toBeLessThan(200e-6);
      else expect(value).toBeGreaterThan(1e8);
    }
  });
});

describe('storage', () => {
  it('finds latency, bandwidth and cost per request that samples were made with', () => {
    const {a, W, c} = forms.storage.fit(reads, storageSamples, {}).parameters;
    expect(a * 1e6).toBeCloseTo(50, 0);
    expect(W / 1e9).toBeCloseTo(3.6, 1);
    expect(c * 1e6).toBeCloseTo(15, 0);
  });

  it('deep queues reach 1/c requests a second, large requests the bandwidth', () => {
    const fitted = forms.storage.fit(reads, storageSamples, {});
    expect(1 / fitted.predict([512, 1024]) / 66_700).toBeCloseTo(1, 1);
    expect((64 * 2 ** 20) / fitted.predict([64 * 2 ** 20, 32]) / 3.6e9).toBeCloseTo(1, 1);
  });
});
