import {readRate} from '../../core/quantity.js';
import {readTrace} from '../../traces/index.js';
import {scaleTrace} from '../../traces/scale.js';
import type {Trace} from '../../traces/trace.js';
import type {Arrivals, Distribution, SharedPrefixes, WorkloadConfig} from '../../workload/workload.js';
import {at, type MapTree} from '../file/tree.js';
import {kinds} from '../schema/workload.js';
import type {Draft} from './draft.js';
import {resolveDistribution} from './lengths.js';

/** What a chat has when the scenario does not say; all are printed as assumed. Values as in the reference of keys. */
const chatDefaults: Readonly<Record<string, readonly [written: string | number, value: number]>> = {
  turns: [5, 5],
  think_time: ['30 s', 30],
  user_tokens: [200, 200],
  output_tokens: [240, 240],
};

/** The traffic; undefined when something is wrong with it, or it is of a kind that is not simulated. */
export async function resolveWorkload(draft: Draft): Promise<WorkloadConfig | undefined> {
  const kind = draft.get<keyof typeof kinds>('workload.kind');
  if (kind === undefined || !Object.hasOwn(kinds, kind)) return undefined;
  warnOfOtherKeys(draft, kind);
  if (kind === 'replay') return resolveReplay(draft);
  const arrivals = resolveArrivals(draft);
  const sharedPrefixes = await resolvePrefixes(draft);
  if (kind === 'chat') return resolveChat(draft, arrivals, sharedPrefixes);
  const inputTokens = await required(draft, 'input_tokens', 'lengths', '1024');
  const outputTokens = await required(draft, 'output_tokens', 'lengths', '256');
  refuseNothing(draft, {input_tokens: inputTokens, output_tokens: outputTokens});
  if (arrivals === undefined || inputTokens === undefined || outputTokens === undefined) return undefined;
  return {kind, arrivals, inputTokens, outputTokens, sharedPrefixes};
}

function warnOfOtherKeys(draft: Draft, kind: keyof typeof kinds): void {
  const written = at(draft.written, ['workload'])?.tree as MapTree | undefined;
  for (const key of written?.entries.keys() ?? []) {
    if (key === 'kind' || kinds[kind].includes(key)) continue;
    const users = Object.entries(kinds).filter(([, keys]) => keys.includes(key));
    if (users.length > 0) draft.noEffect(`workload.${key}`, `it belongs to ${users.map(([name]) => name).join(' and ')}, this is ${kind}`);
  }
}

async function required(draft: Draft, key: string, kind: string, example: string): Promise<Distribution | undefined> {
  const path = `workload.${key}`;
  if (draft.get(path) === undefined && !draft.isWritten(path)) draft.fault(path, `missing; ${kind} needs it, e.g. "${key}: ${example}"`);
  return resolveDistribution(draft, path);
}

async function resolveChat(
  draft: Draft,
  arrivals: Arrivals | undefined,
  sharedPrefixes: SharedPrefixes | null,
): Promise<WorkloadConfig | undefined> {
  for (const [key, [written, value]] of Object.entries(chatDefaults)) {
    const path = `workload.${key}`;
    if (draft.isWritten(path)) continue;
    draft.default(`${path}.dist`, 'constant');
    draft.default(`${path}.value`, written, value);
    draft.assumptions.push({path, value: String(written), grade: 'assumed', source: 'default of tiercast'});
  }
  const [turns, thinkTime, userTokens, outputTokens] = await Promise.all(
    Object.keys(chatDefaults).map((key) => resolveDistribution(draft, `workload.${key}`)),
  );
  refuseNothing(draft, {turns, user_tokens: userTokens, output_tokens: outputTokens});
  if (!arrivals || !turns || !thinkTime || !userTokens || !outputTokens) return undefined;
  return {kind: 'chat', arrivals, turns, thinkTime, userTokens, outputTokens, sharedPrefixes};
}

