import {describe, expect, it} from 'vitest';
import {stream} from '../../../src/sim/core/random.js';
import {measured} from '../../../src/sim/metrics/measured.js';
import {mser5} from '../../../src/sim/metrics/warmup.js';
import {requestColumns} from '../../support/records.js';

describe('mser5', () => {
  const random = stream(3, 'test');

  it('cuts the ramp of a series that starts low and then is steady', () => {
    const series = Float64Array.from({length: 1000}, (_, i) => Math.min(i, 100) / 10 + random());
    expect(mser5(series)).toBeGreaterThanOrEqual(80);
    expect(mser5(series)).toBeLessThanOrEqual(130);
  });

  it('cuts nothing from a constant series', () => expect(mser5(new Float64Array(500).fill(2))).toBe(0));

  it('cuts exactly one batch of five that differs from the rest', () => {
    expect(mser5(Float64Array.from({length: 100}, (_, i) => (i < 5 ? 50 : i % 2)))).toBe(5);
  });

  it('never cuts more than a fifth, even of a series that always grows', () => {
    expect(mser5(Float64Array.from({length: 1000}, (_, i) => i))).toBe(200);
  });

  it('leaves a series alone that is too short to judge', () => {
    expect(mser5(Float64Array.from({length: 49}, (_, i) => (i < 5 ? 50 : 0)))).toBe(0);
  });
});

describe('measured', () => {
  const columns = requestColumns(
    // Ended in another order than they arrived; the second never finished.
    [
      {arrival: 3, scheduled: 3, firstToken: 4, finished: 5},
      {arrival: 1, end: 'rejected', reason: 'queue_limit'},
      {arrival: 2, scheduled: 3, firstToken: 4, finished: 9},
    ],
  );

  it('takes requests in order of arrival, from the first arrival to the last end', () => {
    const all = measured(columns, {kind: 'none'});
    expect([...all.rows]).toEqual([1, 2, 0]);
    expect([all.from, all.to]).toEqual([1e9, 9e9]);
  });

  it.each([
    [{kind: 'requests', value: 2} as const, [0], 2],
    [{kind: 'seconds', value: 1} as const, [2, 0], 1],
    [{kind: 'seconds', value: 60} as const, [], 3],
  ])('%o leaves rows %o', (rule, rows, warmup) => {
    const rest = measured(columns, rule);
    expect([...rest.rows]).toEqual(rows);
    expect(rest.warmup).toBe(warmup);
  });

  it('counts unfinished requests in the automatic cut', () => {
    // Ten arrivals at the start, of which five finish late and five are turned away; all others take 1 s. The cut is the five late ones,
    // which is the first nine arrivals.
    const rows = Array.from({length: 120}, (_, i) => ({arrival: i, scheduled: i, firstToken: i + 1, finished: i + (i < 10 ? 50 : 1)}));
    const turned = rows.map((row, i) =>
      i < 10 && i % 2 === 1 ? {arrival: i, end: 'rejected' as const, reason: 'queue_limit' as const} : row,
    );
    expect(measured(requestColumns(turned), {kind: 'auto'}).warmup).toBe(9);
  });
});
