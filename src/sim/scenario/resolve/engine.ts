import type {Layout} from '../../../models/cost/expert-layout.js';
import type {Device} from '../../../models/devices/device.js';
import type {EngineProfile, Placement} from '../../../models/engines/engine.js';
import {engineProfile, engines} from '../../../models/engines/index.js';
import type {Scenario} from '../scenario.js';
import type {Draft} from './draft.js';
import {type EngineFile, readEngineFile} from './engine-profile.js';

/** The engine's profile with the host times that a file and the scenario set; undefined when something is wrong with it. */
export async function resolveEngine(draft: Draft): Promise<EngineProfile | undefined> {
  const preset = draft.get<string>('engine.preset');
  if (preset === undefined || !Object.hasOwn(engines, preset)) return undefined;
  const file = await readProfile(draft, preset);
  const version = draft.get<string>('engine.version') ?? file?.version ?? null;
  const base = draft.try('engine.version', () => engineProfile(preset, version));
  if (base === undefined) return undefined;
  if (draft.get('engine.version') === undefined) draft.default('engine.version', base.version);
  const profile = file?.apply(base) ?? base;
  const figure = (part: keyof EngineProfile['overhead']) => {
    const path = `engine.overhead.${part}`;
    const value = draft.get<number>(path);
    return value === undefined ? profile.overhead[part] : {value, ...draft.provenance(path)};
  };
  return {
    ...profile,
    overhead: {step: figure('step'), sequence: figure('sequence'), request: figure('request'), delivery: figure('delivery')},
  };
}

/** What of the engine's defaults depends on. A device without a size is a fault of its own. */
export function placementOf(draft: Draft, device: Device): Placement {
  const memoryBytes = device.memory[device.home]!.capacity?.value ?? 0;
  return {memoryBytes, id: device.id, tensor: draft.get<number>('engine.parallel.tensor') ?? 1};
}

/** The profile on its devices, for steps of so many tokens at most. */
export function onDevices(engine: EngineProfile, on: Placement, maxNumBatchedTokens: number): EngineProfile {
  if (engine.placed === undefined || on.memoryBytes === 0) return engine;
  return {...engine, ...engine.placed(on, maxNumBatchedTokens)};
}

/** The file of `engine.profile`; a profile of another engine is a fault, of another version a warning. */
async function readProfile(draft: Draft, preset: string): Promise<EngineFile | undefined> {
  const written = draft.get<string>('engine.profile');
  if (written === undefined) return undefined;
  const path = draft.resolvePath('engine.profile', written);
  const read = async () => readEngineFile(new TextDecoder().decode(await draft.readFile(path)), path, draft.parse);
  const file = await draft.tryAsync('engine.profile', read, path);
  if (file === undefined) return undefined;
  if (file.preset !== preset) {
    draft.fault('engine.profile', `${written} is of ${file.preset}, the scenario runs ${preset}`);
    return undefined;
  }
  const version = draft.get<string>('engine.version');
  if (version !== undefined && file.version !== null && version !== file.version) {
    draft.warn('engine_version', 'engine.profile', `${written} was fitted to ${file.preset} ${file.version}, the scenario says ${version}`);
  }
  return file;
}

/** What `engine` decides beside its profile. */
export function resolveEngineKeys(
  draft: Draft,
  engine: EngineProfile,
): Pick<Scenario, 'gpuMemoryUtilization' | 'maxModelLen' | 'parallel' | 'count'> {
  if (!draft.isWritten('engine.gpu_memory_utilization')) draft.default('engine.gpu_memory_utilization', engine.gpuMemoryUtilization.value);
  const gpuMemoryUtilization = draft.get<number>('engine.gpu_memory_utilization') ?? engine.gpuMemoryUtilization.value;
  if (gpuMemoryUtilization === 0) draft.fault('engine.gpu_memory_utilization', '0 leaves the engine no memory');
  const tensor = draft.get<number>('engine.parallel.tensor') ?? 1;
  const count = draft.get<number>('hardware.count') ?? tensor;
  if (count !== tensor) {
    draft.fault('hardware.count', `${count} is not engine.parallel.tensor, ${tensor}; a replica has as many devices as its layout uses`);
  }
  if (!draft.isWritten('hardware.count')) draft.default('hardware.count', tensor);
  const expert = draft.get<number>('engine.parallel.expert') ?? 1;
  if (tensor === 1) draft.noEffect('engine.parallel.exchange', 'there is one device');
  const exchange = draft.get<Layout['exchange']>('engine.parallel.exchange') ?? 'all-reduce';
  return {
    gpuMemoryUtilization,
    maxModelLen: draft.get<number>('engine.max_model_len') ?? null,
    parallel: {tensor, expert, exchange},
    count,
  };
}

/** The KV cache's knobs but for its format and what lies below. */
export function resolveKv(
  draft: Draft,
  engine: EngineProfile,
  device: Device,
): Pick<Scenario['kv'], 'blockSize' | 'prefixCache' | 'upFront' | 'blocks' | 'capacityCap'> {
  if (draft.get('kv.block_size') === undefined) draft.default('kv.block_size', engine.blockSize);
  const capacity = draft.get<number | 'rest'>(`kv.tiers.${device.home}.capacity`);
  return {
    blockSize: draft.get<number>('kv.block_size')!,
    prefixCache: draft.get<boolean>('kv.prefix_cache') ?? true,
    upFront: resolveUpFront(draft, engine),
    blocks: draft.get<number>('kv.blocks') ?? null,
    capacityCap: typeof capacity === 'number' ? capacity : null,
  };
}

/** llama-server's rule: its own number of slots share one context; a number that is set gives each its own. */
function resolveUpFront(draft: Draft, engine: EngineProfile): Scenario['kv']['upFront'] {
  if (!engine.kvUpFront) {
    draft.noEffect('kv.unified', `${engine.preset} allocates blocks as they are needed`);
    return null;
  }
  if (draft.get('kv.unified') === undefined) draft.default('kv.unified', !draft.isWritten('scheduler.max_num_seqs'));
  return draft.get<boolean>('kv.unified') ? 'one' : 'each';
}