/** A draw of 0 is raised to 1; a constant of 0 is a mistake. */
function refuseNothing(draft: Draft, lengths: Readonly<Record<string, Distribution | undefined>>): void {
  for (const [key, length] of Object.entries(lengths)) {
    if (length?.dist !== 'constant' || length.value >= 1) continue;
    draft.fault(`workload.${key}`, key === 'turns' ? '0 turns; a session has at least 1' : '0 tokens; a request has at least 1');
  }
}

const needs: Readonly<Record<Arrivals['process'], readonly string[]>> = {
  poisson: ['rate'],
  constant: ['rate'],
  gamma: ['rate', 'cv'],
  'closed-loop': ['sessions'],
};

function resolveArrivals(draft: Draft): Arrivals | undefined {
  const path = 'workload.arrivals';
  const stated = draft.get<{process?: Arrivals['process']; rate?: number; cv?: number; sessions?: number}>(path);
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
  for (const key of ['rate', 'cv', 'sessions']) {
    if (!needs[kind].includes(key)) draft.noEffect(`${path}.${key}`, `${kind} has no ${key}`);
  }
  if (missing.length > 0) return undefined;
  if (kind === 'closed-loop') return {process: kind, sessions: stated.sessions!};
  const {of} = readRate(draft.textAt(`${path}.rate`), draft.parse);
  draft.setValue(`${path}.of`, of); // the number alone would not tell 2 req/s from 2 session/s
  return kind === 'gamma' ? {process: kind, rate: stated.rate!, cv: stated.cv!, of} : {process: kind, rate: stated.rate!, of};
}

async function resolvePrefixes(draft: Draft): Promise<SharedPrefixes | null> {
  const path = 'workload.shared_prefixes';
  const stated = draft.get<{count?: number; popularity?: {dist?: string; s?: number}}>(path);
  if (stated === undefined) return null;
  const tokens = await resolveDistribution(draft, `${path}.tokens`);
  if (stated.count === undefined && !draft.isWritten(`${path}.count`))
    draft.fault(`${path}.count`, 'missing; how many different prefixes are there?');
  if (tokens === undefined && !draft.isWritten(`${path}.tokens`)) draft.fault(`${path}.tokens`, 'missing; how long is a prefix?');
  const {dist = 'uniform', s} = stated.popularity ?? {};
  if (dist === 'zipf' && s === undefined) draft.fault(`${path}.popularity`, 'zipf needs an exponent, e.g. {dist: zipf, s: 1}');
  if (stated.count === undefined || tokens === undefined) return null;
  return {count: stated.count, tokens, popularity: dist === 'zipf' ? {dist: 'zipf', s: s ?? 1} : {dist: 'uniform'}};
}

async function resolveReplay(draft: Draft): Promise<WorkloadConfig | undefined> {
  const written = draft.get<string>('workload.trace');
  if (written === undefined) {
    if (!draft.isWritten('workload.trace'))
      draft.fault('workload.trace', 'missing; replay needs a file, e.g. "trace: ./conversation.jsonl.gz"');
    return undefined;
  }
  const file = draft.resolvePath('workload.trace', written);
  const recorded = await readRecorded(draft, file);
  if (recorded === undefined) return undefined;
  const trace = scaleTrace(recorded, {
    rateScale: draft.get<number>('workload.rate_scale') ?? 1,
    dequantise: draft.get<'none' | 'uniform'>('workload.dequantise') ?? 'none',
    limit: draft.get<number>('workload.limit') ?? null,
  });
  for (const {code, text} of trace.notes) draft.warn(code, 'workload.trace', text);
  return {kind: 'replay', trace};
}

async function readRecorded(draft: Draft, file: string): Promise<Trace | undefined> {
  const format = draft.get<string>('workload.format');
  return draft.tryAsync('workload.trace', async () => readTrace(draft.files.gunzip(await draft.readFile(file), file), file, format), file);
}
