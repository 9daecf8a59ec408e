import {type EvictionBound, evictionBounds} from '../../policies/eviction/bounds.js';
import {defaultsOf, type Eviction, factoryOf, type ParameterValues} from '../../policies/eviction/eviction.js';
import {evictionPolicies} from '../../policies/eviction/index.js';
import type {BlockFacts, Fact} from '../../policies/eviction/policy.js';
import type {Trace} from '../traces/trace.js';
import {BlockCache, nextUses} from './cache.js';
import {TraceFacts} from './trace-facts.js';

/** A policy or bound with its parameters; those left out have their defaults. */
export interface Candidate extends EvictionBound {
  readonly params?: ParameterValues;
}

/** Every policy and bound that can be tried on a trace, by name. */
export const hitCandidates: Readonly<Record<string, Candidate>> = {
  ...Object.fromEntries(Object.entries(evictionPolicies).map(([name, policy]) => [name, candidateOf(policy)])),
  ...evictionBounds,
};

/** A policy that has the room that there is. */
export function candidateOf(policy: Eviction): Candidate {
  return {about: policy.about, policy, room: (capacity) => capacity};
}

/** One line of a table of hits: how many accesses hit, by size. */
export interface HitRow {
  readonly policy: string;
  readonly hits: readonly number[];
}

type Rows = Pick<Trace, 'rows' | 'times' | 'inputs' | 'offsets' | 'ids' | 'distinct' | 'blockSize' | 'sessions'>;

/** Hits of each candidate at each size, in blocks. Throws InputError for a policy that must know what a trace does not say. */
export function hitTable(trace: Rows, candidates: ReadonlyMap<string, Candidate>, sizes: readonly number[]): HitRow[] {
  const needs = [...candidates.values()].flatMap(needsOf);
  const future = needs.includes('nextUse') ? nextUses(trace) : null;
  const facts = needs.some((fact) => fact !== 'nextUse') ? new TraceFacts(trace) : null;
  return [...candidates].map(([name, candidate]) => ({
    policy: name,
    hits: sizes.map((size) => hitsOf(trace, name, candidate, size, facts ?? {}, future)),
  }));
}

/** What a candidate must know of blocks. */
export function needsOf({policy, params}: Candidate): readonly Fact[] {
  return policy.needs({...defaultsOf(policy), ...params});
}

function hitsOf(
  trace: Rows,
  name: string,
  candidate: Candidate,
  size: number,
  facts: BlockFacts | TraceFacts,
  future: Float64Array | null,
): number {
  const {policy, room, params} = candidate;
  const needs = needsOf(candidate);
  const ahead = needs.includes('nextUse') ? future : null;
  const cache = new BlockCache(factoryOf(name, policy, params), room(size), trace.distinct, facts, ahead !== null);
  if (needs.includes('now')) {
    for (let row = 0; row < trace.rows; row++) {
      (facts as TraceFacts).row = row;
      cache.read(trace.ids, trace.offsets[row], trace.offsets[row + 1], ahead);
    }
  } else cache.read(trace.ids, 0, trace.ids.length, ahead);
  return cache.hits;
}
