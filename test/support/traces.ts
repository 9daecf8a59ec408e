import {readTrace} from '../../src/sim/traces/index.js';
import type {Trace} from '../../src/sim/traces/trace.js';

/** A trace in Mooncake's format from rows of [ms, input, output, ids]. */
export function mooncakeTrace(rows: readonly (readonly [time: number, input: number, output: number, ids: readonly number[]])[]): Trace {
  return readTrace(new TextEncoder().encode(mooncakeText(rows)), 'made.jsonl');
}

export function mooncakeText(rows: readonly (readonly [number, number, number, readonly number[]])[]): string {
  return rows
    .map(([timestamp, input_length, output_length, hash_ids]) => JSON.stringify({timestamp, input_length, output_length, hash_ids}))
    .join('\n');
}
