import {describe, expect, it} from 'vitest';
import {stream} from '../../../src/sim/core/random.js';
import {pairedDifference} from '../../../src/sim/metrics/paired-difference.js';

describe('pairedDifference', () => {
  it('takes the interval of the differences: 10, 20, 30 against 9, 18, 27', () => {
    const d = pairedDifference([10, 20, 30], [9, 18, 27], 'lower');
    expect(d.difference).toBe(-2);
    expect(d.relative).toBeCloseTo(-0.1, 12);
    // Differences −1, −2, −3: −2 ± 4.303 · 1 / √3.
    expect(d.ci95![0]).toBeCloseTo(-2 - 2.4841, 3);
    expect(d.ci95![1]).toBeCloseTo(-2 + 2.4841, 3);
    expect(d.verdict).toBe('no difference shown');
  });

  it.each([
    ['lower', 'better'],
    ['higher', 'worse'],
  ] as const)('a certain fall is, when %s is better, %s', (better, verdict) => {
    expect(pairedDifference([10, 20, 30, 40], [9, 19, 29.1, 39], better).verdict).toBe(verdict);
  });

  it('one replication shows no difference, whatever its size', () => {
    expect(pairedDifference([10], [1], 'lower')).toMatchObject({ci95: null, verdict: 'no difference shown'});
  });

  it('two systems that are the same differ by exactly nothing', () => {
    expect(pairedDifference([3, 4, 5], [3, 4, 5], 'lower')).toMatchObject({difference: 0, ci95: [0, 0], verdict: 'no difference shown'});
  });

  it('common traffic shows a difference of 1 % that independent runs hide', () => {
    const random = stream(1, 'test');
    const traffic = Array.from({length: 10}, () => 100 * (0.5 + random()));
    const other = Array.from({length: 10}, () => 100 * (0.5 + random()));
    const slower = (x: number) => x * 1.01 + 0.01 * random();
    expect(pairedDifference(traffic, traffic.map(slower), 'lower').verdict).toBe('worse');
    expect(pairedDifference(traffic, other.map(slower), 'lower').verdict).toBe('no difference shown');
  });

  it('refuses unequal numbers of replications', () => expect(() => pairedDifference([1, 2], [1], 'lower')).toThrow('2 and 1'));
});
