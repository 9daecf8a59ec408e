import {fileNumber} from '../scenario/canonical.js';
import type {ResultDocument} from '../scenario/result.js';

/** Figures of a result by dotted path, without the leading `metrics.`; null: unknown. Truth values are 1 and 0. */
export type Figures = Readonly<Record<string, number | null>>;

/** Parts of a result that hold figures; the others say where they come from. */
const parts = ['throughput', 'slo', 'requests', 'load', 'hits', 'sessions', 'tiers', 'time', 'tokens', 'cost', 'plan'] as const;

/** Left out is what a sweep does not work out, intervals of the cost model's error and the bound that knows the future, and pairs of numbers, which are no figure. */
const leftOut = new Set(['interval80', 'belady', 'terms']);

/** Every number of a result, with 9 significant digits, in the order of the document. */
export function figuresOf(document: ResultDocument): Figures {
  const figures: Record<string, number | null> = {};
  collect(figures, '', document.metrics);
  // A part that this version does not have is simply not there.
  const whole: object & {readonly [part: string]: unknown} = {...document};
  for (const part of parts) collect(figures, part, whole[part]);
  addMoved(figures, document.tiers);
  return figures;
}

/** What all memories below HBM moved: `tiers.moved_bytes`, and by cause. */
function addMoved(figures: Record<string, number | null>, tiers: ResultDocument['tiers']): void {
  const moved = Object.values(tiers).flatMap(({moved_bytes: bytes}) => (bytes === null ? [] : Object.entries(bytes)));
  if (moved.length === 0) return;
  const add = (path: string, bytes: number) => {
    figures[path] = (figures[path] ?? 0) + bytes;
  };
  for (const [cause, bytes] of moved) {
    add('tiers.moved_bytes', bytes);
    add(`tiers.moved_bytes.${cause}`, bytes);
  }
}

function collect(figures: Record<string, number | null>, path: string, value: unknown): void {
  if (typeof value === 'number') figures[path] = fileNumber(value);
  else if (typeof value === 'boolean') figures[path] = value ? 1 : 0;
  else if (value === null) figures[path] = null;
  else if (typeof value === 'object' && !Array.isArray(value)) {
    for (const [name, inner] of Object.entries(value))
      if (!leftOut.has(name)) collect(figures, path === '' ? name : `${path}.${name}`, inner);
  }
}
