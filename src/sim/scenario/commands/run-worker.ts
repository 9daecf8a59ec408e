import {parentPort, workerData} from 'node:worker_threads';
import {loadScenario} from '../load.js';
import {carryOut, type Planned} from '../variation.js';
import type {FromWorker, SentScenario, ToWorker} from './run-pool.js';

/** Programs of the scenario's own cannot be sent, so it is loaded again; another scenario than the one that was planned is refused. */
async function received({scenario, plan, sha256, path, options}: SentScenario): Promise<Planned> {
  const whole = scenario ?? (await loadScenario(path, options));
  if (whole.sha256 !== sha256) throw new Error(`${path} changed while it was run`);
  return {scenario: whole, plan};
}

const port = parentPort!;
const scenarios = await Promise.all((workerData as readonly SentScenario[]).map(received));
const send = (message: FromWorker) => port.postMessage(message);

port.on('message', ({runs, next}: ToWorker) => {
  for (let i = Atomics.add(next, 0, 1); i < runs.length; i = Atomics.add(next, 0, 1)) {
    try {
      send({index: i, outcome: carryOut(scenarios[runs[i].scenario], runs[i])});
    } catch {
      // It is not told here: the main thread does the run again, and throws what is thrown then.
    }
  }
  send(null);
});
