import type {Chain} from '../workload/chain.js';
import type {BlockPool, NamedBlocks} from './block-pool.js';
import type {ChainNotes} from './chain-notes.js';

/** Hears what each replica names: where memories are shared, an endless cache has it for all of them. */
export class SharedNames implements NamedBlocks {
  readonly #notes: ChainNotes | null;
  readonly #pools: readonly BlockPool[];

  /** `pools` may grow until the run begins; `notes` as one replica alone would have them. */
  constructor(pools: readonly BlockPool[], notes: ChainNotes | null) {
    this.#pools = pools;
    this.#notes = notes;
  }

  note(chain: Chain, from: number, to: number): void {
    this.#notes?.note(chain, from, to);
    for (const pool of this.#pools) pool.see(chain, from, to);
  }

  forget(base: number, count: number): void {
    this.#notes?.forget(base, count);
  }
}
