import {durationText, rateText} from '../text.js';

/** How far a run is: requests ended of those expected (null: not known before), at a simulated time in ns. */
export interface Progress {
  readonly done: number;
  readonly total: number | null;
  readonly now: number;
}

const CELLS = 26;
const REFRESH_MS = 100;

/** A line on a terminal that says how far the runs are; nothing where stderr is not a terminal. */
export class ProgressLine {
  readonly #shown: boolean;
  readonly #started = performance.now();
  #drawn = Number.NEGATIVE_INFINITY;

  constructor(shown: boolean) {
    this.#shown = shown;
  }

  /** Draws run `run` of `runs`, at most ten times a second. */
  draw(run: number, runs: number, {done, total, now}: Progress): void {
    const time = performance.now();
    if (!this.#shown || time - this.#drawn < REFRESH_MS) return;
    this.#drawn = time;
    const share = total === null || total === 0 ? null : (run + Math.min(1, done / total)) / runs;
    const seconds = (time - this.#started) / 1e3;
    const bar =
      share === null ? '' : `${'█'.repeat(Math.round(share * CELLS)).padEnd(CELLS, '░')} ${(share * 100).toFixed(0).padStart(3)} %   `;
    const left = share === null || share === 0 ? '' : `   ${durationText(Math.ceil((seconds / share) * (1 - share)))} left`;
    const runText = runs > 1 ? `   run ${run + 1} of ${runs}` : '';
    const text = `running     ${bar}simulated ${durationText(now / 1e9)}   ${rateText(done)} requests${runText}${left}`;
    process.stderr.write(`\r${text.slice(0, (process.stderr.columns ?? 80) - 1)}\u001b[K`);
  }

  /** Removes the line. */
  clear(): void {
    if (this.#shown && this.#drawn > 0) process.stderr.write('\r\u001b[K');
  }
}
