import {type Outcome, type Task, work} from '../work.js';
import {failure} from './executor.js';

/** What a worker thread runs; the pool calls it with one task after the other. Errors go back as data. */
export default async function run(task: Task): Promise<Outcome> {
  return work(task).catch(failure);
}
