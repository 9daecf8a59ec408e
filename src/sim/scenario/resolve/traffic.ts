import {chainedIds} from '../../traces/chained.js';
import {readTrace} from '../../traces/index.js';
import {scaleTrace} from '../../traces/scale.js';
import type {Trace} from '../../traces/trace.js';
import type {ContextLimit, Distribution, Traffic} from '../../workload/workload.js';
import type {kinds} from '../schema/workload.js';
import {goesInRounds, resolveArrivals, resolvePopularity, resolvePrefixes, resolveRounds} from './arrivals.js';
import type {Draft} from './draft.js';
import {resolveDistribution} from './lengths.js';

/** Reads the traffic of each kind at a path such as `workload`; undefined when something is wrong with it. */
export const resolveTraffic: Readonly<Record<keyof typeof kinds, (draft: Draft, path: string) => Promise<Traffic | undefined>>> = {
  agent: resolveAgent,
  batch: resolveBatch,
  chat: resolveChat,
  'document-qa': resolveDocumentQa,
  lengths: resolveLengths,
  replay: resolveReplay,
};

/** What sessions have when the scenario does not say; all are printed as assumed. Values as in the reference of keys. */
const defaults = {
  turns: [5, 5],
  think_time: ['30 s', 30],
  user_tokens: [200, 200],
  output_tokens: [240, 240],
} as const satisfies Readonly<Record<string, readonly [written: string | number, value: number]>>;

/** Puts in the defaults of these keys that nobody wrote, and reads them. */
async function assumed(draft: Draft, path: string, keys: readonly (keyof typeof defaults)[]): Promise<(Distribution | undefined)[]> {
  for (const key of keys) {
    const [written, value] = defaults[key];
    assume(draft, `${path}.${key}`, written, value);
  }
  return Promise.all(keys.map((key) => resolveDistribution(draft, `${path}.${key}`)));
}

async function resolveAgent(draft: Draft, path: string): Promise<Traffic | undefined> {
  const arrivals = resolveArrivals(draft, path);
  const sharedPrefixes = await resolvePrefixes(draft, path);
  const steps = await required(draft, path, 'steps', 'agent', '{dist: lognormal, mean: 20, cv: 1}');
  const toolTime = await required(draft, path, 'tool_time', 'agent', '{dist: lognormal, mean: 5 s, cv: 1.5}');
  const toolResultTokens = await required(draft, path, 'tool_result_tokens', 'agent', '{dist: lognormal, mean: 1000, cv: 1.5}');
  const [userTokens, outputTokens] = await assumed(draft, path, ['user_tokens', 'output_tokens']);
  refuseNothing(draft, path, {steps, tool_result_tokens: toolResultTokens, user_tokens: userTokens, output_tokens: outputTokens});
  const contextLimit = resolveContextLimit(draft, path);
  if (!arrivals || !steps || !toolTime || !toolResultTokens || !userTokens || !outputTokens) return undefined;
  return {kind: 'agent', arrivals, steps, toolTime, toolResultTokens, userTokens, outputTokens, contextLimit, sharedPrefixes};
}

function resolveContextLimit(draft: Draft, path: string): ContextLimit | null {
  const key = `${path}.context_limit`;
  const stated = draft.get<{tokens?: number; keep_tokens?: number}>(key);
  if (stated === undefined) return null;
  const {tokens, keep_tokens: keepTokens = 0} = stated;
  if (tokens === undefined) {
    if (!draft.isWritten(`${key}.tokens`)) draft.fault(`${key}.tokens`, 'missing; how long may a prompt be?');
    return null;
  }
  if (keepTokens >= tokens) draft.fault(`${key}.keep_tokens`, `${keepTokens} tokens are kept of ${tokens}; that compacts nothing`);
  return {tokens, keepTokens};
}

async function resolveDocumentQa(draft: Draft, path: string): Promise<Traffic | undefined> {
  const arrivals = resolveArrivals(draft, path);
  const count = draft.get<number>(`${path}.documents.count`);
  if (count === undefined && !draft.isWritten(`${path}.documents.count`))
    draft.fault(`${path}.documents`, 'missing; document-qa needs it, e.g. "documents: {count: 1000, popularity: {dist: zipf, s: 0.9}}"');
  const tokens = await required(draft, path, 'document_tokens', 'document-qa', '{dist: lognormal, mean: 20000, cv: 0.7}');
  const questions = await required(draft, path, 'questions', 'document-qa', '{dist: geometric, mean: 4}');
  const questionTokens = await required(draft, path, 'question_tokens', 'document-qa', '60');
  const [thinkTime, outputTokens] = await assumed(draft, path, ['think_time', 'output_tokens']);
  refuseNothing(draft, path, {document_tokens: tokens, questions, question_tokens: questionTokens, output_tokens: outputTokens});
  const popularity = resolvePopularity(draft, `${path}.documents.popularity`);
  if (!arrivals || count === undefined || !tokens || !questions || !questionTokens || !thinkTime || !outputTokens) return undefined;
  return {kind: 'document-qa', arrivals, documents: {count, tokens, popularity}, questions, questionTokens, outputTokens, thinkTime};
}

