import {clearNoise, quantities} from '../../core/quantity.js';
import {classesOf} from '../../workload/classes.js';
import {check, withDefaults} from '../file/check.js';
import {compute} from '../file/compute.js';
import {parseScenario, readScenarioFile} from '../file/document.js';
import {Faults, type Place} from '../file/fault.js';
import type {FileRead, Files} from '../file/files.js';
import {expand, merge, withoutNulls} from '../file/merge.js';
import {folderOf, joined, relative, stemOf} from '../file/paths.js';
import {at, forbiddenNames, type MapTree, parseValue, type Tree, withAt} from '../file/tree.js';
import type {KvPresetUse, Scenario} from '../scenario.js';
import {find, schema} from '../schema/index.js';
import {shortVersion} from '../schema/node.js';
import {chosenPaths} from './chosen.js';
import {resolveCluster} from './cluster.js';
import {resolveHardware} from './device.js';
import {Draft, gradeOf, resolveSources} from './draft.js';
import {onDevices, placementOf, resolveEngine, resolveEngineKeys, resolveKv} from './engine.js';
import {moveEngineFlags} from './engine-flags.js';
import {assumedFigures} from './figures.js';
import {applyKvPreset} from './kv-preset.js';
import {resolveKvFormat, resolveModel} from './model.js';
import {loadOwnPolicies} from './own-policies.js';
import {resolveCost, resolveCostModel, resolveReport, resolveRun, resolveSlo} from './run.js';
import {resolveScheduler} from './scheduler.js';
import {resolveTiers, withSizesOfHbm} from './tiers.js';
import {resolveWorkload} from './workload.js';
import {sorted, toYaml} from './write.js';

/** A change of one key: what `--set PATH=VALUE` says, already parsed, with the place to cite when it is wrong. */
export interface Change {
  readonly path: string;
  readonly value: Tree;
  readonly at: Place;
}

/** What the command line or a study changes of a scenario file. */
export interface LoadOptions {
  /** `PATH=VALUE`, the value as YAML; null takes a key away. */
  readonly set?: readonly (string | Change)[];
  /** The folder that the resolved YAML will lie in, from the current folder; its paths count from there. Default: the scenario's own. */
  readonly folder?: string;
  readonly seed?: number;
  readonly replications?: number;
}

/** Reads, merges, checks and resolves a scenario file. Throws InputError with every fault, one line each. */
export async function resolveScenario(path: string, files: Files, options: LoadOptions = {}): Promise<Scenario> {
  const {tree, files: read} = await readScenarioFile(path, files);
  return resolveTree(tree, path, [...read], files, options);
}

/** The same for a scenario that stands in no file; `name` is what messages call it. Paths count from the current folder. */
export async function resolveText(text: string, name: string, files: Files, options: LoadOptions = {}): Promise<Scenario> {
  return resolveTree(parseScenario(text, name), name, [], files, options);
}

async function resolveTree(tree: Tree, path: string, read: FileRead[], files: Files, options: LoadOptions): Promise<Scenario> {
  const faults = new Faults();
  const changed = withOptions(tree, options, faults);
  const clean = moveEngineFlags(withoutNulls(changed) as MapTree, faults);
  const {tree: written, use} = applyKvPreset((await compute(schema, clean, faults)) as MapTree, faults);
  // What a chat, a trace or the arrivals have by default depends on the kind of workload.
  const full = withDefaults(schema, written, workloadDefaults(written));
  const unsimulated = new Faults();
  const parse = await quantities();
  const values = check(schema, full, parse, faults, unsimulated);
  const draft = new Draft({files, parse, faults, unsimulated, read, written, tree: full, values});
  return resolveDraft(draft, use, path, options.folder ?? folderOf(path));
}

/** Defaults of `replay` are for `replay` only. */
function workloadDefaults(tree: MapTree): ReadonlySet<string> {
  const kind = at(tree, ['workload', 'kind'])?.tree;
  const skipped = kind?.kind === 'scalar' && kind.value === 'replay' ? [] : ['workload.rate_scale', 'workload.dequantise'];
  const absent = ['cost', 'cluster'].filter((key) => at(tree, [key]) === undefined);
  return new Set([...skipped, ...absent, 'hardware', 'workload.arrivals', 'workload.shared_prefixes']);
}

