import {belady} from './belady.js';
import {beladyBypass} from './belady-bypass.js';
import type {Eviction} from './eviction.js';
import {fifo} from './fifo.js';

/** What no policy can beat, or what every policy beats: printed beside the policies. */
export interface EvictionBound {
  /** Completes "<name> …": one line for `tiercast list policies`. */
  readonly about: string;
  readonly policy: Eviction;
  /** Blocks that a tier has under the bound, when it really has `capacity`. */
  room(capacity: number): number;
}

/** Every bound by the name that tables use. */
export const evictionBounds = {
  belady: {about: belady.about, policy: belady, room: (capacity) => capacity},
  'belady-bypass': {about: beladyBypass.about, policy: beladyBypass, room: (capacity) => capacity},
  infinite: {about: 'nothing ever leaves', policy: fifo, room: () => Infinity},
  none: {about: 'nothing ever stays', policy: fifo, room: () => 0},
} satisfies Record<string, EvictionBound>;

export type EvictionBoundName = keyof typeof evictionBounds;
