import {work} from '../work.js';
import {type ExecutorFactory, failure} from './executor.js';

/** One task after the other in this process: no worker to start, and none that may crash without us. */
export const inProcess: ExecutorFactory = async () => ({
  async run(tasks, told, signal) {
    for (const [index, task] of tasks.entries()) {
      // An interrupt is only seen between turns of the event loop.
      await new Promise(setImmediate);
      if (signal.aborted) return;
      told(index, await work(task).catch(failure));
    }
  },
  async close() {},
});
