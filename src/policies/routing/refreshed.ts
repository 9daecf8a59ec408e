import type {SimTime} from '../../sim/core/time.js';
import type {Parameter} from '../eviction/eviction.js';
import type {ClusterView} from './policy.js';

/** The parameter of routers that go by counts. */
export const refreshParameter: Parameter = {
  kind: 'duration',
  default: 0,
  about: 'age at which counts are asked for again when a request comes; 0: they are always those of the moment',
};

/**
 * Counts as a router has them that asks all replicas only when a request comes and its answers are `seconds` old; 0: it always sees them as they are.
 *
 * What it sends in between it does not add, so requests of one interval may all go one way (Mitzenmacher, How Useful Is Old Information?, 2000: the bulletin board).
 */
export function refreshed(view: ClusterView, seconds: number): ClusterView {
  return seconds === 0 ? view : new Board(view, seconds * 1e9);
}

class Board implements ClusterView {
  readonly replicas: number;
  readonly #view: ClusterView;
  readonly #interval: SimTime;
  readonly #waiting: Int32Array;
  readonly #running: Int32Array;
  #askedAt: SimTime = Number.NEGATIVE_INFINITY;

  constructor(view: ClusterView, interval: SimTime) {
    this.replicas = view.replicas;
    this.#view = view;
    this.#interval = interval;
    this.#waiting = new Int32Array(view.replicas);
    this.#running = new Int32Array(view.replicas);
  }

  now(): SimTime {
    return this.#view.now();
  }

  waiting(replica: number): number {
    this.#ask();
    return this.#waiting[replica];
  }

  running(replica: number): number {
    this.#ask();
    return this.#running[replica];
  }

  #ask(): void {
    const now = this.#view.now();
    if (now - this.#askedAt < this.#interval) return;
    this.#askedAt = now;
    for (let replica = 0; replica < this.replicas; replica++) {
      this.#waiting[replica] = this.#view.waiting(replica);
      this.#running[replica] = this.#view.running(replica);
    }
  }
}
