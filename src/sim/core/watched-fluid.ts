import {Fluid} from './fluid.js';
import type {SimTime} from './time.js';

/** A fluid that several owners share: says so before anything in it changes, for whatever begins or ends may change the speed of all. */
export class WatchedFluid extends Fluid {
  readonly #before: (now: SimTime) => void;

  constructor(before: (now: SimTime) => void) {
    super();
    this.#before = before;
  }

  override start(flow: Parameters<Fluid['start']>[0]): number {
    this.#before(flow.now);
    return super.start(flow);
  }

  override cancel(f: number, now: SimTime): number {
    this.#before(now);
    return super.cancel(f, now);
  }

  override advance(now: SimTime, ended: number[]): void {
    this.#before(now);
    super.advance(now, ended);
  }
}
