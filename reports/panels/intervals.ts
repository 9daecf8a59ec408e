import type {Report, TimelineColumn} from '../../src/sim/scenario/result.js';
import {timelineColumns} from '../../src/sim/scenario/result.js';

/** A timeline in intervals wide enough to be seen. */
export interface Intervals {
  readonly columns: Readonly<Record<TimelineColumn, Float64Array>>;
  /** Where the last interval ends, seconds. */
  readonly end: number;
  /** Rows of timeline.csv in one interval. */
  readonly merged: number;
}

/** About two pixels each on a wide screen. */
const mostIntervals = 400;

/**
 * Joins rows of the timeline until at most 400 are left. Rows are equally long, so the mean of their means is the mean of the whole;
 * tokens a step only counts rows in which a step ended.
 */
export function intervals({timeline, document}: Report): Intervals {
  const time = timeline.time_s;
  const rows = time.length;
  const merged = Math.max(1, Math.ceil(rows / mostIntervals));
  const width = rows > 1 ? time[1]! - time[0]! : document.load.makespan_s;
  const columns = Object.fromEntries(
    timelineColumns.map((name) => [
      name,
      name === 'time_s' ? everyNth(time, merged) : joined(timeline[name], merged, name === 'batch_tokens'),
    ]),
  ) as Record<TimelineColumn, Float64Array>;
  return {columns, end: rows > 0 ? time[rows - 1]! + (width > 0 ? width : 1) : 0, merged};
}

function everyNth(values: Float64Array, n: number): Float64Array {
  return values.filter((_, i) => i % n === 0);
}

function joined(values: Float64Array, n: number, withoutZeros: boolean): Float64Array {
  return Float64Array.from({length: Math.ceil(values.length / n)}, (_, group) => {
    let sum = 0;
    let count = 0;
    for (let i = group * n; i < Math.min(values.length, (group + 1) * n); i++) {
      if (!Number.isFinite(values[i]!) || (withoutZeros && values[i] === 0)) continue;
      sum += values[i]!;
      count++;
    }
    return count > 0 ? sum / count : withoutZeros ? 0 : Number.NaN;
  });
}

/** What a note below the charts says of the joining, or nothing. */
export function mergedNote({merged}: Intervals): string {
  return merged > 1 ? `Each interval here is the mean of ${merged} of timeline.csv.` : '';
}
