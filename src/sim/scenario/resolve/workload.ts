import type {StreamConfig, Traffic, WorkloadConfig} from '../../workload/workload.js';
import {at, type MapTree} from '../file/tree.js';
import {kinds} from '../schema/workload.js';
import type {Draft} from './draft.js';
import {resolveTraffic} from './traffic.js';

/** What is asked of the deployment; undefined when something is wrong with it, or it is of a kind that is not simulated. */
export async function resolveWorkload(draft: Draft): Promise<WorkloadConfig | undefined> {
  const streams = at(draft.written, ['workload', 'streams'])?.tree;
  if (streams?.kind === 'map') return resolveStreams(draft, [...streams.entries.keys()]);
  const traffic = await resolveOne(draft, 'workload');
  const named = draft.get<string>('workload.class');
  return traffic && (named === undefined ? traffic : {...traffic, class: named});
}

async function resolveStreams(draft: Draft, names: readonly string[]): Promise<WorkloadConfig | undefined> {
  const written = at(draft.written, ['workload'])!.tree as MapTree;
  for (const key of written.entries.keys()) {
    if (key !== 'streams') draft.fault(`workload.${key}`, 'belongs into a stream, because workload.streams is written');
  }
  if (names.length === 0) draft.fault('workload.streams', 'is empty; e.g. "streams: {chat: {kind: chat, arrivals: 1 session/s}}"');
  const streams = await Promise.all(names.map((name) => resolveStream(draft, name)));
  return names.length > 0 && streams.every((stream) => stream !== undefined) ? {kind: 'streams', streams} : undefined;
}

async function resolveStream(draft: Draft, name: string): Promise<StreamConfig | undefined> {
  const path = `workload.streams.${name}`;
  if (draft.get(path) !== undefined && !draft.isWritten(`${path}.kind`))
    draft.fault(path, `says no "kind"; known: ${Object.keys(kinds).join(', ')}`);
  const traffic = await resolveOne(draft, path);
  return traffic && {name, class: draft.get<string>(`${path}.class`) ?? name, traffic};
}

async function resolveOne(draft: Draft, path: string): Promise<Traffic | undefined> {
  const kind = draft.get<keyof typeof kinds>(`${path}.kind`);
  if (kind === undefined || !Object.hasOwn(kinds, kind)) return undefined;
  warnOfOtherKeys(draft, path, kind);
  return resolveTraffic[kind](draft, path);
}

function warnOfOtherKeys(draft: Draft, path: string, kind: keyof typeof kinds): void {
  const written = at(draft.written, path.split('.'))?.tree as MapTree | undefined;
  for (const key of written?.entries.keys() ?? []) {
    if (key === 'kind' || kinds[kind].includes(key)) continue;
    const users = Object.entries(kinds).filter(([, keys]) => keys.includes(key));
    if (users.length > 0) draft.noEffect(`${path}.${key}`, `it belongs to ${users.map(([name]) => name).join(' and ')}, this is ${kind}`);
  }
}