function withOptions(tree: Tree, {set = [], seed, replications}: LoadOptions, faults: Faults): Tree {
  let changed = tree;
  for (const one of set) changed = typeof one === 'string' ? withSet(changed, one, faults) : withChange(changed, one, faults);
  for (const [flag, key, value] of [
    ['--seed', 'seed', seed],
    ['--replications', 'replications', replications],
  ] as const) {
    if (value === undefined) continue;
    const place = {file: '', line: 1, column: 1, flag};
    changed = withAt(changed, ['run', key], {kind: 'scalar', at: place, value, source: String(value)}, place);
  }
  return changed;
}

/** Applies one `--set PATH=VALUE`. */
function withSet(tree: Tree, text: string, faults: Faults): Tree {
  const place = {file: '', line: 1, column: 1, flag: '--set'};
  const equals = text.indexOf('=');
  const path = text.slice(0, equals).trim();
  if (equals < 1 || path === '') {
    faults.add(place, '', `${JSON.stringify(text)}: write PATH=VALUE, e.g. --set run.seed=2`);
    return tree;
  }
  const written = text.slice(equals + 1).trim();
  const value = isText(partsOf(path)) ? textValue(written, place) : parseValue(written, '--set', faults);
  return value === null ? tree : withChange(tree, {path, value, at: place}, faults);
}

function partsOf(path: string): string[] {
  return path.startsWith('sources.') ? ['sources', path.slice('sources.'.length)] : path.split('.');
}

/** Puts one value at its path, as a later file would. */
function withChange(tree: Tree, {path, value, at: place}: Change, faults: Faults): Tree {
  const parts = partsOf(path);
  const bad = parts.find((part) => part === '' || forbiddenNames.includes(part));
  if (bad !== undefined) {
    faults.add(place, path, bad === '' ? 'has an empty name in its path' : `"${bad}" cannot be a key`);
    return tree;
  }
  if (parts[0] === 'extends') {
    faults.add(place, path, 'is read before changes are made; write it into a file, e.g. "extends: base.yaml"');
    return tree;
  }
  const partial = withAt({kind: 'map', at: place, entries: new Map()}, parts, value, place);
  return merge(schema, tree, expand(schema, partial));
}

function isText(parts: readonly string[]): boolean {
  if (parts[0] === 'sources') return parts.length > 1;
  const node = find(parts.join('.'))?.node;
  return node?.kind === 'key' && (node.type === 'text' || node.type === 'path');
}

