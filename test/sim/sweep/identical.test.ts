import {beforeAll, describe, expect, it} from 'vitest';
import type {RunRecord, TierRecord} from '../../../src/sim/metrics/record.js';
import {sweepDocument} from '../../../src/sim/sweep/document.js';
import {eventsOf} from '../../../src/sim/sweep/events.js';
import {inProcess} from '../../../src/sim/sweep/executors/in-process.js';
import {identical} from '../../../src/sim/sweep/identical.js';
import type {Row} from '../../../src/sim/sweep/rows.js';
import {runRecord} from '../../support/records.js';
import {memoryStore, rowsIn, studyOf, withStudy} from '../../support/studies.js';

const axis = (name: string, ...labels: string[]) => ({name, path: null, values: labels.map((label) => ({label, changes: []}))});

/** Rows of points whose runs were these events, one letter each; `.`: it did not run. */
const rowsWith = (events: string) => [...events].map((letter, point) => ({point, events: letter === '.' ? null : letter}) as Row);

describe('values of an axis are identical', () => {
  const axes = [axis('policy', 'a', 'b', 'c'), axis('traffic', 'x', 'y')];

  it.each([
    // a at x and y, b at x and y, c at x and y
    ['the same at every setting', 'pqpqrs', [['policy', ['a', 'b'], 2, 2]]],
    ['all three', 'pqpqpq', [['policy', ['a', 'b', 'c'], 2, 2]]],
    ['the same at one setting of two', 'pqpzrs', [['policy', ['a', 'b'], 1, 2]]],
    ['where both ran', 'pqp.rs', [['policy', ['a', 'b'], 1, 1]]],
    ['nowhere', 'pqrstu', []],
    ['along the other axis', 'ppqrst', [['traffic', ['x', 'y'], 1, 3]]],
    [
      'everywhere first',
      'pqpzps',
      [
        ['policy', ['a', 'b'], 1, 2],
        ['policy', ['a', 'c'], 1, 2],
        ['policy', ['b', 'c'], 1, 2],
      ],
    ],
  ])('%s', (_what, events, found) => {
    expect(identical(axes, rowsWith(events)).map(({axis: name, values, settings, of}) => [name, values, settings, of])).toEqual(found);
  });
});

describe('what happened in runs', () => {
  const tier: TierRecord = {
    name: 'dram',
    readBytes: 100,
    prefetched: {useful: 0, late: 0, wasted: 0},
    writtenBytes: 200,
    evictions: 3,
    refused: 0,
    distances: new Float64Array(),
    usedBlocks: {mean: 1, max: 2},
  };
  const run = (change: Partial<TierRecord>): RunRecord => ({...runRecord([{arrival: 0, finished: 1}]), tiers: [{...tier, ...change}]});
  const same = eventsOf([run({})]);

  it('is equal when steps, ends and moves are', () => expect(eventsOf([run({name: 'ssd', usedBlocks: {mean: 9, max: 9}})])).toBe(same));

  it.each([
    [{readBytes: 101}],
    [{writtenBytes: 201}],
    [{evictions: 4}],
    [{refused: 1}],
    [{prefetched: {useful: 1, late: 0, wasted: 0}}],
    [{prefetched: {useful: 0, late: 0, wasted: 1}}],
  ])('differs when the same steps moved other bytes: %o', (change) => expect(eventsOf([run(change)])).not.toBe(same));

  it('differs with the steps, and with the order of replications', () => {
    const [a, b] = [run({}), {...run({}), eventLog: '0000000100000002'}];
    expect(eventsOf([b])).not.toBe(same);
    expect(eventsOf([a, b])).not.toBe(eventsOf([b, a]));
  });
});

describe('a study finds out by itself', () => {
  const study = withStudy(`  axes:
    kv.tiers.hbm.eviction: [lru, predicted, lfu]
    workload.arrivals.rate: [1 session/s, 2 session/s]
`)
    .replace(
      /^workload: .*$/m,
      `kv: {blocks: 600, tiers: {dram: {capacity: 2 GiB}}}
workload: {kind: chat, arrivals: 1 session/s, turns: 4, think_time: 5 s}`,
    )

    .replace('hardware: h100-sxm', 'hardware: {device: h100-sxm, memory: {dram: 8 GiB}}');
  let found: ReturnType<typeof sweepDocument>['identical'];
  beforeAll(async () => {
    const rows = await rowsIn(await inProcess(1), memoryStore(), study.replace('requests: 30', 'requests: 150'));
    found = sweepDocument('s', await studyOf(study), rows).identical;
  });

  it('that naive `predicted` is recency by another name, and frequency is not', () => {
    expect(found).toEqual([{axis: 'kv.tiers.hbm.eviction', values: ['lru', 'predicted'], settings: 2, of: 2}]);
  });
});
