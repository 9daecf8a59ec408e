import {grouped} from '../../traces/columns.js';
import type {Trace} from '../../traces/trace.js';
import type {Fit} from './fit.js';
import type {Distance, FitQuality, Pair} from './quality.js';
import {streamKinds} from './write.js';

/** From these on a difference is called one: of shares of values (Kolmogorov-Smirnov), and of shares of accesses. */
const FAR = {distance: 0.1, hits: 0.02} as const;

/** What a fit is and how near it comes, as lines of text. */
export function fitLines(fit: Fit, quality: FitQuality): string[] {
  const {requests, distances, hits} = quality;
  return [
    `${streamKinds(fit.workload)} · ${grouped(fit.sessions)} conversations · ${grouped(requests.fitted)} requests for ${grouped(requests.recorded)}`,
    ...distances.map(distanceLine),
    ...(hits === null ? [] : hitLines(hits)),
  ];
}

function distanceLine({of, distance, recorded, fitted}: Distance): string {
  const far = distance > FAR.distance ? '  !! does not fit' : '';
  return `${of.padEnd(27)}KS ${distance.toFixed(3)} · mean ${figure(recorded)} recorded, ${figure(fitted)} fitted${far}`;
}

function hitLines(hits: NonNullable<FitQuality['hits']>): string[] {
  const row = (head: string, cells: readonly string[]) => head.padEnd(27) + cells.map((cell) => cell.padStart(9)).join('');
  const points = (share: number) => (100 * share).toFixed(2);
  const far = hits.filter((pair) => Math.abs(difference(pair)) > FAR.hits);
  return [
    row(
      'LRU hits, %, by blocks',
      hits.map(({blocks}) => (blocks === null ? 'no end' : grouped(blocks))),
    ),
    row(
      '  recorded',
      hits.map(({recorded}) => points(recorded)),
    ),
    row(
      '  fitted',
      hits.map(({fitted}) => points(fitted)),
    ),
    ...(far.length === 0
      ? []
      : [`!! hits do not fit at ${far.map(({blocks}) => (blocks === null ? 'no end' : grouped(blocks))).join(', ')} blocks`]),
  ];
}

function difference({recorded, fitted}: Pair): number {
  return fitted - recorded;
}

/** What the fit does not carry, or takes for granted, and why. */
export function fitNotes(trace: Trace, quality: FitQuality): string[] {
  const {branches, dropped} = quality.missing;
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  return [
    ...(trace.blockSize === 0 ? ['the trace has no block ids: every request stands alone, and nothing of it is found in a cache'] : []),
    ...(branches > 0.001
      ? [`${percent(branches)} of accesses hit because a conversation begins with a part of another one: not carried, those are misses`]
      : []),
    ...(dropped > 0.01
      ? [`${percent(dropped)} of next prompts do not hold the whole answer before: here all do, so what tools return was shortened for it`]
      : []),
    ...startNotes(trace),
  ];
}

function startNotes(trace: Trace): string[] {
  if (trace.gaps !== null)
    return ['when sessions started was not recorded: as many are open as on average, and the trace is compared as it comes then'];
  const spread = trace.notes.some(({code}) => code === 'dequantised')
    ? ['rows that share a time were spread evenly to the next time before; gaps between requests are no recorded ones']
    : [];
  return trace.blockSize === 0
    ? spread
    : [...spread, 'tool_time is from request to request, because answers have no times: it holds the recorded answer too'];
}

/** A figure with 4 digits that count. */
function figure(value: number): string {
  return value >= 1000 ? grouped(Math.round(value)) : String(Number(value.toPrecision(4)));
}
