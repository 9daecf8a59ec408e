import type {Fluid} from '../core/fluid.js';
import type {Hierarchy} from '../memory/hierarchy.js';
import type {Prefetcher} from './prefetcher.js';

/** The tiers below HBM, and the law that steps and transfers share them by. */
export interface Below {
  readonly hierarchy: Hierarchy;
  readonly fluid: Fluid;
  /** What the fluid calls the replica's executing step. */
  readonly tag: number;
  /** Flows of this replica; while there are none, nothing that flows touches it. */
  readonly flows: {readonly size: number};
  /** Load what lies below, never, or when that is predicted to be sooner than computing it. */
  readonly load: 'always' | 'never' | 'cheaper';
  /** Tokens of the shortest load: less is computed. */
  readonly leastTokens: number;
  /** Null: nothing is loaded before it is asked for. */
  readonly prefetcher: Prefetcher | null;
}
