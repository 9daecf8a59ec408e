import {beforeAll, describe, expect, it} from 'vitest';
import {notQuantity, type QuantityKind, type QuantityParser, quantities, quantityText, readRate} from '../../../src/sim/core/quantity.js';

let parse: QuantityParser;
beforeAll(async () => {
  parse = await quantities();
});

describe('a quantity is read into SI, without binary noise', () => {
  it.each<[string, QuantityKind, number]>([
    ['80 GB', 'bytes', 80e9],
    ['64GiB', 'bytes', 64 * 1024 ** 3],
    ['81559 MiB', 'bytes', 81559 * 1024 ** 2],
    ['4 KB', 'bytes', 4000],
    ['1.5 B', 'bytes', 2],
    ['3.35 TB/s', 'bandwidth', 3.35e12],
    ['400 Gbit/s', 'bandwidth', 50e9],
    ['400 Gbps', 'bandwidth', 50e9],
    ['900 GBps', 'bandwidth', 900e9],
    ['2 us', 'duration', 2e-6],
    ['2 µs', 'duration', 2e-6],
    ['2 μs', 'duration', 2e-6],
    ['10 us', 'duration', 1e-5],
    ['.5 s', 'duration', 0.5],
    ['20 min', 'duration', 1200],
    ['1e3 ms', 'duration', 1],
    ['989 TFLOP/s', 'flops', 989e12],
    ['989 TFLOPS', 'flops', 989e12],
    ['700 W', 'power', 700],
    ['300 req/min', 'rate', 5],
    ['2 session/s', 'rate', 2],
    ['1 MIOPS', 'iops', 1e6],
    ['3600 USD/hour', 'price', 1],
    ['1 USD/B/s', 'price-per-byte', 1],
    ['0.18 USD/kWh', 'energy-price', 5e-8],
  ])('%s as %s is %d', (text, kind, value) => {
    expect(parse(text, kind)).toBe(value);
  });
});

describe('a trap is refused by name', () => {
  it.each<[string, QuantityKind, string]>([
    ['500 MB', 'duration', '"500 MB" is a size; a duration is wanted, e.g. "500 ms"'],
    ['80 Gb', 'bytes', '"80 Gb" counts bits; a capacity is in bytes: "80 GB" or "80 GiB"?'],
    ['80 Gibit', 'bytes', '"80 Gibit" counts bits; a capacity is in bytes: "80 GB" or "80 GiB"?'],
    ['5 m', 'duration', '"5 m" is a length (minutes are "min"); a duration is wanted, e.g. "500 ms"'],
    ['16 GT/s', 'bandwidth', '"16 GT/s" counts transfers of a link, not bytes; a bandwidth is wanted, e.g. "3.35 TB/s"'],
    ['80', 'bytes', '"80" has no unit; a capacity is wanted, e.g. "80 GiB"'],
    ['GiB', 'bytes', '"GiB" does not start with a number; a capacity is wanted, e.g. "80 GiB"'],
    ['80 gb', 'bytes', '"80 gb" has an unknown unit "gb" (did you mean "GB"?)'],
    ['80 Gigs', 'bytes', '"80 Gigs" has an unknown unit "Gigs"; a capacity is wanted, e.g. "80 GiB"'],
    ['5 cycle', 'duration', '"5 cycle" has an unknown unit "cycle"; a duration is wanted, e.g. "500 ms"'],
    ['NaN', 'rate', 'NaN is not a rate'],
    ['-.inf s', 'duration', '-.inf s is not a duration'],
    ['-2 session/s', 'rate', '"-2 session/s" is below 0'],
    ['2 /s', 'rate', '"2 /s" does not say what arrives: "req/s" or "session/s"?'],
    ['90 %', 'duration', '"90 %" is a share; a duration is wanted, e.g. "500 ms"'],
    ['1,000 GB', 'bytes', '"1,000 GB": digits are written without separators, e.g. "1000 GB"'],
    ['1_000 GB', 'bytes', '"1_000 GB": digits are written without separators, e.g. "1000 GB"'],
    ['$4/hour', 'price', '"$4/hour": prices are in USD, e.g. "2.50 USD/hour"'],
    ['1e400 GB', 'bytes', '"1e400 GB" is not finite'],
    ['80 GB/s', 'bytes', '"80 GB/s" is a bandwidth; a capacity is wanted, e.g. "80 GiB"'],
    ['3 kWh', 'power', '"3 kWh" is an energy; a power is wanted, e.g. "700 W"'],
    ['2 ms^2', 'duration', '"2 ms^2" is in ms^2; a duration is wanted, e.g. "500 ms"'],
    ['1 + 2 GB', 'bytes', '"1 + 2 GB" has an unknown unit "+ 2 GB"; a capacity is wanted, e.g. "80 GiB"'],
    [`1 ${'G'.repeat(100)}`, 'bytes', '"1 GGGGGGGGGGGGGGGGGG…" is 102 characters long; a capacity is wanted, e.g. "80 GiB"'],
  ])('%s as %s', (text, kind, message) => {
    expect(() => parse(text, kind)).toThrow(message);
    expect(() => parse(text, kind)).toThrow(expect.objectContaining({name: 'InputError', message}));
  });

  it('and what is not text says what is missing', () => {
    expect(notQuantity(80, 'bytes')).toBe('80 has no unit; a capacity is wanted, e.g. "80 GiB"');
    expect(notQuantity(Number.NaN, 'rate')).toBe('NaN is not a rate');
    expect(notQuantity(true, 'duration')).toBe('true is not a duration; a duration is wanted, e.g. "500 ms"');
    expect(notQuantity([], 'duration')).toBe('this is not a duration; a duration is wanted, e.g. "500 ms"');
  });
});

it('a rate says what arrives', () => {
  expect(readRate('2 session/s', parse)).toEqual({value: 2, of: 'session'});
  expect(readRate('120 req/min', parse)).toEqual({value: 2, of: 'request'});
});

it('whole multiples of every unit are exact', () => {
  const bases = {kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3, TiB: 1024 ** 4};
  for (const [unit, base] of Object.entries(bases)) {
    for (let i = 1; i <= 500; i++) expect(parse(`${i} ${unit}`, 'bytes')).toBe(i * base);
  }
  for (let i = 1; i <= 500; i++) expect(parse(`${i} us`, 'duration')).toBe(i / 1e6);
});

it.each<[number, QuantityKind, string]>([
  [3.35e12, 'bandwidth', '3.35 TB/s'],
  [85520809984, 'bytes', '79.65 GiB'],
  [0.0005, 'duration', '500 us'],
  [989e12, 'flops', '989 TFLOP/s'],
  [2.5 / 3600, 'price', '2.5 USD/hour'],
  [0, 'duration', '0 ns'],
])('%d as %s reads %s', (value, kind, text) => {
  expect(quantityText(value, kind)).toBe(text);
});
