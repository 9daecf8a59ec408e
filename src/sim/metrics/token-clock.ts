import {widened} from '../core/widened.js';

/** What the clock has to know of a request, and what it writes into it. */
export interface TokenHolder {
  readonly id: number;
  /** The decode ticks of its present stay in the batch; none while the last is before the first. */
  readonly tick: number;
  readonly lastTick: number;
  /** ns at which its client had the last token that is accounted for; NaN: none yet. */
  lastTokenAt: number;
  /** ns of its longest gap so far; −Infinity: none yet. */
  longestGap: number;
}

/**
 * When the tokens of one replica reach their clients, and the gaps between those of a request.
 *
 * All that decode share a tick, so a step costs O(1). A stay in the batch is a range of ticks: one row, and O(log n) for its longest gap.
 */
export class TokenClock {
  #ticks = 0;
  #times = new Float64Array(1024);
  /** Ticks whose gap is longer than that of every later tick, and those gaps, falling: the first one after a tick is the longest since. */
  readonly #peakTicks: number[] = [];
  readonly #peakGaps: number[] = [];
  #stays = 0;
  #request = new Int32Array(1024);
  #gap = new Float64Array(1024);
  #from = new Int32Array(1024);
  #to = new Int32Array(1024);

  /** The tokens of the next decode tick are with their clients at `at`. */
  tick(at: number): void {
    const tick = this.#ticks++;
    if (tick === this.#times.length) this.#times = widened(this.#times, 2 * tick);
    this.#times[tick] = at;
    if (tick === 0) return;
    const gap = at - this.#times[tick - 1];
    const gaps = this.#peakGaps;
    while (gaps.length > 0 && gaps[gaps.length - 1] <= gap) {
      gaps.pop();
      this.#peakTicks.pop();
    }
    gaps.push(gap);
    this.#peakTicks.push(tick);
  }

  /** A prompt ended, the first time or again after a preemption: its token is with the client at `at`. */
  prefilled(request: TokenHolder, at: number): void {
    if (!Number.isNaN(request.lastTokenAt)) this.#add(request, at - request.lastTokenAt, 0, 0);
    request.lastTokenAt = at;
  }

  /** A request leaves the batch, for good or not: the ticks of its stay that are over count. */
  left(request: TokenHolder): void {
    const from = request.tick;
    const to = Math.min(request.lastTick, this.#ticks - 1);
    if (to < from) return;
    this.#add(request, this.#times[from] - request.lastTokenAt, from, to);
    request.longestGap = Math.max(request.longestGap, this.#longestAfter(from));
    request.lastTokenAt = this.#times[to];
  }

  take(): ReplicaGaps {
    const stays = this.#stays;
    return {
      times: this.#times.slice(0, this.#ticks),
      stays: {
        request: this.#request.slice(0, stays),
        gap: this.#gap.slice(0, stays),
        from: this.#from.slice(0, stays),
        to: this.#to.slice(0, stays),
      },
    };
  }

  #add(request: TokenHolder, gap: number, from: number, to: number): void {
    const row = this.#stays++;
    if (row === this.#gap.length) {
      this.#request = widened(this.#request, 2 * row);
      this.#gap = widened(this.#gap, 2 * row);
      this.#from = widened(this.#from, 2 * row);
      this.#to = widened(this.#to, 2 * row);
    }
    this.#request[row] = request.id;
    this.#gap[row] = gap;
    this.#from[row] = from;
    this.#to[row] = to;
    request.longestGap = Math.max(request.longestGap, gap);
  }

  /** The longest gap of the ticks after `from`; −Infinity when there are none. */
  #longestAfter(from: number): number {
    const ticks = this.#peakTicks;
    let low = 0;
    let high = ticks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ticks[middle] > from) high = middle;
      else low = middle + 1;
    }
    return low < ticks.length ? this.#peakGaps[low] : Number.NEGATIVE_INFINITY;
  }
}

/** The gaps between the tokens of one replica's requests; times in ns. */
export interface ReplicaGaps {
  /** When the tokens of each decode tick were with their clients. */
  readonly times: Float64Array;
  /**
   * Stays in the batch, in the order of their ends: the gap before the stay's first token, then those between the ticks `from` … `to`,
   * that is, to − from of them.
   */
  readonly stays: {
    /** The request's id. */
    readonly request: Int32Array;
    readonly gap: Float64Array;
    readonly from: Int32Array;
    readonly to: Int32Array;
  };
}