async function resolveBatch(draft: Draft, path: string): Promise<Traffic | undefined> {
  const own = await resolveRequests(draft, path, 'batch');
  return own && {kind: 'batch', arrivals: null, ...own};
}

async function resolveLengths(draft: Draft, path: string): Promise<Traffic | undefined> {
  const arrivals = resolveArrivals(draft, path);
  const own = await resolveRequests(draft, path, 'lengths');
  return arrivals && own && {kind: 'lengths', arrivals, ...own};
}

async function resolveRequests(draft: Draft, path: string, kind: string) {
  const sharedPrefixes = await resolvePrefixes(draft, path);
  const inputTokens = await required(draft, path, 'input_tokens', kind, '1024');
  const outputTokens = await required(draft, path, 'output_tokens', kind, '256');
  refuseNothing(draft, path, {input_tokens: inputTokens, output_tokens: outputTokens});
  return inputTokens && outputTokens && {inputTokens, outputTokens, sharedPrefixes};
}

/** In rounds, all wait for the last answer, and nobody longer. */
const noPause = {dist: 'constant', value: 0} as const;

async function resolveChat(draft: Draft, path: string): Promise<Traffic | undefined> {
  const inRounds = goesInRounds(draft, path);
  const arrivals = inRounds ? resolveRounds(draft, path) : resolveArrivals(draft, path);
  const sharedPrefixes = await resolvePrefixes(draft, path);
  const [turns] = await assumed(draft, path, ['turns']);
  const [thinkTime] = inRounds ? [noPause] : await assumed(draft, path, ['think_time']);
  const [userTokens, outputTokens] = await assumed(draft, path, ['user_tokens', 'output_tokens']);
  refuseNothing(draft, path, {turns, user_tokens: userTokens, output_tokens: outputTokens});
  if (!arrivals || !turns || !thinkTime || !userTokens || !outputTokens) return undefined;
  return {kind: 'chat', arrivals, turns, thinkTime, userTokens, outputTokens, sharedPrefixes};
}

async function resolveReplay(draft: Draft, path: string): Promise<Traffic | undefined> {
  const written = draft.get<string>(`${path}.trace`);
  if (written === undefined) {
    if (!draft.isWritten(`${path}.trace`))
      draft.fault(`${path}.trace`, 'missing; replay needs a file, e.g. "trace: ./conversation.jsonl.gz"');
    return undefined;
  }
  const file = draft.resolvePath(`${path}.trace`, written);
  const recorded = await readRecorded(draft, path, file);
  if (recorded === undefined) return undefined;
  const trace = scaleTrace(chainedIds(recorded), {
    rateScale: draft.get<number>(`${path}.rate_scale`) ?? 1,
    dequantise: draft.get<'none' | 'uniform'>(`${path}.dequantise`) ?? 'none',
    limit: draft.get<number>(`${path}.limit`) ?? null,
  });
  for (const {code, text} of trace.notes) draft.warn(code, `${path}.trace`, text);
  const arrivals = draft.isWritten(`${path}.arrivals`) && trace.sessions !== null ? resolveArrivals(draft, path) : null;
  if (trace.sessions === null)
    draft.noEffect(`${path}.arrivals`, `rows of ${trace.format} come at their own times; rate_scale stretches them`);
  if (trace.sessions !== null) draft.noEffect(`${path}.dequantise`, 'turns of a session wait for each other');
  if (trace.gaps !== null)
    draft.noEffect(
      `${path}.rate_scale`,
      'its sessions begin at 0 and its gaps are those of users and tools; arrivals says when sessions start',
    );
  return arrivals === undefined ? undefined : {kind: 'replay', trace, arrivals};
}

async function readRecorded(draft: Draft, path: string, file: string): Promise<Trace | undefined> {
  const format = draft.get<string>(`${path}.format`);
  return draft.tryAsync(`${path}.trace`, async () => readTrace(draft.files.gunzip(await draft.readFile(file), file), file, format), file);
}

async function required(draft: Draft, workload: string, key: string, kind: string, example: string): Promise<Distribution | undefined> {
  const path = `${workload}.${key}`;
  if (draft.get(path) === undefined && !draft.isWritten(path)) draft.fault(path, `missing; ${kind} needs it, e.g. "${key}: ${example}"`);
  return resolveDistribution(draft, path);
}

/** Puts in a constant that nobody wrote. */
function assume(draft: Draft, path: string, written: string | number, value: number): void {
  if (draft.isWritten(path)) return;
  draft.default(`${path}.dist`, 'constant');
  draft.default(`${path}.value`, written, value);
  draft.assumptions.push({path, value: String(written), grade: 'assumed', source: 'default of tiercast'});
}

const counted: ReadonlySet<string> = new Set(['turns', 'steps', 'questions']);

/** A draw of 0 is raised to 1; a constant of 0 is a mistake. */
function refuseNothing(draft: Draft, path: string, lengths: Readonly<Record<string, Distribution | undefined>>): void {
  for (const [key, length] of Object.entries(lengths)) {
    if (length?.dist !== 'constant' || length.value >= 1) continue;
    draft.fault(`${path}.${key}`, counted.has(key) ? `0 ${key}; a session has at least 1` : '0 tokens; a request has at least 1');
  }
}
