import type {LinkedList} from '../../sim/core/linked-list.js';
import {goesBefore} from './job-heap.js';
import type {Job, Scheduling} from './policy.js';
import {ranked} from './ranked.js';
import {steps} from './steps.js';

/** Classes in a fixed order, arrivals within one; when blocks run out the least urgent running request gives way, the last to arrive among equals (vLLM's `priority`). */
export const priority: Scheduling = {
  about: 'runs the most urgent class first; the least urgent gives its blocks up when they run out',
  params: {
    order: {kind: 'texts', says: 'as the workload has them', about: 'classes, the most urgent first; a class that is not named comes last'},
    ...steps,
  },
  create: ({order}) => {
    const named = order as readonly string[] | undefined;
    return ranked((job, {classes}) => {
      if (named === undefined) return job.class;
      const at = named.indexOf(classes[job.class]);
      return at === -1 ? named.length : at;
    }, leastUrgent);
  },
};

function leastUrgent<J extends Job<J>>(running: LinkedList<J>): J {
  let last = running.oldest!;
  for (let job = last.younger; job !== null; job = job.younger) if (goesBefore(last, job)) last = job;
  return last;
}
