import {widened} from '../core/widened.js';
import type {BlockOwners} from '../memory/block-pool.js';
import {type IdRange, NO_OWNER, type Workload} from '../workload/workload.js';

/** Counts the resident blocks of each session, so that the ids of an ended one are used again when its last block has left. */
export class SessionBlocks implements BlockOwners {
  readonly #workload: Workload;
  readonly #forget: (range: IdRange, session: number) => void;
  /** By session: resident blocks. */
  #resident = new Int32Array(1024);
  #ended = new Uint8Array(1024);

  /** `forget` is told of each range that goes back, and whose it was. */
  constructor(workload: Workload, forget: (range: IdRange, session: number) => void) {
    this.#workload = workload;
    this.#forget = forget;
  }

  /** The session that alone uses a block, or NO_OWNER. */
  owner(id: number): number {
    return this.#workload.ids.owner(id);
  }

  entered(id: number): void {
    const session = this.#workload.ids.owner(id);
    if (session === NO_OWNER) return;
    if (session >= this.#resident.length) this.#grow(session);
    this.#resident[session]++;
  }

  left(id: number): void {
    const session = this.#workload.ids.owner(id);
    if (session === NO_OWNER) return;
    if (--this.#resident[session] === 0 && this.#ended[session] === 1) this.#release(session);
  }

  /** No request of the session will come any more. */
  ended(session: number): void {
    if (session >= this.#resident.length) this.#grow(session);
    this.#ended[session] = 1;
    if (this.#resident[session] === 0) this.#release(session);
  }

  #release(session: number): void {
    this.#forget(this.#workload.released(session), session);
  }

  #grow(session: number): void {
    let length = this.#resident.length;
    while (length <= session) length *= 2;
    this.#resident = widened(this.#resident, length);
    this.#ended = widened(this.#ended, length);
  }
}
