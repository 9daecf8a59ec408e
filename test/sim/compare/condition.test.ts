import {describe, expect, it} from 'vitest';
import type {Pair} from '../../../src/sim/compare/comparison.js';
import {failure, parseCondition} from '../../../src/sim/compare/condition.js';
import {quantities} from '../../../src/sim/core/quantity.js';

const parse = await quantities();
const ttft = {
  unit: 's',
  better: 'lower',
  before: 1,
  after: 1.2,
  change: 0.2,
  change_ci95: null,
  difference: 0.2,
  difference_ci95: null,
  verdict: 'worse',
  note: null,
};
const pair = {after: 'b', metrics: {'ttft_s.p95': ttft, 'tpot_s.p95': null}} as unknown as Pair;

describe('a condition', () => {
  it.each([
    ['ttft_s.p95.difference > 0.10', true],
    ['ttft_s.p95.difference > 0.2', false],
    ['ttft_s.p95.difference >= 0.2', true],
    ['ttft_s.p95.difference<0.10', false],
    ['ttft_s.p95.difference <= 0.2', true],
    ['ttft_s.p95.change > 150 ms', true],
    ['ttft_s.p95.change > 0.25 s', false],
    ['ttft_s.p95.change > -1 ms', true],
    ['ttft_s.p95.after == 1.2', true],
    ['ttft_s.p95.after != 1.2', false],
    ['ttft_s.p95.verdict == worse', true],
    ['ttft_s.p95.verdict != worse', false],
    ['ttft_s.p95.verdict == "no difference shown"', false],
  ])('%s holds: %s', (text, holds) => {
    expect(failure(parseCondition(text, parse), pair) !== null).toBe(holds);
  });

  it('that holds is named with the value that was found', () => {
    expect(failure(parseCondition('ttft_s.p95.difference > 0.10', parse), pair)).toBe('b: ttft_s.p95.difference > 0.10 (it is 0.2)');
  });

  it('on a figure that is not known fails: a gate that cannot be judged is not passed', () => {
    expect(failure(parseCondition('tpot_s.p95.difference > 0.10', parse), pair)).toContain('is not known');
  });

  it.each([
    ['ttft_s.p95.difference', 'write PATH OP VALUE'],
    ['ttft.p95.difference > 0.1', 'unknown compared figure "ttft.p95" (did you mean "ttft_s.p95"?)'],
    ['ttft_s.p95.diference > 0.1', 'unknown part of a figure "diference" (did you mean "difference"?)'],
    ['ttft_s.p95.__proto__ > 0.1', 'unknown part of a figure "__proto__"'],
    ['ttft_s.p95.difference > 10 %', '"10 %" is no number'],
    ['ttft_s.p95.change > 10 MB', 'is a size'],
    ['ttft_s.p95.verdict == bad', 'unknown verdict "bad"'],
    ['ttft_s.p95.verdict > worse', 'compared with == or !='],
    ['ttft_s.p95.change > process.exit(1)', 'does not start with a number'],
  ])('%s is refused', (text, message) => {
    expect(() => parseCondition(text, parse)).toThrow(message);
  });
});
