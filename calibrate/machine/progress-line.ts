import type {Progress} from './runner.js';

const CELLS = 20;

/** A line on a terminal that says how far the measuring is; nothing elsewhere. */
export class CalibrationLine {
  readonly #shown: boolean;
  readonly #began = performance.now();

  constructor(shown: boolean) {
    this.#shown = shown;
  }

  /** Draws how many points of `what` are done. */
  draw(what: string, {done, of}: Progress): void {
    if (!this.#shown) return;
    const share = of === 0 ? 0 : done / of;
    const bar = '█'.repeat(Math.round(share * CELLS)).padEnd(CELLS, '░');
    const elapsed = ((performance.now() - this.#began) / 1000).toFixed(0);
    process.stderr.write(`\r  ${what.padEnd(8)} ${bar}  ${done}/${of} points  ${elapsed} s\u001b[K`);
  }

  /** Removes the line. */
  clear(): void {
    if (this.#shown) process.stderr.write('\r\u001b[K');
  }
}
