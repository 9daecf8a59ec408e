import type {Fluid, Use} from './fluid.js';
import type {SimTime} from './time.js';

/** One transfer through a channel. Times in ns. */
export interface Transfer {
  /** What the fluid calls it by: unique among the flows under way. */
  readonly tag: number;
  /** Lower goes first. */
  readonly priority: number;
  readonly delay: SimTime;
  readonly work: SimTime;
  readonly path: readonly Use[];
}

/**
 * A link's engine: at most `lanes` transfers run, the others wait by priority, then order.
 *
 * A copy engine has one lane, so equal transfers end one after the other, not all at the end.
 */
export class Channel {
  /** ns that transfers spent waiting, all together. */
  waited = 0;
  readonly #fluid: Fluid;
  readonly #lanes: number;
  readonly #waiting: {transfer: Transfer; since: SimTime}[] = [];
  #running = 0;

  constructor(fluid: Fluid, lanes: number) {
    if (!(lanes >= 1)) throw new RangeError(`a channel needs at least one lane, got ${lanes}`);
    this.#fluid = fluid;
    this.#lanes = lanes;
  }

  /** Transfers that wait for a lane. */
  get waiting(): number {
    return this.#waiting.length;
  }

  submit(transfer: Transfer, now: SimTime): void {
    if (this.#running < this.#lanes) this.#start(transfer, now);
    else {
      let at = this.#waiting.length;
      while (at > 0 && this.#waiting[at - 1].transfer.priority > transfer.priority) at--;
      this.#waiting.splice(at, 0, {transfer, since: now});
    }
  }

  /** A transfer of this channel ended: its lane goes to the next one. */
  ended(now: SimTime): void {
    this.#running--;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.waited += now - next.since;
    this.#start(next.transfer, now);
  }

  #start({tag, delay, work, path}: Transfer, now: SimTime): void {
    this.#running++;
    this.#fluid.start({tag, now, delay, work, path});
  }
}
