import {factoryOf} from '../../policies/eviction/eviction.js';
import type {BlockFacts} from '../../policies/eviction/policy.js';
import {InputError} from '../core/errors.js';
import {NO_BLOCK} from '../core/ids.js';
import {widened} from '../core/widened.js';
import type {StreamedRow} from '../traces/index.js';
import {BlockCache} from './cache.js';
import {type Candidate, needsOf} from './candidates.js';

/** Hits that were counted in one pass over a trace. */
export interface StreamedHits {
  readonly requests: number;
  readonly accesses: number;
  readonly distinct: number;
  /** By policy, its hits by size. */
  readonly policies: readonly {readonly policy: string; readonly hits: readonly number[]}[];
}

/**
 * Counts hits in one pass that holds one request at a time: memory grows with the different blocks, not with the trace.
 *
 * Candidates that need the future are left out. Throws InputError for a policy that must know the sessions, and for a trace without a request.
 */
export function streamHits(
  source: {rows(): Iterable<StreamedRow>},
  candidates: ReadonlyMap<string, Candidate>,
  sizes: readonly number[],
): StreamedHits {
  const facts = new StreamFacts();
  const online = [...candidates].filter(([, candidate]) => !needsOf(candidate).includes('nextUse'));
  const caches = online.map(([name, {policy, room, params}]) =>
    sizes.map((size) => new BlockCache(factoryOf(name, policy, params), room(size), FIRST_BLOCKS, facts)),
  );
  const all = caches.flat();
  let requests = 0,
    accesses = 0;
  for (const {time, ids} of source.rows()) {
    requests++;
    accesses += ids.length;
    const known = facts.distinct;
    const blocks = facts.enter(time, ids);
    for (const cache of all) {
      if (facts.distinct > known) cache.grow(facts.distinct);
      cache.read(blocks, 0, ids.length);
    }
  }
  if (requests === 0) throw new InputError('the trace holds no request');
  return {
    requests,
    accesses,
    distinct: facts.distinct,
    policies: online.map(([policy], i) => ({policy, hits: caches[i].map(({hits}) => hits)})),
  };
}

const FIRST_BLOCKS = 4096;

/** Numbers blocks as they are met, and knows their chains. */
class StreamFacts implements BlockFacts {
  distinct = 0;
  readonly now: () => number;
  readonly parent: (block: number) => number;
  readonly depth: (block: number) => number;
  readonly #numbers = new Map<number, number>();
  #blocks = new Int32Array(1024);
  #parents = new Int32Array(FIRST_BLOCKS);
  #depths = new Int32Array(FIRST_BLOCKS);
  #time = 0;

  constructor() {
    this.now = () => this.#time;
    this.parent = (block) => this.#parents[block];
    this.depth = (block) => this.#depths[block];
  }

  /** The numbers of a request's blocks, in an array that is written over by the next one. */
  enter(time: number, ids: readonly number[]): Int32Array {
    this.#time = time;
    if (ids.length > this.#blocks.length) this.#blocks = new Int32Array(ids.length * 2);
    for (let i = 0; i < ids.length; i++) {
      let block = this.#numbers.get(ids[i]);
      if (block === undefined) {
        this.#numbers.set(ids[i], (block = this.distinct++));
        if (block >= this.#parents.length) {
          this.#parents = widened(this.#parents, 2 * block);
          this.#depths = widened(this.#depths, 2 * block);
        }
        this.#parents[block] = i === 0 ? NO_BLOCK : this.#blocks[i - 1];
        this.#depths[block] = i;
      }
      this.#blocks[i] = block;
    }
    return this.#blocks;
  }
}
