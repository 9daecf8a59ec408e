import {type EvictionBound, evictionBounds} from '../../policies/eviction/bounds.js';
import {factoryOf} from '../../policies/eviction/eviction.js';
import {evictionPolicies} from '../../policies/eviction/index.js';
import type {BlockFacts} from '../../policies/eviction/policy.js';
import type {Trace} from '../traces/trace.js';
import {BlockCache, nextUses} from './cache.js';
import {TraceFacts} from './trace-facts.js';

/** Every policy and bound that can be tried on a trace, by name. */
export const hitCandidates: Readonly<Record<string, EvictionBound>> = {
  ...Object.fromEntries(Object.entries(evictionPolicies).map(([name, policy]) => [name, {about: policy.about, policy, room: sameRoom}])),
  ...evictionBounds,
};

function sameRoom(capacity: number): number {
  return capacity;
}

/** One line of a table of hits: how many accesses hit, by size. */
export interface HitRow {
  readonly policy: string;
  readonly hits: readonly number[];
}

type Rows = Pick<Trace, 'rows' | 'times' | 'inputs' | 'offsets' | 'ids' | 'distinct' | 'blockSize'>;

/** Hits of each candidate at each size, in blocks. Throws InputError for a policy that must know what a trace does not say. */
export function hitTable(trace: Rows, candidates: ReadonlyMap<string, EvictionBound>, sizes: readonly number[]): HitRow[] {
  const needs = [...candidates.values()].flatMap(({policy}) => policy.needs({}));
  const future = needs.includes('nextUse') ? nextUses(trace) : null;
  const facts = needs.some((fact) => fact !== 'nextUse') ? new TraceFacts(trace) : null;
  return [...candidates].map(([name, candidate]) => ({
    policy: name,
    hits: sizes.map((size) => hitsOf(trace, name, candidate, size, facts ?? {}, future)),
  }));
}

function hitsOf(
  trace: Rows,
  name: string,
  {policy, room}: EvictionBound,
  size: number,
  facts: BlockFacts | TraceFacts,
  future: Float64Array | null,
): number {
  const needs = policy.needs({});
  const ahead = needs.includes('nextUse') ? future : null;
  const cache = new BlockCache(factoryOf(name, policy), room(size), trace.distinct, facts, ahead !== null);
  if (needs.includes('now')) {
    for (let row = 0; row < trace.rows; row++) {
      (facts as TraceFacts).row = row;
      cache.read(trace.ids, trace.offsets[row], trace.offsets[row + 1], ahead);
    }
  } else cache.read(trace.ids, 0, trace.ids.length, ahead);
  return cache.hits;
}
