import {readRate} from '../../core/quantity.js';
import type {Arrivals, ArrivalsInRounds, Popularity, SharedPrefixes} from '../../workload/workload.js';
import type {Draft} from './draft.js';
import {resolveDistribution} from './lengths.js';

type Process = (Arrivals | ArrivalsInRounds)['process'];

const needs: Readonly<Record<Process, readonly string[]>> = {
  poisson: ['rate'],
  constant: ['rate'],
  gamma: ['rate', 'cv'],
  'closed-loop': ['sessions'],
  rounds: ['sessions', 'in_flight', 'rate'],
};

/** When the requests or sessions of the traffic at `workload` come; undefined when something is wrong with it. */
export function resolveArrivals(draft: Draft, workload: string): Arrivals | undefined {
  const path = `${workload}.arrivals`;
  const stated = draft.get<{process?: Process; rate?: number; cv?: number; sessions?: number}>(path);
  if (stated === undefined) {
    if (!draft.isWritten(path)) draft.fault(path, 'missing; e.g. "arrivals: 2 session/s"');
    return undefined;
  }
  const kind = stated.process;
  if (kind === undefined) {
    if (!draft.isWritten(`${path}.process`)) draft.fault(path, `says no "process"; known: ${Object.keys(needs).join(', ')}`);
    return undefined;
  }
  const missing = needs[kind].filter((key) => stated[key as keyof typeof stated] === undefined);
  for (const key of missing) if (!draft.isWritten(`${path}.${key}`)) draft.fault(`${path}.${key}`, `missing; ${kind} needs it`);
  for (const key of ['rate', 'cv', 'sessions', 'in_flight']) {
    if (!needs[kind].includes(key)) draft.noEffect(`${path}.${key}`, `${kind} has no ${key}`);
  }
  if (missing.length > 0) return undefined;
  if (kind === 'rounds') {
    draft.fault(`${path}.process`, 'rounds are the turns of sessions: they are for workload.kind chat, alone');
    return undefined;
  }
  if (kind === 'closed-loop') return {process: kind, sessions: stated.sessions!};
  const {of} = readRate(draft.textAt(`${path}.rate`), draft.parse);
  draft.setValue(`${path}.of`, of); // the number alone would not tell 2 req/s from 2 session/s
  return kind === 'gamma' ? {process: kind, rate: stated.rate!, cv: stated.cv!, of} : {process: kind, rate: stated.rate!, of};
}

/** Whether the traffic at `workload` goes in rounds. */
export function goesInRounds(draft: Draft, workload: string): boolean {
  return draft.get(`${workload}.arrivals.process`) === 'rounds';
}

/** How its rounds go; undefined when something is wrong with them. */
export function resolveRounds(draft: Draft, workload: string): ArrivalsInRounds | undefined {
  const path = `${workload}.arrivals`;
  if (workload !== 'workload') {
    draft.fault(`${path}.process`, 'rounds go alone: a round ends when all has ended, and other streams do not');
    return undefined;
  }
  const missing = needs.rounds.filter((key) => draft.get(`${path}.${key}`) === undefined);
  for (const key of missing) if (!draft.isWritten(`${path}.${key}`)) draft.fault(`${path}.${key}`, 'missing; rounds needs it');
  draft.noEffect(`${path}.cv`, 'rounds has no cv');
  draft.noEffect(`${workload}.think_time`, 'a turn comes with its round');
  if (missing.length > 0) return undefined;
  if (readRate(draft.textAt(`${path}.rate`), draft.parse).of === 'session') {
    draft.fault(`${path}.rate`, 'rounds offer requests, e.g. 16 req/s');
    return undefined;
  }
  const number = (key: string) => draft.get<number>(`${path}.${key}`)!;
  return {process: 'rounds', sessions: number('sessions'), inFlight: number('in_flight'), rate: number('rate')};
}

/** The prefixes that sessions share; null for none. */
export async function resolvePrefixes(draft: Draft, workload: string): Promise<SharedPrefixes | null> {
  const path = `${workload}.shared_prefixes`;
  const stated = draft.get<{count?: number}>(path);
  if (stated === undefined) return null;
  const tokens = await resolveDistribution(draft, `${path}.tokens`);
  if (stated.count === undefined && !draft.isWritten(`${path}.count`))
    draft.fault(`${path}.count`, 'missing; how many different prefixes are there?');
  if (tokens === undefined && !draft.isWritten(`${path}.tokens`)) draft.fault(`${path}.tokens`, 'missing; how long is a prefix?');
  const popularity = resolvePopularity(draft, `${path}.popularity`);
  if (stated.count === undefined || tokens === undefined) return null;
  return {count: stated.count, tokens, popularity};
}

/** How often each member of a set is chosen. */
export function resolvePopularity(draft: Draft, path: string): Popularity {
  const {dist = 'uniform', s} = draft.get<{dist?: string; s?: number}>(path) ?? {};
  if (dist === 'zipf' && s === undefined) draft.fault(path, 'zipf needs an exponent, e.g. {dist: zipf, s: 1}');
  return dist === 'zipf' ? {dist: 'zipf', s: s ?? 1} : {dist: 'uniform'};
}
