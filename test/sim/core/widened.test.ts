import {expect, it} from 'vitest';
import {widened} from '../../../src/sim/core/widened.js';

it('keeps the numbers and their kind at the head of a longer array, and zeros behind', () => {
  const wider = widened(Uint16Array.of(7, 8), 4);
  expect(wider).toEqual(Uint16Array.of(7, 8, 0, 0));
});

it('gives the array itself when it is long enough', () => {
  const array = Float64Array.of(1, 2);
  expect(widened(array, 2)).toBe(array);
});
