import {createHash} from 'node:crypto';
import {expect} from 'vitest';
import type {RunRecord} from '../../src/sim/metrics/record.js';
import type {Arrival} from '../../src/sim/workload/workload.js';
import type {ScriptedWorkload} from './scripted.js';

/** All arrivals of a workload that waits for nobody. */
export function arrivalsOf(workload: ScriptedWorkload): Arrival[] {
  const all: Arrival[] = [];
  for (let arrival = workload.next(); arrival !== null; arrival = workload.next()) all.push(arrival);
  return all;
}

/** Rows in order of arrival. */
export function inOrder({rows, id}: RunRecord['requests']): number[] {
  return Array.from({length: rows}, (_, i) => i).sort((a, b) => id[a] - id[b]);
}

/** What the slow engine says of each request, as the fast one says it, in order of arrival. */
export function naiveRows({requests: r}: RunRecord) {
  return inOrder(r).map((i) => ({
    hit: r.hit[i],
    scheduled: r.scheduled[i],
    first: r.firstToken[i],
    finished: r.finished[i],
    preemptions: r.preemptions[i],
  }));
}

/** Every request ends once; every token that was asked for was generated once; every prompt token was hit or computed. Contexts of up to 64 tokens. */
export function conserved(record: RunRecord, script: readonly {input: number; output: number}[]): void {
  const {requests: r, counters: c} = record;
  expect([...r.id].sort((a, b) => a - b)).toEqual(script.map((_, i) => i));
  expect([...r.end].every((end) => end === 0)).toBe(true);
  const wanted = script.reduce((sum, {input, output}) => sum + Math.min(output, 64 - input), 0);
  expect(c.generatedTokens - c.discardedTokens).toBe(wanted);
  for (let i = 0; i < r.rows; i++) if (r.preemptions[i] === 0) expect(r.hit[i] + r.computed[i]).toBe(r.input[i]);
  expect(c.prefillTokens).toBe(r.computed.reduce((sum, n) => sum + n, 0));
}

/** A hash of all that a run leaves behind. */
export function digest(record: RunRecord): string {
  const text = JSON.stringify(record, (_, value) => (ArrayBuffer.isView(value) ? Array.from(value as Float64Array, String) : value));
  return createHash('sha256').update(text).digest('hex');
}
