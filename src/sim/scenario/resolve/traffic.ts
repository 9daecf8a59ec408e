import {readTrace} from '../../traces/index.js';
import {scaleTrace} from '../../traces/scale.js';
import type {Trace} from '../../traces/trace.js';
import type {Distribution, Traffic} from '../../workload/workload.js';
import type {kinds} from '../schema/workload.js';
import {resolveArrivals, resolvePrefixes} from './arrivals.js';
import type {Draft} from './draft.js';
import {resolveDistribution} from './lengths.js';

/** Reads the traffic of each kind at a path such as `workload`; undefined when something is wrong with it. */
export const resolveTraffic: Readonly<Record<keyof typeof kinds, (draft: Draft, path: string) => Promise<Traffic | undefined>>> = {
  chat: resolveChat,
  lengths: resolveLengths,
  replay: resolveReplay,
};

/** What a chat has when the scenario does not say; all are printed as assumed. Values as in the reference of keys. */
const chatDefaults: Readonly<Record<string, readonly [written: string | number, value: number]>> = {
  turns: [5, 5],
  think_time: ['30 s', 30],
  user_tokens: [200, 200],
  output_tokens: [240, 240],
};

async function resolveLengths(draft: Draft, path: string): Promise<Traffic | undefined> {
  const arrivals = resolveArrivals(draft, path);
  const sharedPrefixes = await resolvePrefixes(draft, path);
  const inputTokens = await required(draft, path, 'input_tokens', 'lengths', '1024');
  const outputTokens = await required(draft, path, 'output_tokens', 'lengths', '256');
  refuseNothing(draft, path, {input_tokens: inputTokens, output_tokens: outputTokens});
  if (arrivals === undefined || inputTokens === undefined || outputTokens === undefined) return undefined;
  return {kind: 'lengths', arrivals, inputTokens, outputTokens, sharedPrefixes};
}

async function resolveChat(draft: Draft, path: string): Promise<Traffic | undefined> {
  const arrivals = resolveArrivals(draft, path);
  const sharedPrefixes = await resolvePrefixes(draft, path);
  for (const [key, [written, value]] of Object.entries(chatDefaults)) assume(draft, `${path}.${key}`, written, value);
  const [turns, thinkTime, userTokens, outputTokens] = await Promise.all(
    Object.keys(chatDefaults).map((key) => resolveDistribution(draft, `${path}.${key}`)),
  );
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
  const trace = scaleTrace(recorded, {
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

/** A draw of 0 is raised to 1; a constant of 0 is a mistake. */
function refuseNothing(draft: Draft, path: string, lengths: Readonly<Record<string, Distribution | undefined>>): void {
  for (const [key, length] of Object.entries(lengths)) {
    if (length?.dist !== 'constant' || length.value >= 1) continue;
    draft.fault(`${path}.${key}`, key === 'turns' ? '0 turns; a session has at least 1' : '0 tokens; a request has at least 1');
  }
}
