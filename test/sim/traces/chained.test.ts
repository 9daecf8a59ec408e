import {describe, expect, it} from 'vitest';
import {stream} from '../../../src/sim/core/random.js';
import {chainedIds, isChained} from '../../../src/sim/traces/chained.js';
import {describeTrace} from '../../../src/sim/traces/statistics.js';
import {mooncakeTrace} from '../../support/traces.js';
import {idsOf, served, workload} from '../../support/workloads.js';

const trace = (...rows: number[][]) => mooncakeTrace(rows.map((ids, i) => [i, 512 * ids.length, 1, ids]));
const rowsOf = ({rows, offsets, ids}: ReturnType<typeof trace>) =>
  Array.from({length: rows}, (_, row) => [...ids.subarray(offsets[row], offsets[row + 1])]);

describe('ids of blocks alone (one hash a block, not chained) become ids of prefixes', () => {
  it('so that an equal block behind different text is another block', () => {
    const chained = chainedIds(trace([7, 9], [8, 9], [7, 9, 9]));
    expect(rowsOf(chained)).toEqual([
      [0, 1],
      [2, 3],
      [0, 1, 4],
    ]);
    expect([chained.distinct, isChained(chained)]).toEqual([5, true]);
    expect(chained.notes.at(-1)!.code).toBe('ids_chained');
    // As written, 9 would be found three times; only the first two blocks of the last row are.
    expect(describeTrace(chained).reuse!.hits).toBe(2);
  });

  it('and ids that are chained stay as they are', () => {
    const chained = trace([0, 1, 2], [0, 1, 3], [4]);
    expect(chainedIds(chained)).toBe(chained);
  });

  it('equal prefixes have equal ids, different ones different ids, in random texts of few words', () => {
    const random = stream(3, 'test/chained');
    const rows = Array.from({length: 400}, () => Array.from({length: 1 + Math.floor(random() * 6)}, () => Math.floor(random() * 3)));
    const chained = rowsOf(chainedIds(trace(...rows)));
    const ids = new Map<string, number>();
    const texts = new Map<number, string>();
    rows.forEach((row, r) => {
      row.forEach((_, i) => {
        const text = row.slice(0, i + 1).join(' ');
        expect(ids.get(text) ?? chained[r][i]).toBe(chained[r][i]);
        expect(texts.get(chained[r][i]) ?? text).toBe(text);
        ids.set(text, chained[r][i]);
        texts.set(chained[r][i], text);
      });
    });
    expect(ids.size).toBeGreaterThan(300);
  });
});

describe('ids are compared whole', () => {
  // Equal in their low 32 bits, or equal as 32-bit floats: a truncated key would take them for one.
  const wide = [1, 2 ** 32 + 1, 2 ** 52 + 1, 2 ** 52 + 3, 2 ** 53 - 1, 2 ** 31, 0];

  it('so that ids that differ in their high or low bits alone are different blocks', () => {
    const {reuse} = describeTrace(trace(...wide.map((id) => [id]), [2 ** 32 + 1]));
    expect([reuse!.distinct, reuse!.hits]).toEqual([wide.length, 1]);
  });

  it('and share nothing when they are replayed', () => {
    const recorded = trace(...wide.map((id) => [id]));
    const arrivals = served(workload({kind: 'replay', trace: recorded, arrivals: null}, {limit: {}, blockSize: 512}), 1);
    expect(new Set(arrivals.map((arrival) => idsOf(arrival)[0])).size).toBe(wide.length);
  });
});
