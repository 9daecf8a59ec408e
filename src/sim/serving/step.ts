import {BatchSums, Prediction} from '../../models/cost/cost.js';
import type {SimTime} from '../core/time.js';
import type {Waiter} from '../memory/hierarchy.js';
import type {Request} from './request.js';

/** One pass of a batch through the model, planned at once; it emits its tokens when it ends. Reused. */
export class Step implements Waiter {
  start: SimTime = 0;
  end: SimTime = 0;
  /** The decode tick that it computes, or −1 when no request decodes. */
  tick = -1;
  /** The batch of stores that must have ended before it begins: it frees places that the step writes to. 0: none. */
  gate = 0;
  /** Loads of blocks that it reads: it begins with the first layer of each, and ends one layer after the last of them has ended. */
  loads = 0;
  heads = 0;
  /** When its own work was done although a load was not, or NaN. */
  computed = Number.NaN;
  /** One layer after the last load. */
  notBefore: SimTime = 0;
  /** Requests that are loaded while it computes. */
  readonly loading = new Marks();
  /** Whether it is its turn, and it waits for its places or for a first layer. */
  waits = false;
  readonly sums = new BatchSums();
  readonly prediction: Prediction;
  /** Requests whose prompt ends here: they emit their first token, or the next one after a preemption. */
  readonly prefilled = new Marks();
  /** Requests whose last token is emitted here. */
  readonly last = new Marks();

  /** Blocks of chains that it makes, to be written below when it ends. */
  readonly produced: {readonly request: Request; readonly from: number; readonly to: number}[] = [];
  /** Chunks whose blocks get their names when it ends, with the tokens computed by then. */
  readonly toName: {readonly request: Request; readonly epoch: number; readonly tokens: number}[] = [];

  constructor(terms: number) {
    this.prediction = new Prediction(terms);
  }

  clear(): void {
    this.tick = -1;
    this.gate = 0;
    this.computed = Number.NaN;
    this.notBefore = 0;
    this.loading.clear();
    this.sums.clear();
    this.prefilled.clear();
    this.last.clear();
    if (this.produced.length > 0) this.produced.length = 0;
    if (this.toName.length > 0) this.toName.length = 0;
  }
}

/** Requests with the epoch they were marked in; a preemption makes the mark void. */
export class Marks {
  readonly requests: Request[] = [];
  readonly #epochs: number[] = [];

  add(request: Request): void {
    this.requests.push(request);
    this.#epochs.push(request.epoch);
  }

  /** Whether the i-th mark still holds. */
  holds(i: number): boolean {
    return this.requests[i].epoch === this.#epochs[i];
  }

  has(request: Request): boolean {
    const i = this.requests.indexOf(request);
    return i >= 0 && this.holds(i);
  }

  clear(): void {
    if (this.requests.length === 0) return; // setting a length costs more than most steps need
    this.requests.length = 0;
    this.#epochs.length = 0;
  }
}
