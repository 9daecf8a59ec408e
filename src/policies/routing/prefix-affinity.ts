import type {BlockId} from '../../sim/core/ids.js';
import type {ParameterValues} from '../eviction/eviction.js';
import {leastLoaded} from './least-loaded.js';
import type {ClusterView, RoutedPrompt, Router, RoutingPolicy} from './policy.js';
import {refreshParameter} from './refreshed.js';
import {roundRobin} from './round-robin.js';
import {sessionAffinity} from './session-affinity.js';

/** Where a request may go of which no replica was sent enough. */
const spills: Readonly<Record<string, RoutingPolicy>> = {
  'least-loaded': leastLoaded,
  'round-robin': roundRobin,
  'session-affinity': sessionAffinity,
};

/**
 * Sends a request to the replica that was sent most of its prompt's blocks before, from the head on; where `spill` says if none was sent enough of it.
 *
 * The router does not see caches: it remembers, for each replica, the blocks that it sent there last, `index` of them. That is a size of its own: with less than the caches hold it forgets what they still have, with more it believes in what has left
 * (llm-d-router PR #2292: an index sized from HBM alone forgot what lay below).
 */
export const prefixAffinity: RoutingPolicy = {
  about: 'each request to the replica that was sent most of its prompt before, by an index of the router',
  keepsSessions: false,
  seesPrompts: true,
  params: {
    index: {kind: 'count', default: 100_000, about: 'blocks of each replica that the router remembers; assumed'},
    match: {kind: 'share', default: 0.5, about: 'of the prompt that a replica must have been sent; else spill decides; assumed'},
    spill: {kind: 'name', names: Object.keys(spills), default: 'least-loaded', about: 'router of requests without a match'},
    view: {kind: 'name', names: ['estimated'], default: 'estimated', about: 'what it knows of caches: estimated from what it sent'},
    refresh: refreshParameter,
  },
  create: (view, params = {}) => new PrefixRouter(view, params),
};

class PrefixRouter implements Router {
  readonly #indexes: readonly Index[];
  readonly #match: number;
  readonly #others: Router;

  constructor(view: ClusterView, {index = 100_000, match = 0.5, spill = 'least-loaded', ...others}: ParameterValues) {
    this.#indexes = Array.from({length: view.replicas}, () => new Index(index as number));
    this.#match = match as number;
    this.#others = spills[spill].create(view, others);
  }

  route(session: number, prompt: RoutedPrompt | null = null): number {
    const replica = this.#known(prompt) ?? this.#others.route(session);
    if (prompt !== null) this.#indexes[replica].enter(prompt);
    return replica;
  }

  forget(base: BlockId, count: number): void {
    for (const index of this.#indexes) index.forget(base, count);
  }

  #known(prompt: RoutedPrompt | null): number | null {
    if (prompt === null || prompt.length === 0) return null;
    let best = null,
      most = Math.max(1, this.#match * prompt.length) - 1e-9;
    for (const [replica, index] of this.#indexes.entries()) {
      const found = index.matched(prompt);
      if (found > most) [best, most] = [replica, found];
    }
    return best;
  }
}

/** The blocks that were sent to one replica last, the least recent first. A `Set` keeps the order. */
class Index {
  readonly #room: number;
  readonly #blocks = new Set<BlockId>();

  constructor(room: number) {
    this.#room = room;
  }

  /** Blocks of a prompt, from its head, that are known. */
  matched(prompt: RoutedPrompt): number {
    let found = 0;
    while (found < prompt.length && this.#blocks.has(prompt[found])) found++;
    return found;
  }

  /** A prompt is sent: its blocks are the most recent, the head last to be forgotten. */
  enter(prompt: RoutedPrompt): void {
    for (let i = prompt.length - 1; i >= 0; i--) {
      this.#blocks.delete(prompt[i]);
      this.#blocks.add(prompt[i]);
    }
    for (const block of this.#blocks) {
      if (this.#blocks.size <= this.#room) return;
      this.#blocks.delete(block);
    }
  }

  forget(base: BlockId, count: number): void {
    for (let block = base; block < base + count; block++) this.#blocks.delete(block);
  }
}
