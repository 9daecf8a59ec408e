import {byArrival, isFinished, latencies} from '../metrics/latency.js';
import {type ClassGoals, type Goals, goalsByClass, hasGoal, meetsGoals} from '../metrics/measured.js';
import type {RequestColumns, RunRecord} from '../metrics/record.js';
import {ends, reasons} from '../metrics/record.js';
import {fileNumber} from './canonical.js';
import type {Report} from './result.js';
import {timelineColumns} from './result.js';

/** A row of a CSV file; an empty text is "not applicable". */
export type TableRow = readonly (string | number)[];

export const requestColumnNames = [
  'request_id',
  'session_id',
  'turn',
  'class',
  'replica',
  'arrival_s',
  'scheduled_s',
  'first_token_s',
  'finished_s',
  'end',
  'reason',
  'input_tokens',
  'output_tokens',
  'hit_hbm_tokens',
  'hit_dram_tokens',
  'hit_ssd_tokens',
  'computed_tokens',
  'queue_s',
  'load_s',
  'prefill_s',
  'decode_s',
  'preemptions',
  'ttft_s',
  'tpot_s',
  'itl_max_s',
  'e2e_s',
  'slo_met',
] as const;

/** Header and rows of requests.csv: every request of a run, warm-up too, in order of arrival. */
export function* requestTable({requests, tiers}: Pick<RunRecord, 'requests' | 'tiers'>, slo: ClassGoals): Generator<TableRow> {
  yield requestColumnNames;
  const isDram = tiers.map(({name}) => name === 'dram');
  const below = [true, false].map((dram) => isDram.flatMap((is, tier) => (is === dram ? [tier] : [])));
  const goals = goalsByClass(slo, requests.classes);
  for (const row of byArrival(requests)) yield requestRow(requests, row, goals, below);
}

/** `below`: where DRAM, and what is further down (an SSD, its page cache, a remote memory), stand among the run's memories below HBM. */
function requestRow(c: RequestColumns, row: number, goals: readonly Goals[], below: readonly (readonly number[])[]): TableRow {
  const finished = isFinished(c, row);
  const latency = (ns: number) => (finished ? seconds(ns) : '');
  return [
    c.id[row],
    c.session[row],
    c.turn[row],
    c.classes[c.class[row]],
    c.replica[row],
    seconds(c.arrival[row]),
    seconds(c.scheduled[row]),
    seconds(c.firstToken[row]),
    seconds(c.finished[row]),
    ends[c.end[row]],
    reasons[c.reason[row]],
    c.input[row],
    c.output[row],
    c.hit[row],
    ...below.map((some) => (some.length === 0 ? '' : some.reduce((sum, tier) => sum + c.hitBelow[tier][row], 0))),
    c.computed[row],
    seconds(latencies.queue_s(c, row)),
    below.every((some) => some.length === 0) ? '' : seconds(c.load[row]),
    seconds(latencies.ttft_server_s(c, row)),
    latency(c.finished[row] - c.firstToken[row]),
    c.preemptions[row],
    latency(latencies.ttft_s(c, row)),
    latency(latencies.tpot_s(c, row)),
    latency(latencies.itl_max_s(c, row)),
    latency(latencies.e2e_s(c, row)),
    hasGoal(goals) ? (meetsGoals(c, row, goals) ? 1 : 0) : '',
  ];
}

function seconds(ns: number): number | '' {
  return Number.isNaN(ns) ? '' : fileNumber(ns / 1e9);
}

/** Header and rows of timeline.csv, for each replica, or all of them, one timeline after the other. */
export function* timelineTable(timelines: ReadonlyMap<string, Report['timeline']>): Generator<TableRow> {
  const [time, ...others] = timelineColumns;
  yield [time, 'replica', ...others];
  for (const [replica, timeline] of timelines) {
    const columns = others.map((name) => timeline[name]);
    for (let row = 0; row < timeline.time_s.length; row++)
      yield [
        fileNumber(timeline[time][row]),
        replica,
        ...columns.map((column) => (Number.isNaN(column[row]) ? '' : fileNumber(column[row]))),
      ];
  }
}
