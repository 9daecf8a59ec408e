import type {Timeline} from './record.js';

const FIRST_WIDTH = 1e6; // 1 ms
const ROWS = 2000;
const NONE = new Int32Array(0);
const NO_FLOWS = new Float64Array(0);

/**
 * Integrals over time in at most 2,000 equal intervals.
 *
 * The end of the run is not known before, so the intervals start at 1 ms and double, two becoming one, whenever they would be too many.
 */
export class GrowingTimeline {
  readonly #columns: number;
  #width = FIRST_WIDTH;
  #row = 0;
  #end = FIRST_WIDTH;
  #at = 0;
  readonly #running = new Float64Array(ROWS);
  readonly #waiting = new Float64Array(ROWS);
  readonly #held = new Float64Array(ROWS);
  readonly #cached = new Float64Array(ROWS);
  readonly #loading = new Float64Array(ROWS);
  readonly #tiers: readonly Float64Array[];
  readonly #flows: readonly Float64Array[];
  readonly #tokenTime = new Float64Array(ROWS);
  readonly #stepTime = new Float64Array(ROWS);
  readonly #bounds: Float64Array;

  /** How many bounds a step's seconds are split into, and how many memories there are below HBM, and resources that transfers share. */
  constructor(bounds: number, tiers = 0, resources = 0) {
    this.#flows = Array.from({length: resources}, () => new Float64Array(ROWS));
    this.#tiers = Array.from({length: tiers}, () => new Float64Array(ROWS));
    this.#columns = bounds;
    this.#bounds = new Float64Array(ROWS * bounds);
  }

  /** The state held from the last call to `now`; `flows`: B/s by resource, empty: nothing flowed. */
  advance(
    now: number,
    running: number,
    waiting: number,
    held: number,
    cached: number,
    loading = 0,
    tiers: Int32Array = NONE,
    flows: Float64Array = NO_FLOWS,
  ): void {
    while (now > this.#end) {
      this.#add(this.#end - this.#at, running, waiting, held, cached, loading, tiers, flows);
      this.#at = this.#end;
      this.#next();
    }
    this.#add(now - this.#at, running, waiting, held, cached, loading, tiers, flows);
    this.#at = now;
  }

  /** A step of `tokens` ended just now, after `seconds`; it counts where it ends. */
  step(tokens: number, seconds: number, byBound: Float64Array): void {
    const row = this.#row;
    this.#tokenTime[row] += tokens * seconds;
    this.#stepTime[row] += seconds;
    for (let b = 0; b < this.#columns; b++) this.#bounds[row * this.#columns + b] += byBound[b];
  }

  take(): Timeline {
    const rows = this.#at > 0 ? this.#row + 1 : 0;
    const last = rows - 1;
    const mean = (sums: Float64Array) =>
      sums.slice(0, rows).map((sum, i) => sum / (i === last ? this.#at - last * this.#width || this.#width : this.#width));
    return {
      width: this.#width,
      rows,
      running: mean(this.#running),
      waiting: mean(this.#waiting),
      kvHeldBlocks: mean(this.#held),
      kvCachedBlocks: mean(this.#cached),
      loading: mean(this.#loading),
      tierBlocks: this.#tiers.map(mean),
      flowBytes: this.#flows.map(mean),
      batchTokens: this.#tokenTime.slice(0, rows).map((sum, i) => (this.#stepTime[i] > 0 ? sum / this.#stepTime[i] : 0)),
      stepSeconds: this.#stepTime.slice(0, rows),
      boundSeconds: this.#bounds.slice(0, rows * this.#columns),
    };
  }

  #add(
    time: number,
    running: number,
    waiting: number,
    held: number,
    cached: number,
    loading: number,
    tiers: Int32Array,
    flows: Float64Array,
  ): void {
    const row = this.#row;
    this.#running[row] += running * time;
    this.#waiting[row] += waiting * time;
    this.#held[row] += held * time;
    this.#cached[row] += cached * time;
    this.#loading[row] += loading * time;
    for (let t = 0; t < this.#tiers.length; t++) this.#tiers[t][row] += tiers[t] * time;
    for (let r = 0; r < flows.length; r++) this.#flows[r][row] += flows[r] * time;
  }

  #next(): void {
    if (this.#row + 1 === ROWS) this.#halve();
    this.#row++;
    this.#end = (this.#row + 1) * this.#width;
  }

  #halve(): void {
    for (const sums of [
      this.#running,
      this.#waiting,
      this.#held,
      this.#cached,
      this.#loading,
      ...this.#tiers,
      ...this.#flows,
      this.#tokenTime,
      this.#stepTime,
    ])
      merge(sums, 1);
    merge(this.#bounds, this.#columns);
    this.#width *= 2;
    this.#row = ROWS / 2 - 1;
  }
}

/** Adds each odd row to the even one before it. */
function merge(sums: Float64Array, columns: number): void {
  const rows = sums.length / columns;
  for (let row = 0; row < rows / 2; row++) {
    for (let c = 0; c < columns; c++) sums[row * columns + c] = sums[2 * row * columns + c] + sums[(2 * row + 1) * columns + c];
  }
  sums.fill(0, (rows / 2) * columns);
}
