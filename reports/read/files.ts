import {InputError} from '../../src/sim/core/errors.js';
import type {Report, ResultDocument, TimelineColumn} from '../../src/sim/scenario/result.js';
import {allReplicas, timelineColumns} from '../../src/sim/scenario/result.js';
import {readCsv} from './csv.js';
import {readDocument} from './schema.js';

/** A file's text, with the name that errors use. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/**
 * Reads a report back from what `run` wrote, so that it renders to the same bytes. `table` gives the text of a file beside result.json, or null
 * when it is not there; what is missing stays empty. Throws InputError, one line, for what is malformed.
 */
export function reportFromFiles({name, text}: NamedText, table: (fileName: string) => NamedText | null): Report {
  const document = readDocument(text, name);
  const {requests, timeline} = document.files;
  const requestsFile = requests === null ? null : table(plainName(requests, name));
  const timelineFile = table(plainName(timeline, name));
  return {
    document,
    sample: requestsFile === null ? emptySample() : sampleOf(requestsFile, document),
    timeline: timelineFile === null ? emptyTimeline() : timelineOf(timelineFile),
  };
}

/** A result names files beside itself, never elsewhere. */
function plainName(fileName: string, document: string): string {
  if (/^[\w-][\w.-]*$/.test(fileName)) return fileName;
  throw new InputError(`${document}: files: ${JSON.stringify(fileName)} is no name of a file beside it`);
}

/** Default of `report.sample`. */
const defaultSample = 20_000;

/** The measured requests, at most as many as `report.sample` says, evenly picked in order of arrival: the same ones that the run drew. */
function sampleOf({name: file, text}: NamedText, document: ResultDocument): Report['sample'] {
  const table = readCsv(text, file);
  const from = document.files.measured_from_row;
  if (from > table.rows) throw new InputError(`${file}: has ${table.rows} rows, but result.json says that measuring begins at row ${from}`);
  const measured = table.rows - from;
  const n = Math.min(measured, wantedSample(document));
  const pick = (column: string) => {
    const values = table.numbers(column);
    return Float64Array.from({length: n}, (_, i) => values[from + Math.floor((i * measured) / n)]!);
  };
  const hits = ['hit_hbm_tokens', 'hit_dram_tokens', 'hit_ssd_tokens'].map(pick);
  return {
    id: pick('request_id'),
    arrival: pick('arrival_s'),
    ttft: pick('ttft_s'),
    tpot: pick('tpot_s'),
    e2e: pick('e2e_s'),
    inputTokens: pick('input_tokens'),
    outputTokens: pick('output_tokens'),
    hitTokens: hits.reduce((sum, hit) => sum.map((tokens, i) => tokens + (hit[i]! || 0))),
  };
}

function wantedSample({scenario}: ResultDocument): number {
  const sample = (scenario as {report?: {sample?: unknown}} | null)?.report?.sample;
  return typeof sample === 'number' && sample >= 0 ? sample : defaultSample;
}

function timelineOf({name: file, text}: NamedText): Report['timeline'] {
  const table = readCsv(text, file);
  const replicas = table.texts('replica');
  const several = replicas.includes(allReplicas);
  const whole = (_: number, row: number) => !several || replicas[row] === allReplicas;
  const columns = Object.fromEntries(timelineColumns.map((name) => [name, table.numbers(name).filter(whole)])) as Record<
    TimelineColumn,
    Float64Array
  >;
  columns.time_s.forEach((time, i) => {
    if (!(i === 0 ? time >= 0 : time > columns.time_s[i - 1]!))
      throw new InputError(`${file}: row ${i + 1}, time_s: ${time} is not after the row before`);
  });
  return columns;
}

function emptySample(): Report['sample'] {
  const empty = new Float64Array(0);
  return {id: empty, arrival: empty, ttft: empty, tpot: empty, e2e: empty, inputTokens: empty, outputTokens: empty, hitTokens: empty};
}

function emptyTimeline(): Report['timeline'] {
  return Object.fromEntries(timelineColumns.map((name) => [name, new Float64Array(0)])) as Record<TimelineColumn, Float64Array>;
}
