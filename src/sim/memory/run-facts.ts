import type {BlockFacts, EvictionFactory, Fact} from '../../policies/eviction/policy.js';
import type {Clock} from '../core/time.js';
import {ChainNotes} from './chain-notes.js';

/** What a run tells eviction policies of blocks; sizes are all alike, nobody gives priorities or expiries, and the future belongs to bounds. */
export const factsOfRuns = ['parent', 'depth', 'recompute', 'session', 'now'] as const satisfies readonly Fact[];

/** What one replica knows of its blocks. */
export interface RunFacts {
  readonly facts: BlockFacts;
  /** To be told of every block that is named; null: no policy of the replica asks for chains. */
  readonly notes: ChainNotes | null;
}

/** Facts for the policies of one replica; only what one of them asks for is noted. `recompute` gives seconds by depth. */
export function runFacts(
  policies: readonly EvictionFactory[],
  known: {readonly clock: Clock; readonly session: (block: number) => number; readonly recompute: (depth: number) => number},
): RunFacts {
  const {clock, session, recompute} = known;
  const asked = new Set(policies.flatMap(({facts = []}) => facts));
  const notes = asked.has('parent') || asked.has('depth') || asked.has('recompute') ? new ChainNotes() : null;
  const now = () => clock.now;
  if (notes === null) return {notes, facts: {session, now}};
  return {
    notes,
    facts: {
      session,
      now,
      parent: (block) => notes.parent(block),
      depth: (block) => notes.depth(block),
      recompute: (block) => recompute(notes.depth(block)),
    },
  };
}
