import type {SimTime} from '../../sim/core/time.js';
import {lookahead, placing} from './parameters.js';
import type {Prefetch, PrefetchPolicy, Prompt, Want} from './policy.js';

/**
 * Fetches what most often followed what came last: an order-1 Markov chain over beginnings that several sessions share, documents say, or over sessions where nothing is shared.
 *
 * Of successors equally often seen, the one seen first goes first.
 */
export const markov: Prefetch = {
  about: 'fetches the documents, or sessions, that most often followed the last one',
  params: lookahead,
  needs: null,
  placing,
  queue: () => null,
  create: ({lookahead: k}) => new Chains(k as number),
};

/** A document by its first block, or a session; never negative and negative. */
type Topic = number;

function topicOf({shared, head, session}: Prompt): Topic {
  return shared > 0 ? head : -1 - session;
}

class Chains<P extends Prompt> implements PrefetchPolicy<P> {
  readonly #lookahead: number;
  /** By topic: its prompt, as it was seen last. */
  readonly #prompts = new Map<Topic, P>();
  /** By topic: how often each other one came right after it. */
  readonly #successors = new Map<Topic, Map<Topic, number>>();
  #last: Topic | null = null;
  #wished: readonly P[] = [];

  constructor(k: number) {
    this.#lookahead = k;
  }

  queued(prompt: P): void {
    const topic = topicOf(prompt);
    if (this.#last !== null && this.#last !== topic) this.#count(this.#last, topic);
    this.#last = topic;
    this.#keep(topic, prompt);
    this.#wished = this.#likeliest(topic);
  }

  /** A session's answer is part of its next prompt; a document stays what it is. */
  ended(prompt: P): void {
    const topic = topicOf(prompt);
    if (topic < 0) this.#keep(topic, prompt);
  }

  foreseen(): void {}

  forget(session: number): void {
    const topic = -1 - session;
    this.#prompts.delete(topic);
    this.#successors.delete(topic);
    this.#wished = this.#wished.filter((prompt) => topicOf(prompt) !== topic);
    if (this.#last === topic) this.#last = null;
  }

  wishes(now: SimTime, want: Want<P>): void {
    for (const [i, prompt] of this.#wished.entries()) want(prompt, prompt.shared > 0 ? prompt.shared : prompt.blocks, now + i);
  }

  wakeAt(): SimTime {
    return Number.POSITIVE_INFINITY;
  }

  expected(): SimTime {
    return Number.POSITIVE_INFINITY;
  }

  #keep(topic: Topic, prompt: P): void {
    const known = this.#prompts.get(topic);
    // The same document from another session: the prompt that a fetch may be under way for stays.
    if (topic < 0 || known === undefined || known.shared < prompt.shared) this.#prompts.set(topic, prompt);
  }

  #count(from: Topic, to: Topic): void {
    let counts = this.#successors.get(from);
    if (counts === undefined) {
      counts = new Map();
      this.#successors.set(from, counts);
    }
    counts.set(to, (counts.get(to) ?? 0) + 1);
  }

  #likeliest(topic: Topic): P[] {
    const counts = this.#successors.get(topic);
    if (counts === undefined) return [];
    for (const to of counts.keys()) if (!this.#prompts.has(to)) counts.delete(to); // forgotten
    return [...counts]
      .sort((a, b) => b[1] - a[1]) // stable: the first seen first
      .slice(0, this.#lookahead)
      .map(([to]) => this.#prompts.get(to)!);
  }
}
