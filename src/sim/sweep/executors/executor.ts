import type {Outcome, Task} from '../work.js';

/** Runs tasks somewhere. Made with `jobs` places; `close` when nothing more comes. */
export interface Executor {
  /**
   * Runs all tasks, in any order, and calls `told` with each outcome as soon as it is there. A worker that dies costs its task one more try,
   * then the outcome is `failed`. Returns when all were told, or when `signal` is aborted and the tasks at work are dropped.
   */
  run(tasks: readonly Task[], told: (index: number, outcome: Outcome) => void, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Makes an executor with so many places to work at. */
export type ExecutorFactory = (jobs: number) => Promise<Executor>;

/** The outcome of a task that ended in an error of ours. */
export function failure(error: unknown): Outcome {
  return {kind: 'failed', reason: error instanceof Error ? error.message : String(error)};
}
