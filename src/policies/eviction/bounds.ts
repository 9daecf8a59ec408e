import {belady} from './belady.js';
import {fifo} from './fifo.js';
import type {EvictionFactory} from './policy.js';

/** What no policy can beat, or what every policy beats: printed beside the policies. */
export interface EvictionBound {
  readonly create: EvictionFactory;
  /** Whether `EvictionContext.nextUse` must be there. */
  readonly needsFuture: boolean;
  /** Blocks that a tier has under the bound, when it really has `capacity`. */
  room(capacity: number): number;
}

/** Every bound by the name that tables use. */
export const evictionBounds = {
  /** The best that demand fetching can do at this size. */
  belady: {create: belady, needsFuture: true, room: (capacity) => capacity},
  /** Nothing ever leaves, so any policy will do. */
  infinite: {create: fifo, needsFuture: false, room: () => Infinity},
  /** Nothing ever stays. */
  none: {create: fifo, needsFuture: false, room: () => 0},
} satisfies Record<string, EvictionBound>;

export type EvictionBoundName = keyof typeof evictionBounds;
