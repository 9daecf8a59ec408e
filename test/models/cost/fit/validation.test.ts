import {describe, expect, it} from 'vitest';
import {crossValidate, shuffled} from '../../../../src/models/cost/fit/cross-validate.js';
import {gridSplit, randomSplit, spreadSplit} from '../../../../src/models/cost/fit/design.js';
import {coverageOf, errorOf} from '../../../../src/models/cost/fit/error.js';
import type {Fitted, Form, Sample} from '../../../../src/models/cost/fit/fit.js';
import {heldOut} from '../../../../src/models/cost/fit/held-out.js';
import {forms} from '../../../../src/models/cost/fit/index.js';
import {kernelNamed} from '../../../../src/models/cost/fit/kernels/index.js';
import {chooseKnots} from '../../../../src/models/cost/fit/knots.js';

const gemm = kernelNamed('gemm.bf16');

/** Predicts a second for everything, and remembers what it was fitted to. */
function recorder(): {form: Form; seen: (readonly Sample[])[]} {
  const seen: (readonly Sample[])[] = [];
  const fitted: Fitted = {
    form: 'pnorm',
    predict: () => 1,
    extrapolated: ([m]) => m > 100,
    parameters: {},
    toJson: () => ({form: 'pnorm/1'}),
  };
  const form: Form = {
    ...forms.pnorm,
    fit(_kernel, samples) {
      seen.push(samples);
      return fitted;
    },
  };
  return {form, seen};
}

function rows(count: number): Sample[] {
  return Array.from({length: count}, (_, i) => ({shape: [i + 1, 64, 64], seconds: 1 + (i % 10) / 10}));
}

describe('errors', () => {
  it('are shares of what was measured; the interval is of measured/predicted', () => {
    // Predicted/measured: 1.1, 0.9, 1, 2.
    const error = errorOf([10, 10, 10, 10], [11, 9, 10, 20]);
    expect(error.mape).toBeCloseTo((0.1 + 0.1 + 0 + 1) / 4, 12);
    expect(error.bias).toBeCloseTo((0.1 - 0.1 + 0 + 1) / 4, 12);
    expect(error.p50).toBeCloseTo(0.1, 12);
    // Sorted 0, 0.1, 0.1, 1: rank 2.7.
    expect(error.p90).toBeCloseTo(0.1 + 0.7 * 0.9, 12);
    // Sorted 0.5, 0.909, 1, 1.111: ranks 0.3 and 2.7.
    expect(error.interval[0]).toBeCloseTo(0.5 + 0.3 * (10 / 11 - 0.5), 12);
    expect(error.interval[1]).toBeCloseTo(1 + 0.7 * (10 / 9 - 1), 12);
  });

  it('coverage counts measured/predicted within the interval, its ends included', () => {
    expect(coverageOf([1, 2, 3, 4], [2, 2, 2, 2], [0.5, 1])).toBe(0.5);
  });
});

describe('cross-validation', () => {
  it('predicts every sample once, by a fit that did not see it', () => {
    const samples = rows(60);
    const {form, seen} = recorder();
    const error = crossValidate(form, gemm, samples, {})!;
    expect(error.n).toBe(60);
    expect(seen).toHaveLength(5);
    expect(seen.map((part) => part.length)).toEqual([48, 48, 48, 48, 48]);
    for (const sample of samples) expect(seen.filter((part) => !part.includes(sample))).toHaveLength(1);
  });

  it('keeps all samples of one shape in one fold, or it would know the answer', () => {
    const samples = [...rows(60), ...rows(60)];
    const {form, seen} = recorder();
    crossValidate(form, gemm, samples, {});
    for (const part of seen) {
      const shapes = new Set(part.map(({shape}) => shape.join()));
      expect(part).toHaveLength(2 * shapes.size);
    }
  });

  it('is not given for fewer than ten shapes', () => {
    expect(crossValidate(forms.pnorm, gemm, rows(9), {})).toBeNull();
    expect(crossValidate(forms.pnorm, gemm, rows(10), {})).not.toBeNull();
  });
});

describe('splits', () => {
  const samples = [1, 2, 4, 8, 16, 32].flatMap((m) => [64, 128, 256].map((n) => ({shape: [m, n, 64], seconds: 1e-6})));

  it.each([
    ['a grid', gridSplit(gemm, samples, {m: [1, 8], n: [64, 256]}), 4],
    ['far apart', spreadSplit(gemm, samples, 5), 5],
    ['random', randomSplit(gemm, samples, 7), 7],
  ])('%s: no sample is on both sides and none is lost', (_name, {train, test}, count) => {
    expect(train).toHaveLength(count);
    expect(new Set([...train, ...test]).size).toBe(samples.length);
    expect(train.length + test.length).toBe(samples.length);
  });

  it('points far apart include the corners', () => {
    const shapes = spreadSplit(gemm, samples, 5).train.map(({shape}) => shape.join());
    for (const corner of ['1,64,64', '1,256,64', '32,64,64', '32,256,64']) expect(shapes).toContain(corner);
  });

  it('a shuffle depends on its name alone', () => {
    expect(shuffled(samples, 'a')).toEqual(shuffled(samples, 'a'));
    expect(shuffled(samples, 'a')).not.toEqual(shuffled(samples, 'b'));
  });
});

describe('knots', () => {
  it('are all values of samples that are a grid', () => {
    const samples = [1, 3, 9].flatMap((m) => [64, 128].map((n) => ({shape: [m, n, 32], seconds: 1})));
    expect(chooseKnots(gemm.coordinates, samples)).toEqual([
      {name: 'm', knots: [1, 3, 9]},
      {name: 'n', knots: [64, 128]},
      {name: 'k', knots: [32]},
    ]);
  });

  it('are fewer than the samples when those are scattered, with both ends', () => {
    const samples = Array.from({length: 100}, (_, i) => ({shape: [1 + i * i, 64 + 37 * i, 64 + 53 * ((i * 7) % 100)], seconds: 1}));
    const axes = chooseKnots(gemm.coordinates, samples);
    expect(axes.reduce((cells, {knots}) => cells * knots.length, 1)).toBeLessThanOrEqual(66);
    expect(axes[0].knots[0]).toBe(1);
    expect(axes[0].knots.at(-1)).toBe(1 + 99 * 99);
  });
});

it('held-out error counts what lies outside the range of the fit', () => {
  const {form} = recorder();
  const test: Sample[] = [
    {shape: [101, 1, 1], seconds: 2},
    {shape: [5, 1, 1], seconds: 1.25},
  ];
  // The samples of the fit lie between 1 and 1.9 of a prediction of 1; 2 lies outside.
  const row = heldOut(form, gemm, {train: rows(20), test}, {});
  expect(row.mape).toBeCloseTo((0.5 + 0.2) / 2, 12);
  expect(row).toMatchObject({trained: 20, n: 2, extrapolated: 1, coverage: 0.5});
});
