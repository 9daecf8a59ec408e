import {replicaLoad} from '../metrics/load.js';
import type {Measured} from '../metrics/measured.js';
import {mean} from '../metrics/quantiles.js';
import type {RunRecord} from '../metrics/record.js';
import type {ResultDocument} from './result.js';

/** What each replica did: how evenly the router dealt. Requests and hits are of the measured requests, loads of whole runs. */
export function replicasOf(runs: readonly Measured[], records: readonly RunRecord[]): ResultDocument['replicas'] {
  return records[0].replicas.map((_, replica) => {
    const loads = records.map((record) => replicaLoad(record, replica));
    const {requests, hitShare} = requestsOf(runs, replica);
    return {
      requests,
      busy_share: mean(loads.map((load) => load.busyShare)),
      mean_running: mean(loads.map((load) => load.meanRunning)),
      mean_waiting: mean(loads.map((load) => load.meanWaiting)),
      hit_share: hitShare,
    };
  });
}

/** The share is of the prompt tokens that were looked up; in any memory. */
function requestsOf(runs: readonly Measured[], replica: number): {requests: number; hitShare: number} {
  let requests = 0,
    input = 0,
    hit = 0;
  for (const {columns: c, rows} of runs) {
    for (const row of rows) {
      if (c.replica[row] !== replica) continue;
      requests++;
      if (Number.isNaN(c.scheduled[row])) continue;
      input += c.input[row];
      hit += c.hit[row] + c.hitBelow.reduce((sum, tier) => sum + tier[row], 0);
    }
  }
  return {requests, hitShare: input > 0 ? hit / input : 0};
}
