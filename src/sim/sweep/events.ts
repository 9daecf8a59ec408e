import {EventLog} from '../metrics/event-log.js';
import type {RunRecord, TierRecord} from '../metrics/record.js';

/**
 * A hash over every step and end of the runs of a point, and over what its memories moved, by cause, and let go.
 *
 * Two policies may move other bytes in the same time, so the order of steps alone does not make two runs equal; sizes and prices, which nothing happens by, do not make them differ.
 */
export function eventsOf(records: readonly RunRecord[]): string {
  const log = new EventLog();
  for (const {eventLog, counters, tiers} of records) {
    for (let at = 0; at < eventLog.length; at += 8) log.add(Number.parseInt(eventLog.slice(at, at + 8), 16));
    log.add(counters.evictions);
    for (const tier of tiers) addTier(log, tier);
  }
  return log.hex();
}

function addTier(log: EventLog, {readBytes, writtenBytes, evictions, refused, prefetched: {useful, late, wasted}}: TierRecord): void {
  for (const count of [readBytes, writtenBytes, evictions, refused, useful, late, wasted]) log.add(count);
}
