import type {SimTime} from '../core/time.js';
import type {IdPool} from './block-ids.js';
import type {Intake} from './intake.js';
import type {Workload, WorkloadOptions} from './workload.js';

/** A workload that can stand beside others: it says when it would go on. */
export interface Stream extends Workload {
  /** The time of what `next` gives, or NEVER. */
  upcoming(): SimTime;
}

/** What a stream is created with: what it has in common with the others of a run, and its place among them. */
export interface StreamOptions extends WorkloadOptions {
  /** Its key in the scenario; its random streams and messages carry it. */
  readonly path: string;
  /** Index into `classes`, which all streams of a run have in common. */
  readonly class: number;
  readonly classes: readonly string[];
  readonly intake: Intake;
  readonly ids: IdPool;
}
