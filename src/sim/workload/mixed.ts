import type {SimTime} from '../core/time.js';
import {widened} from '../core/widened.js';
import {NEVER} from './arrivals.js';
import type {IdPool} from './block-ids.js';
import type {Stream, StreamOptions} from './stream.js';
import type {Arrival, IdRange, LeastGap, Workload} from './workload.js';

/**
 * Several streams of traffic at once, in order of time; at one time the stream that is written first goes first.
 *
 * They have the run's limits, session numbers and block ids in common, and nothing random: what one stream asks for does not depend on the others.
 */
export class Mixed implements Workload {
  readonly classes: readonly string[];
  readonly leastGap: LeastGap;
  readonly shares: boolean;
  readonly ids: IdPool;
  readonly #streams: readonly Stream[];
  /** By session: its stream. */
  #owners = new Uint16Array(1024);

  constructor(streams: readonly Stream[], {classes, ids}: Pick<StreamOptions, 'classes' | 'ids'>) {
    this.#streams = streams;
    this.classes = classes;
    this.ids = ids;
    this.leastGap = {
      withinSession: Math.min(...streams.map(({leastGap}) => leastGap.withinSession)),
      toAnother: Math.min(...streams.map(({leastGap}) => leastGap.toAnother)),
    };
    this.shares = streams.some((stream) => stream.shares);
  }

  next(): Arrival | null {
    let first = 0;
    let time: SimTime = NEVER;
    for (let i = 0; i < this.#streams.length; i++) {
      const upcoming = this.#streams[i].upcoming();
      if (upcoming >= time) continue;
      first = i;
      time = upcoming;
    }
    return this.#owned(this.#streams[first].next(), first);
  }

  follow(ended: Arrival, now: SimTime, finished: boolean): Arrival | null {
    const stream = this.#owners[ended.session];
    return this.#owned(this.#streams[stream].follow(ended, now, finished), stream);
  }

  released(session: number): IdRange {
    return this.ids.release(session);
  }

  #owned(arrival: Arrival | null, stream: number): Arrival | null {
    if (arrival === null) return null;
    const {session} = arrival;
    if (session >= this.#owners.length) this.#owners = widened(this.#owners, Math.max(session + 1, this.#owners.length * 2));
    this.#owners[session] = stream;
    return arrival;
  }
}
