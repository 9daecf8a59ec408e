import type {Outcome, Task} from '../work.js';
import {type Executor, type ExecutorFactory, failure} from './executor.js';
import {workerFile} from './worker-file.js';

const tries = 2;

/** A pool of worker threads on this machine. */
export const local: ExecutorFactory = (jobs) => poolOf(workerFile('worker.js'), jobs);

/** A pool of threads that run the default export of a file. */
export async function poolOf(filename: string, jobs: number): Promise<Executor> {
  const {Piscina} = await import('piscina');
  const pool = new Piscina({filename, minThreads: jobs, maxThreads: jobs, idleTimeout: 60_000, atomics: 'disabled'});
  // A worker that dies is told to the task that it had; the pool starts another.
  pool.on('error', () => {});

  async function attempt(task: Task, signal: AbortSignal): Promise<Outcome | null> {
    let outcome: Outcome | null = null;
    for (let n = 0; n < tries; n++) {
      try {
        return (await pool.run(task, {signal})) as Outcome;
      } catch (error) {
        if (signal.aborted) return null;
        outcome = failure(error);
      }
    }
    return outcome;
  }

  const executor: Executor = {
    async run(tasks, told, signal) {
      let next = 0;
      // Each place takes the next task when it is free, so that the queue holds no more than is at work.
      const place = async () => {
        while (next < tasks.length && !signal.aborted) {
          const index = next++;
          const outcome = await attempt(tasks[index], signal);
          if (outcome !== null) told(index, outcome);
        }
      };
      await Promise.all(Array.from({length: Math.min(jobs, tasks.length)}, place));
    },
    close: () => pool.destroy(),
  };
  return executor;
}
