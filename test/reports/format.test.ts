import {describe, expect, it} from 'vitest';
import {bytes, count, dollars, duration, lifetime, secondsTick, share, signedShare, significant, unbroken} from '../../reports/format.js';

describe('duration', () => {
  it.each([
    [null, '–'],
    [Number.NaN, '–'],
    [0, '0 s'],
    [2.5e-7, '250 ns'],
    [0.0000123, '12.3 µs'],
    [0.0158, '15.8 ms'],
    [0.05, '50 ms'],
    [0.049962, '50.0 ms'],
    [0.41312, '413 ms'],
    [0.9996, '1.00 s'],
    [7.4, '7.4 s'],
    [371, '6.18 min'],
    [7200, '2 h'],
  ])('shows %s s as %s', (seconds, text) => expect(duration(seconds)).toBe(text));
});

it.each([
  [16_060_522_496, '15.0 GiB'],
  [2 ** 21, '2 MiB'],
  [1023, '1,023 B'],
  [1023.7 * 1024, '1.00 MiB'],
  [0, '0 B'],
])('shows %s bytes as %s', (value, text) => expect(bytes(value)).toBe(text));

it.each([
  [0, '0 %'],
  [1, '100 %'],
  [0.978, '97.8 %'],
  [0.9996, '> 99.9 %'],
  [0.0004, '< 0.1 %'],
])('shows a share of %s as %s, and never rounds to none or all', (value, text) => expect(share(value)).toBe(text));

it.each([
  [467_904, '467,904'],
  [-1234.4, '−1,234'],
])('counts %s as %s', (value, text) => expect(count(value)).toBe(text));

it.each([
  [0.3006, '$0.30'],
  [1234.5, '$1,234.50'],
  [0.0123, '$0.0123'],
])('prices %s as %s', (value, text) => expect(dollars(value)).toBe(text));

it('labels ticks of seconds in ms up to a second', () => {
  expect([0.002, 0.5, 1, 1000].map(secondsTick)).toEqual(['2 ms', '500 ms', '1 s', '1,000 s']);
});

it('keeps three significant digits, and no zeros behind an exact number', () => {
  expect([0.5, 12.345, 99.96, 1234.5, -0.25].map((v) => significant(v))).toEqual(['0.5', '12.3', '100', '1,230', '−0.25']);
});

it('ties numbers to their units, and nothing else', () => {
  expect(unbroken('97.8 % within 500 ms, 15.0 GiB, 2 sentences')).toBe('97.8\u00a0% within 500\u00a0ms, 15.0\u00a0GiB, 2 sentences');
});

it('a change has its sign, and a lifetime below a year is told in days', () => {
  expect([0.123, -0.5, 0, -0.0003, 1e-9].map(signedShare)).toEqual(['+12.3 %', '−50 %', '0 %', '−0.03 %', '0 %']);
  expect([150, 12.34, 1, 0.5, 0.00274].map(lifetime)).toEqual(['more than 100 years', '12 years', '1 year', '183 days', '1 day']);
});
