import {describe, expect, it} from 'vitest';
import {lookup, nearest, unknownName} from '../../../src/sim/core/registry.js';

const policies = {fifo: 1, lfu: 2, lru: 3, sieve: 4};

it('gives what is registered under a name', () => {
  expect(lookup('eviction policy', policies, 'lru')).toBe(3);
});

it('says what exists, and what was probably meant', () => {
  expect(() => lookup('eviction policy', policies, 'siev')).toThrow(
    expect.objectContaining({
      name: 'InputError',
      message: 'unknown eviction policy "siev" (did you mean "sieve"?); known: fifo, lfu, lru, sieve',
    }),
  );
});

it.each(['__proto__', 'constructor', 'toString'])('does not find %s, which every object has', (name) => {
  expect(() => lookup('policy', policies, name)).toThrow(/^unknown policy/);
});

it('names the command that lists them when there are many', () => {
  const many = Array.from({length: 13}, (_, i) => `model-${String.fromCharCode(97 + i).repeat(5)}`);
  expect(unknownName('model', 'x', many)).toBe('unknown model "x"; `tiercast list models` names 13');
});

describe('the nearest name', () => {
  it.each([
    ['llama-3.1-9b', ['llama-3.1-8b', 'llama-3.1-70b', 'llama-3-8b'], 'llama-3.1-8b'],
    ['H100_SXM', ['h100-sxm', 'h100-pcie'], 'h100-sxm'], // case and separators do not count
    ['rul', ['fifo', 'url'], 'url'], // swapped letters are one fault
    ['modle', ['model', 'mode'], 'model'],
    ['zzz', ['model'], null],
    ['x'.repeat(100), ['x'], null],
  ])('of %s among %j is %s', (name, known, expected) => {
    expect(nearest(name, known)).toBe(expected);
  });
});
