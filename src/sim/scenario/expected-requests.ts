import {recordedRequests} from '../workload/classes.js';
import {WARMUP_SHARE} from './build.js';
import type {Scenario} from './scenario.js';

/** How many requests a run will have, as far as it is known before; null: only its end decides. */
export function expectedRequests({workload, run}: Scenario): number | null {
  const recorded = recordedRequests(workload);
  if (recorded !== null) return Math.min(recorded, run.requests ?? Number.POSITIVE_INFINITY);
  return run.requests === null ? null : Math.ceil(run.requests * (run.warmup.kind === 'auto' ? 1 + WARMUP_SHARE : 1));
}
