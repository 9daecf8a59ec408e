import {describe, expect, it} from 'vitest';
import {readTrace} from '../../../src/sim/traces/index.js';
import type {Reuse} from '../../../src/sim/traces/reuse.js';
import {quantile} from '../../../src/sim/traces/spread.js';
import {describeTrace} from '../../../src/sim/traces/statistics.js';
import {noSharedData, sharedData} from '../../support/shared-data.js';
import {mooncakeTrace} from '../../support/traces.js';

/** The distances of a reuse, one by one. */
function listed({distances}: Reuse): number[] {
  return Array.from({length: distances.total}, (_, i) => distances.quantile(distances.total === 1 ? 0 : i / (distances.total - 1)));
}

it('measures lengths and arrivals', () => {
  const {span, input, output, arrivals} = describeTrace(
    mooncakeTrace([
      [0, 100, 10, [0]],
      [0, 200, 20, [1]],
      [4000, 300, 30, [2]],
      [6000, 500, 60, [3]],
    ]),
  );
  expect(span).toBe(6);
  expect(input).toEqual({mean: 275, p50: 250, p95: expect.closeTo(470), min: 100, max: 500, total: 1100});
  expect(output.mean).toBe(30);
  // gaps 0, 4, 2: mean 2, variance 8/3
  expect(arrivals).toEqual({rate: 0.5, cv: expect.closeTo(Math.sqrt(8 / 3) / 2), tied: 1, step: 4, resolution: 2});
});

it('has no rate when all come at one time', () => {
  expect(describeTrace(mooncakeTrace([[5, 10, 1, [0]]])).arrivals).toEqual({rate: null, cv: null, tied: 0, step: 0, resolution: 0});
});

it('measures reuse: accesses with the partial last block, whole blocks without it', () => {
  const {reuse} = describeTrace(
    mooncakeTrace([
      [0, 1100, 1, [0, 1, 2]],
      [1, 1100, 1, [0, 1, 2]],
      [2, 1024, 1, [0, 3]],
    ]),
  );
  // Second row: 0, 1 and 2 come again after two other blocks; third row: 0 after 1 and 2.
  expect(reuse).toMatchObject({accesses: 8, distinct: 4, hits: 4, wholeBlocks: 6, wholeHits: 3, chained: true});
  expect(listed(reuse!)).toEqual([2, 2, 2, 2]);
});

it('a reuse distance counts different blocks, not accesses', () => {
  const {reuse} = describeTrace(mooncakeTrace([0, 1, 1, 1, 2, 0].map((id, i) => [i, 512, 1, [id]])));
  expect(listed(reuse!)).toEqual([0, 0, 2]);
});

it('ids are chained when each always follows the same one', () => {
  const chained = (...ids: number[][]) => describeTrace(mooncakeTrace(ids.map((row, i) => [i, 512 * row.length, 1, row]))).reuse!.chained;
  expect(chained([0, 1, 2], [0, 1, 3], [4])).toBe(true);
  expect(chained([0, 1, 2], [3, 1])).toBe(false);
  expect(chained([0, 1], [1])).toBe(false);
});

it('quantiles are interpolated as numpy does', () => {
  expect([0, 0.25, 0.5, 0.95, 1].map((share) => quantile([1, 2, 4, 8], share))).toEqual([1, 1.75, 3, expect.closeTo(7.4), 8]);
});

describe.skipIf(noSharedData !== null)(`recorded traces${noSharedData === null ? '' : ` (skipped: ${noSharedData})`}`, () => {
  it('Mooncake: 105,710 of 288,500 accesses, 105,592 of 276,491 whole blocks, chained', () => {
    const {reuse, arrivals} = describeTrace(readTrace(sharedData('traces/mooncake_conversation.jsonl.gz'), 'm'));
    expect(reuse).toMatchObject({accesses: 288_500, hits: 105_710, wholeBlocks: 276_491, wholeHits: 105_592, chained: true});
    expect(arrivals.tied).toBe(10_851);
  });

  it('Azure: 5.53 requests a second, CV 1.09', () => {
    const {arrivals} = describeTrace(readTrace(sharedData('traces/azure_llm_2023_conv.csv.gz'), 'a'));
    expect([arrivals.rate!.toFixed(2), arrivals.cv!.toFixed(2)]).toEqual(['5.53', '1.09']);
  });
});