/** Text needs no quotes on the command line: `--set name=a: b`. `null` still takes it away. */
function textValue(written: string, place: Place): Tree {
  const quoted = /^(["'])(.*)\1$/.exec(written);
  return {kind: 'scalar', at: place, value: written === 'null' ? null : (quoted?.[2] ?? written), source: written};
}

async function resolveDraft(draft: Draft, preset: KvPresetUse | null, path: string, folder: string): Promise<Scenario> {
  refuseStudy(draft);
  refuseMissing(draft);
  refuseNewer(draft);
  await loadOwnPolicies(draft);
  const llm = await resolveModel(draft);
  const device = await resolveHardware(draft);
  const profile = await resolveEngine(draft);
  const format = llm && resolveKvFormat(draft, llm);
  const workload = await resolveWorkload(draft);
  const scheduler = profile && device && resolveScheduler(draft, profile, device, workload);
  const engine = scheduler ? onDevices(profile, placementOf(draft, device), scheduler.maxNumBatchedTokens) : profile;
  const layout = engine && resolveEngineKeys(draft, engine);
  const kv = engine && device && resolveKv(draft, engine, device);
  const cluster = resolveCluster(draft);
  const below = device && engine && resolveTiers(draft, device, layout ?? {count: 1, gpuMemoryUtilization: 1}, engine, cluster);
  const rest = {
    run: resolveRun(draft),
    slo: resolveSlo(draft, workload ? classesOf(workload) : null),
    cost: resolveCost(draft, device),
    costModel: resolveCostModel(draft, device),
  };
  const name = draft.get<string>('name') ?? stemOf(path);
  const report = resolveReport(draft, name);
  resolveSources(draft);
  draft.faults.throwAny();
  draft.unsimulated.outermost().throwAny();
  if (!llm || !device || !engine || !format || !workload || !layout || !scheduler || !kv || !below)
    throw new Error('a scenario without faults lacks a part');
  const {host, ...kvBelow} = below;
  warnOfIdleHardware(draft, layout.count);
  draft.assumptions.push(
    ...assumedFigures(draft, device, engine, layout.count).filter(({path: key}) => !draft.assumptions.some((one) => one.path === key)),
  );
  draft.default('name', name);
  return withSizesOfHbm(draft, {
    name,
    description: draft.get<string>('description') ?? '',
    llm,
    activationType: draft.get<Scenario['activationType']>('model.activation_dtype') ?? 'bf16',
    device,
    engine,
    scheduler,
    kv: {...kv, ...kvBelow, format, preset},
    host,
    cluster,
    workload,
    ...layout,
    ...rest,
    report,
    ...written(draft, folder),
    assumptions: draft.assumptions,
    warnings: draft.warnings,
  });
}

const examples: Readonly<Record<string, string>> = {
  'model.name': 'model: llama-3.1-8b',
  'hardware.device': 'hardware: h100-sxm',
  'engine.preset': 'engine: vllm',
  'workload.kind': 'workload: {kind: chat, arrivals: 2 session/s}',
};

function refuseMissing(draft: Draft): void {
  for (const [path, example] of Object.entries(examples)) {
    const top = path.split('.')[0];
    if (top !== 'workload' && draft.isWritten('cluster.pools')) continue; // a pool may say it
    if (path === 'workload.kind' && draft.isWritten('workload.streams')) continue;
    if (draft.faults.suggests(top) || draft.faults.suggests(path.split('.')[1])) continue;
    if (!draft.isWritten(top)) draft.fault(top, `missing; e.g. "${example}"`);
    else if (draft.get(top) !== undefined && !draft.isWritten(path)) draft.fault(path, `missing; e.g. "${example}"`);
  }
}

/** A study is many scenarios: it is swept, or run without its study. */
function refuseStudy(draft: Draft): void {
  if (draft.isWritten('study'))
    draft.fault('study', 'this is a study: `tiercast sweep` runs it; --set study=null leaves the scenario alone');
}

function refuseNewer(draft: Draft): void {
  const version = draft.get<number>('tiercast');
  if (version !== undefined && version > 1)
    draft.fault('tiercast', `${version} is newer than what this version (${shortVersion}) reads: 1`);
}

function warnOfIdleHardware(draft: Draft, count: number): void {
  if (count === 1) draft.noEffect('hardware.links.peer', 'there is one device');
}

/** The scenario as it was resolved: as YAML, as JSON in SI, its hash, and the files that built it. */
function written(draft: Draft, folder: string): Pick<Scenario, 'yaml' | 'chosen' | 'resolved' | 'sha256' | 'files'> {
  keepGuesses(draft);
  for (const key of ['extends', 'vars']) draft.drop(key);
  const resolvePath = (tree: Tree, text: string) => joined(folderOf(tree.at.file), text);
  const {extends: _parents, vars: _vars, ...values} = draft.values;
  const resolved = JSON.parse(JSON.stringify(sorted(values), (_key, value) => (typeof value === 'number' ? clearNoise(value) : value)));
  const files = draft.read.map((file) => ({path: relative(folder, file.path), sha256: file.sha256}));
  const scenarioFiles = new Set(draft.read.filter(({path: one}) => /\.ya?ml$/i.test(one)).map(({path: one}) => relative(folder, one)));
  const inputs = files.filter(({path: one}) => !scenarioFiles.has(one)).map(({sha256}) => sha256);
  return {
    yaml: toYaml(schema, draft.tree, resolvePath, folder),
    chosen: chosenPaths(draft.written).filter((path) => !/^(?:extends|vars|study)(?:\.|$)/.test(path)),
    resolved,
    sha256: draft.files.sha256(JSON.stringify([resolved, inputs])),
    files,
  };
}

/** A default that is a guess stays one when the resolved file is loaded again: its source says so. */
function keepGuesses(draft: Draft): void {
  for (const {path, grade, source} of draft.assumptions) {
    if (grade !== 'assumed' || source !== 'default of tiercast') continue;
    const sources = draft.get<Record<string, string>>('sources');
    if (sources?.[path] !== undefined && gradeOf(sources[path]).grade !== 'assumed') continue;
    draft.setSource(path, `assumed: ${source}`);
  }
}
