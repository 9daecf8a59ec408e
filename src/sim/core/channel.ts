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
  /** By tag: the flow of each transfer that runs. */
  readonly #flows = new Map<number, number>();

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
    else this.#queue({transfer, since: now});
  }

  /** A transfer that waits for a lane goes before those of a higher number from now on; without effect once it runs. */
  raise(tag: number, priority: number): void {
    const at = this.#waiting.findIndex(({transfer}) => transfer.tag === tag);
    if (at < 0) return;
    const [{transfer, since}] = this.#waiting.splice(at, 1);
    this.#queue({transfer: {...transfer, priority}, since});
  }

  /** Whether a transfer waits for a lane. */
  isWaiting(tag: number): boolean {
    return this.#waiting.some(({transfer}) => transfer.tag === tag);
  }

  /** Takes a transfer out, waiting or running, and gives its lane to the next one. Returns the share of its work that was done. */
  cancel(tag: number, now: SimTime): number {
    const at = this.#waiting.findIndex(({transfer}) => transfer.tag === tag);
    if (at >= 0) {
      this.waited += now - this.#waiting[at].since;
      this.#waiting.splice(at, 1);
      return 0;
    }
    const done = this.#fluid.cancel(this.#flows.get(tag)!, now);
    this.ended(tag, now);
    return done;
  }

  /** A transfer of this channel ended: its lane goes to the next one. */
  ended(tag: number, now: SimTime): void {
    this.#flows.delete(tag);
    this.#running--;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.waited += now - next.since;
    this.#start(next.transfer, now);
  }

  #queue(entry: {transfer: Transfer; since: SimTime}): void {
    let at = this.#waiting.length;
    while (at > 0 && this.#waiting[at - 1].transfer.priority > entry.transfer.priority) at--;
    this.#waiting.splice(at, 0, entry);
  }

  #start({tag, delay, work, path}: Transfer, now: SimTime): void {
    this.#running++;
    this.#flows.set(tag, this.#fluid.start({tag, now, delay, work, path}));
  }
}
