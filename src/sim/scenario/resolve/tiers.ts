import type {Device} from '../../../models/devices/device.js';
import type {EngineProfile} from '../../../models/engines/engine.js';
import type {EvictionPolicyName} from '../../../policies/eviction/index.js';
import {quantityText} from '../../core/quantity.js';
import type {HostMemories, KvTier, Scenario} from '../scenario.js';
import {memoryNames} from '../schema/hardware.js';
import type {Draft} from './draft.js';
import {resolveDram, resolveLink, resolveSsd} from './host.js';

const below = ['dram', 'ssd'] as const;

/** KV in the memories below the device's own, and those memories; undefined when something is wrong with them. */
export function resolveTiers(
  draft: Draft,
  device: Device,
  count: number,
  engine: EngineProfile,
): (Pick<Scenario['kv'], 'eviction' | 'tiers' | 'load' | 'overlap'> & {host: HostMemories}) | undefined {
  refuseOthers(draft, device);
  const names = below.filter((name) => name !== device.home && draft.isWritten(`kv.tiers.${name}`));
  const dram = names.includes('dram') || usesDram(draft, names) ? resolveDram(draft) : null;
  const ssd = names.includes('ssd') ? resolveSsd(draft) : null;
  const direct = names.includes('ssd') && draft.get('kv.tiers.ssd.via') === 'direct';
  const links = {
    host: names.length > 0 ? resolveLink(draft, device, 'host', count) : null,
    storage: names.includes('ssd') && !direct ? resolveLink(draft, device, 'storage', count) : null,
    direct: direct ? resolveLink(draft, device, 'direct', count) : null,
  };
  if (names.length > 0 && links.host === null && !draft.isWritten('hardware.links.host'))
    draft.fault(
      `kv.tiers.${names[0]}`,
      `${device.id} has no link to a host's memory; hardware.links.host says how fast one is, e.g. {part: pcie5-x16}`,
    );
  warnOfIdle(draft, device, names, direct);
  const sizes = {dram: dram?.capacity ?? null, ssd: ssd?.capacity ?? null};
  const tiers = names.flatMap((name, i) => resolveTier(draft, engine, name, sizes[name], i));
  return {
    eviction: draft.get<EvictionPolicyName>(`kv.tiers.${device.home}.eviction.policy`) ?? 'lru',
    tiers,
    load: draft.get<Scenario['kv']['load']>('kv.load.policy') ?? 'always',
    overlap: draft.get<Scenario['kv']['overlap']>('kv.overlap') ?? engine.overlap ?? 'none',
    host: {dram, ssd, links},
  };
}

/** What passes through DRAM uses it although no block stays there. */
function usesDram(draft: Draft, names: readonly string[]): boolean {
  return names.includes('ssd') && draft.get('kv.tiers.ssd.via') !== 'direct';
}

function resolveTier(draft: Draft, engine: EngineProfile, name: KvTier['name'], size: number | null, at: number): KvTier[] {
  const path = `kv.tiers.${name}`;
  const written = draft.get<number | 'rest'>(`${path}.capacity`);
  if (!draft.isWritten(`${path}.capacity`)) draft.fault(`${path}.capacity`, 'missing; bytes of the memory that KV may use, or rest');
  if (size === null) return [];
  const capacity = written === 'rest' || written === undefined ? size : written;
  if (capacity > size)
    draft.fault(
      `${path}.capacity`,
      `${draft.textAt(`${path}.capacity`)} is more than the memory has: hardware.memory.${name} is ${quantityText(size, 'bytes')}`,
    );
  const via = draft.get<KvTier['via']>(`${path}.via`) ?? 'dram';
  if (name === 'dram' && via === 'direct')
    draft.fault(`${path}.via`, 'direct is a way of an SSD; DRAM is reached over hardware.links.host');
  return [
    {
      name,
      capacity,
      eviction: draft.get<EvictionPolicyName>(`${path}.eviction.policy`) ?? 'lru',
      write: resolveWrite(draft, path, at, engine),
      inclusive: draft.get<boolean>(`${path}.inclusive`) ?? true,
      via,
    },
  ];
}

function resolveWrite(draft: Draft, path: string, at: number, engine: EngineProfile): KvTier['write'] {
  const when = draft.get<'through' | 'back' | 'selective'>(`${path}.write.policy`) ?? 'through';
  if (when !== 'selective') draft.noEffect(`${path}.write.after_touches`, `write is ${when}`);
  if (when === 'through') {
    if (at > 0) draft.noEffect(`${path}.write.generated`, 'it is about the nearest tier; what comes here was written there');
    return {when, generated: draft.get<boolean>(`${path}.write.generated`) ?? engine.offloads !== 'prompt'};
  }
  draft.noEffect(`${path}.write.generated`, `write is ${when}`);
  if (when === 'back') return {when};
  if (at > 0) draft.fault(`${path}.write`, 'selective counts uses of blocks in HBM: it is for the nearest tier; here through or back');
  return {when, afterTouches: draft.get<number>(`${path}.write.after_touches`) ?? 2};
}

/** Memories that this version does not put KV into. */
function refuseOthers(draft: Draft, {home}: Device): void {
  for (const name of memoryNames) {
    if (name === home || name === 'dram' || name === 'ssd') continue;
    for (const path of [`hardware.memory.${name}`, `kv.tiers.${name}`]) if (draft.isWritten(path)) draft.notSimulated(path);
  }
}

function warnOfIdle(draft: Draft, {home}: Device, names: readonly string[], direct: boolean): void {
  for (const name of below)
    if (name !== home && !names.includes(name) && !(name === 'dram' && usesDram(draft, names)))
      draft.noEffect(`hardware.memory.${name}`, `nothing is put there; kv.tiers.${name} would`);
  if (names.length === 0) {
    for (const key of ['kv.load', 'kv.overlap']) draft.noEffect(key, 'there is no memory below to load from; kv.tiers says which');
    draft.noEffect('hardware.links.host', 'nothing crosses it; kv.tiers.dram would');
  } else if (draft.get('kv.prefix_cache') === false) {
    for (const name of names) draft.noEffect(`kv.tiers.${name}`, 'kv.prefix_cache is off, and only shared blocks are kept below HBM');
  }
  if (direct || !names.includes('ssd')) draft.noEffect('hardware.links.storage', direct ? 'kv.tiers.ssd.via is direct' : 'no SSD is used');
  if (!direct) draft.noEffect('hardware.links.direct', 'it is used with kv.tiers.ssd.via: direct');
  for (const name of ['hbm', 'unified'] as const) {
    if (name !== home) continue;
    for (const key of ['admission', 'write', 'inclusive', 'via', 'scope'])
      draft.noEffect(`kv.tiers.${name}.${key}`, `it is about memories below ${name.toUpperCase()}`);
  }
}
