/** `continuous`: requests join whenever they fit; `static`: a batch is formed when nobody runs, and runs until its last request ends; `request`: a batch of one. */
export type Batching = 'continuous' | 'static' | 'request';

/** When waiting requests may join those that run. A sequence of a static batch that has ended computes nothing: its place stays empty, and no padding is counted. */
export class BatchGate {
  readonly #size: number;
  /** Who may still join the batch; unlimited in continuous batching. */
  #left: number;

  constructor(batching: Batching, maxNumSeqs: number) {
    this.#size = batching === 'continuous' ? Number.POSITIVE_INFINITY : batching === 'static' ? maxNumSeqs : 1;
    this.#left = batching === 'continuous' ? Number.POSITIVE_INFINITY : 0;
  }

  get isOpen(): boolean {
    return this.#left > 0;
  }

  /** Whether a batch is being formed, over several steps: its prompts do not fit into one. */
  get isForming(): boolean {
    return this.#size !== Number.POSITIVE_INFINITY && this.#left > 0;
  }

  /** A step is about to be planned, with so many waiting, running or loading: those who wait when nobody runs are the next batch. */
  update(waiting: number, running: number): void {
    if (this.#size === Number.POSITIVE_INFINITY) return;
    if (running === 0) this.#left = Math.min(waiting, this.#size);
    else if (waiting === 0) this.#left = 0;
  }

  /** One of the batch runs, or loads. */
  joined(): void {
    this.#left--;
  }

  /** The next one does not fit: the batch is complete without it, if anybody runs. */
  full(running: number): void {
    if (this.#size !== Number.POSITIVE_INFINITY && running > 0) this.#left = 0;
  }
}
