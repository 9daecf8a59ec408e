import {durationText} from '../../scenario/text.js';
import {pointText} from '../document.js';
import {figureText} from '../figure-text.js';
import {isGood, type Row} from '../rows.js';
import type {Study} from '../study.js';
import type {PlannedPoint, Progress} from '../sweep.js';

const CELLS = 18;
const REFRESH_MS = 100;

/** A line on a terminal that says how far a sweep is and what is best so far; nothing where stderr is not a terminal. */
export class SweepProgress {
  readonly #shown: boolean;
  #started = performance.now();
  #drawn = Number.NEGATIVE_INFINITY;
  #first = 0;
  #study: Study | null = null;
  #best: Row | null = null;
  #good = 0;

  constructor(shown: boolean) {
    this.#shown = shown;
  }

  /** Points are being loaded and planned. */
  planning({done, total}: Progress): void {
    this.#draw(`planning    ${done}/${total}`, done === total);
  }

  /** The simulation begins: time counts from here. */
  start(study: Study, points: readonly PlannedPoint[]): void {
    this.#study = study;
    this.#started = performance.now();
    this.#first = points.length;
  }

  /** A point was simulated. */
  simulating({done, total, row}: Progress): void {
    if (row !== null) this.#note(row);
    this.#first = Math.min(this.#first, done - 1);
    const seconds = (performance.now() - this.#started) / 1e3;
    const rate = (done - this.#first) / seconds;
    const bar = '█'.repeat(Math.round((done / total) * CELLS)).padEnd(CELLS, '░');
    const left = done < total ? `   ${durationText(Math.ceil((total - done) / rate))} left` : '';
    this.#draw(`${bar}  ${done}/${total}  ${rate.toFixed(1)}/s  meets all ${this.#good}${this.#bestText()}${left}`, done === total);
  }

  /** Removes the line. */
  clear(): void {
    if (this.#shown && this.#drawn > 0) process.stderr.write('\r\u001b[K');
  }

  #note(row: Row): void {
    if (!isGood(row)) return;
    this.#good++;
    const {goal, path} = this.#study!.objectives[0];
    const [value, best] = [row.figures[path] ?? null, this.#best?.figures?.[path] ?? null];
    if (value === null) return;
    if (best === null || (goal === 'minimise' ? value < best : value > best)) this.#best = row;
  }

  #bestText(): string {
    if (this.#best === null) return '';
    const {path} = this.#study!.objectives[0];
    return `   best ${figureText(path, this.#best.figures![path])} (${pointText(this.#best.axes)})`;
  }

  #draw(text: string, last: boolean): void {
    const time = performance.now();
    if (!this.#shown || (!last && time - this.#drawn < REFRESH_MS)) return;
    this.#drawn = time;
    process.stderr.write(`\r${text.slice(0, (process.stderr.columns ?? 80) - 1)}\u001b[K`);
  }
}
