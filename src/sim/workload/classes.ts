import type {StreamConfig, WorkloadConfig} from './workload.js';

/** The class of requests that nobody gave one. */
const PLAIN_CLASS = 'default';

/** The kinds of traffic of a workload; one that is not mixed is a stream by itself. */
export function streamsOf(config: WorkloadConfig): readonly StreamConfig[] {
  if (config.kind === 'streams') return config.streams;
  return [{name: config.kind, class: config.class ?? PLAIN_CLASS, traffic: config}];
}

/** The names of its classes, each once, in the order of the streams: an arrival's `class` is an index into them. */
export function classesOf(config: WorkloadConfig): readonly string[] {
  return [...new Set(streamsOf(config).map((stream) => stream.class))];
}

/** How many requests it has, if every one of them was recorded; null when the run's limits decide. */
export function recordedRequests(config: WorkloadConfig): number | null {
  let sum = 0;
  for (const {traffic} of streamsOf(config)) {
    if (traffic.kind !== 'replay') return null;
    sum += traffic.trace.rows;
  }
  return sum;
}

/** Whether its start is part of it, so that it has no warm-up: all of it is a batch, comes when it was recorded, or in rounds. */
export function isWhole(config: WorkloadConfig): boolean {
  return streamsOf(config).every(({traffic}) => traffic.arrivals === null || traffic.arrivals.process === 'rounds');
}

/** Which of its streams send nothing before they are answered, or all at the start: a stream like that cannot overload anything. */
export function closedLoops(config: WorkloadConfig): 'none' | 'some' | 'all' {
  const streams = streamsOf(config);
  const closed = streams.filter(({traffic}) => traffic.kind === 'batch' || waitsForAnswers(traffic.arrivals?.process)).length;
  if (closed === 0) return 'none';
  return closed === streams.length ? 'all' : 'some';
}

function waitsForAnswers(process: string | undefined): boolean {
  return process === 'closed-loop' || process === 'rounds';
}
