import {fileNumber} from '../../src/sim/scenario/canonical.js';
import type {Report} from '../../src/sim/scenario/result.js';

/**
 * The report with every number as result files carry it.
 *
 * So a page drawn at the end of a run and one drawn again from the files are equal to the byte.
 */
export function settled({document, sample, timeline}: Report): Report {
  return {document: settledValue(document) as Report['document'], sample: settledColumns(sample), timeline: settledColumns(timeline)};
}

function settledNumber(value: number): number {
  return Number.isFinite(value) ? fileNumber(value) : value;
}

/** Any value of a document with every number as result files carry it; what is not finite is null. */
export function settledValue(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? settledNumber(value) : null;
  if (Array.isArray(value)) return value.map(settledValue);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, settledValue(item)]));
}

function settledColumns<T extends Readonly<Record<string, Float64Array>>>(columns: T): T {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.map(settledNumber)])) as T;
}
