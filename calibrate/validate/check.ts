import type {MeasuredRun} from '../../src/sim/measured/measured-run.js';
import type {TableLoader} from '../held-out-checks.js';
import type {ValidationRow} from './row.js';

/** Recorded data, by paths under its folder. */
export interface ValidationData {
  /** Whether a path is there. */
  has(path: string): boolean;
  /** A measured run or several. */
  runs(path: string): MeasuredRun[];
  /** Rows of a CSV by column. */
  csv(path: string): readonly Readonly<Record<string, string>>[];
  /** A kernel table under `kernels`. */
  readonly kernels: TableLoader;
}

/** Stretches one cost term in every simulation of a check, to see what a wrong constant does. */
export interface Distortion {
  readonly term: string;
  readonly factor: number;
}

/** One set of predictions beside what was measured. */
export interface ValidationCheck {
  readonly name: string;
  /** Paths that it reads; without one of them it is skipped. */
  readonly needs: readonly string[];
  run(data: ValidationData, distortion: Distortion | null): Promise<ValidationRow[]> | ValidationRow[];
}
