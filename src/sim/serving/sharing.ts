import type {BlockFacts} from '../../policies/eviction/policy.js';
import type {Clock, SimTime} from '../core/time.js';
import {WatchedFluid} from '../core/watched-fluid.js';
import type {BlockOwners} from '../memory/block-pool.js';
import type {HierarchyConfig} from '../memory/hierarchy-config.js';
import {SharedMemories} from '../memory/shared-memories.js';
import type {ReplicaRecord} from '../metrics/record.js';
import type {Recorder} from '../metrics/recorder.js';

/** What memories are shared with. */
export interface SharingParts {
  readonly config: HierarchyConfig;
  readonly owners: BlockOwners;
  readonly facts: BlockFacts;
  readonly recorder: Recorder;
  readonly clock: Clock;
  /** Called before anything changes in the fluid: whoever has flows in it is to be recorded. */
  readonly onStir: (now: SimTime) => void;
}

/** The memories that replicas share, the fluid that all flows of all of them are in, and what is recorded of both. */
export class Sharing {
  readonly fluid: WatchedFluid;
  readonly memories: SharedMemories;
  /** Whether anything began or ended in the fluid since it was set to false. */
  stirred = false;
  readonly #recorder: Recorder;
  #recordedAt = -1;

  constructor({config, owners, facts, recorder, clock, onStir}: SharingParts) {
    this.#recorder = recorder;
    this.fluid = new WatchedFluid((now) => {
      this.stirred = true;
      this.#record(now);
      onStir(now);
    });
    this.memories = new SharedMemories({config, fluid: this.fluid, owners, facts, beforeChange: () => this.#record(clock.now)});
  }

  /** The run ended at `now`. */
  take(now: SimTime): ReplicaRecord {
    this.#record(now);
    const {counters, record} = this.memories;
    return this.#recorder.take({evictions: 0, duplicateBlocks: 0, tiers: counters, resources: record});
  }

  /** What stood until `now` is written down, once: before the first change at that time. */
  #record(now: SimTime): void {
    if (now === this.#recordedAt) return;
    this.#recordedAt = now;
    const flows = this.fluid.size > 0 ? this.memories.flowing() : undefined;
    this.#recorder.advance(now, 0, 0, 0, 0, 0, this.memories.used, flows);
  }
}
