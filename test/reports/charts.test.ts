import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {bytesY, linearTicks, linearX, linearY, logScale, logTicks} from '../../reports/charts/axis.js';
import {place} from '../../reports/charts/bar.js';
import {pack, packExact, unpack} from '../../reports/charts/data.js';
import {ecdf, shareAt, valueAt} from '../../reports/charts/ecdf.js';
import {areaLabels, stackedAreas, stepPath} from '../../reports/charts/lines.js';
import {bytes, secondsTick, significant} from '../../reports/format.js';
import {corners} from '../support/svg.js';

describe('stepPath', () => {
  const x = linearX(0, 10);
  const y = linearY(4, 100);

  it('holds each value until the next x, and the last until the end', () => {
    expect(stepPath([0, 5], [4, 1], 10, x, y)).toBe('M0,0H500V75H1000');
  });

  it('leaves a gap where a value is unknown', () => {
    expect(stepPath([0, 2, 4], [4, Number.NaN, 0], 10, x, y)).toBe('M0,0H200M400,100H1000');
  });

  it('draws nothing of nothing', () => {
    expect(stepPath([], [], 10, x, y)).toBe('');
  });
});

describe('stackedAreas', () => {
  it('lays each area on the one before and closes it along that one', () => {
    const layers = [
      {series: 1, values: [1, 2]},
      {series: 2, values: [3, 0]},
    ];
    const [low, high] = stackedAreas([0, 5], layers, 10, linearX(0, 10), linearY(4, 100)).map((m) => /d="([^"]+)"/.exec(m.text)![1]!);
    expect(corners(low!)).toEqual(corners('M0,75H500V50H1000L1000,100H500V100H0'));
    expect(corners(high!)).toEqual(corners('M0,0H500V50H1000L1000,50H500V75H0'));
  });

  it('names an area only where it is tall enough for its label', () => {
    const layers = [
      {series: 1, label: 'tall', values: [3]},
      {series: 2, label: 'flat', values: [0.5]},
    ];
    const labels = areaLabels([0], layers, 10, linearX(0, 10), linearY(4, 100)).map((m) => m.text);
    expect(labels).toHaveLength(1);
    expect(labels[0]).toContain('>tall<');
    expect(labels[0]).toContain('y="62.5"');
  });
});

describe('ecdf', () => {
  it('has every value of a small sample with its share, and skips what is not applicable', () => {
    const curve = ecdf(Float64Array.of(3, Number.NaN, 1, 2, 2));
    expect([...curve.value]).toEqual([1, 2, 2, 3]);
    expect([...curve.share]).toEqual([0.25, 0.5, 0.75, 1]);
    expect(curve.n).toBe(4);
    expect([0.5, 1, 2.5, 9].map((v) => shareAt(curve, v))).toEqual([0, 0.25, 0.75, 1]);
    expect([0.25, 0.5, 0.76, 1].map((s) => valueAt(curve, s))).toEqual([1, 2, 3, 3]);
  });

  it('thins a large sample to exact points of it and keeps every one of the last hundred', () => {
    const n = 20_000;
    const curve = ecdf(Float64Array.from({length: n}, (_, i) => ((i * 7919) % n) + 1));
    expect(curve.value.length).toBe(500);
    // The values are 1…n, so the share of a value is itself over n.
    expect([...curve.share]).toEqual([...curve.value].map((value) => value / n));
    expect([...curve.value.slice(-100)]).toEqual(Array.from({length: 100}, (_, i) => n - 99 + i));
  });

  it('is empty when nothing is known', () => {
    expect(ecdf(Float64Array.of(Number.NaN)).n).toBe(0);
    expect(valueAt(ecdf(new Float64Array(0)), 0.5)).toBeNull();
  });
});

describe('scales', () => {
  it('end a log axis on the next 1, 2 or 5', () => {
    expect(logScale(0.0031, 19.5).domain()).toEqual([0.002, 20]);
    expect(logScale(1, 1).domain()).toEqual([1, 10]);
    expect(logTicks(logScale(0.0031, 0.3), secondsTick).map((t) => t.label)).toEqual([
      '2 ms',
      '5 ms',
      '10 ms',
      '20 ms',
      '50 ms',
      '100 ms',
      '200 ms',
      '500 ms',
    ]);
  });

  it('label bytes in round numbers of their unit', () => {
    const y = bytesY(56.5 * 2 ** 30, 150);
    expect(y.domain()[1]).toBe(60 * 2 ** 30);
    expect(linearTicks(y, 4, 2 ** 30, (v) => significant(v ?? 0)).map((t) => t.label)).toEqual(['0', '20', '40', '60']);
  });

  it('keep every tick inside of the plot', () => {
    fc.assert(
      fc.property(fc.double({min: 1e-6, max: 1e3, noNaN: true}), fc.double({min: 1, max: 1e5, noNaN: true}), (low, ratio) => {
        const x = logScale(low, low * ratio);
        expect(x(low)).toBeGreaterThanOrEqual(-1e-6);
        expect(x(low * ratio)).toBeLessThanOrEqual(1000 + 1e-6);
        for (const {at} of logTicks(x, bytes)) expect(at >= -1e-6 && at <= 1000 + 1e-6).toBe(true);
      }),
    );
  });
});

it('lays the parts of a bar side by side, in proportion, and leaves out what has no size', () => {
  const parts = [2, 0, 6].map((value, i) => ({label: `p${i}`, series: i, value}));
  expect(place(parts, 8).map(({label, from, to}) => [label, from, to])).toEqual([
    ['p0', 0, 250],
    ['p2', 250, 1000],
  ]);
});

describe('packed columns', () => {
  it('give values back to 1/100,000 of the largest', () => {
    fc.assert(
      fc.property(fc.array(fc.double({min: 1e-9, max: 1e12, noNaN: true}), {minLength: 1}), (values) => {
        const most = Math.max(...values);
        const errors = unpack(pack(values)).map((v, i) => Math.abs(v! - values[i]!));
        expect(Math.max(...errors)).toBeLessThanOrEqual(most * 1e-5);
      }),
    );
  });

  it('keep unknown values unknown', () => {
    expect(unpack(pack([1, Number.NaN, 2]))).toEqual([1, null, 2]);
    expect(unpack(packExact([1e-6, Number.NaN, 123.4567]))).toEqual([1e-6, null, 123.457]);
  });
});
