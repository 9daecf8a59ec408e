import type {Device} from '../../../models/devices/device.js';
import {hasOneMemory} from '../../../models/devices/index.js';
import {macosOwn} from '../../../models/devices/macos.js';
import type {EngineProfile} from '../../../models/engines/engine.js';
import {quantityText} from '../../core/quantity.js';
import {derivePlan} from '../plan-derivation.js';
import type {HostMemories, KvTier, KvWrite, Scenario} from '../scenario.js';
import {memoryNames} from '../schema/hardware.js';
import {resolveAdmission, resolveWatermark} from './admission.js';
import type {Draft} from './draft.js';
import {resolveEviction} from './eviction.js';
import {resolveDram, resolveLink, resolveRemote, resolveSsd} from './host.js';
import {resolvePrefetch} from './prefetch.js';
import {refuseScopes, resolveScope} from './scope.js';

const below = ['dram', 'ssd', 'remote'] as const;
type Below = (typeof below)[number];

/** KV in the memories below the device's own, and those memories; undefined when something is wrong with them. */
export function resolveTiers(
  draft: Draft,
  device: Device,
  layout: Pick<Scenario, 'count' | 'gpuMemoryUtilization'>,
  engine: EngineProfile,
  cluster: Scenario['cluster'],
):
  | (Pick<Scenario['kv'], 'eviction' | 'evictionParams' | 'tiers' | 'load' | 'leastLoad' | 'chunkBlocks' | 'overlap' | 'prefetch'> & {
      host: HostMemories;
    })
  | undefined {
  const {count} = layout;
  const one = hasOneMemory(device);
  refuseOthers(draft, device);
  const names = below.filter((name) => name !== device.home && draft.isWritten(`kv.tiers.${name}`));
  const isDirect = (name: Below) => names.includes(name) && draft.get(`kv.tiers.${name}.via`) === 'direct';
  const isStaged = (name: Below) => names.includes(name) && !isDirect(name) && !one;
  const usesDram = isStaged('ssd') || isStaged('remote'); // what passes through it, although no block stays there
  const cached = names.includes('ssd') && draft.get('kv.tiers.ssd.io') === 'page-cache';
  const dram = one
    ? (names.includes('dram') || cached) && !draft.isWritten('hardware.memory.dram.capacity')
      ? leftOfOne(device, layout)
      : null
    : names.includes('dram') || usesDram
      ? resolveDram(draft, device)
      : null;
  const ssd = names.includes('ssd') ? resolveSsd(draft) : null;
  const remote = names.includes('remote') ? resolveRemote(draft) : null;
  const needsHost = !one && (names.includes('dram') || usesDram || isDirect('ssd'));
  const links = {
    host: needsHost ? resolveLink(draft, device, 'host', count) : null,
    storage: isStaged('ssd') || (one && names.includes('ssd')) ? resolveLink(draft, device, 'storage', count) : null,
    direct: isDirect('ssd') && !one ? resolveLink(draft, device, 'direct', count) : null,
    network: names.includes('remote') ? resolveLink(draft, device, 'network', count) : null,
  };
  if (needsHost && links.host === null && !draft.isWritten('hardware.links.host'))
    draft.fault(
      `kv.tiers.${names[0]}`,
      `${device.id} has no link to a host's memory; hardware.links.host says how fast one is, e.g. {part: pcie5-x16}`,
    );
  if (names.includes('remote') && links.network === null && !draft.isWritten('hardware.links.network'))
    draft.fault('kv.tiers.remote', 'hardware.links.network is missing: it leads to the remote memory, e.g. "network: 50 GB/s"');
  warnOfIdle(draft, device, names, {direct: isDirect('ssd') && !one, usesDram});
  if (one) warnOfNoLinks(draft, device);
  const sizes = {dram: dram?.capacity ?? null, ssd: ssd?.capacity ?? null, remote: remote?.capacity ?? null};
  const own = names.flatMap((name, i) => resolveTier(draft, {engine, cluster}, name, sizes[name], i));
  const tiers = cached ? withPageCache(draft, own, dram, engine) : own;
  refuseScopes(draft, tiers, {one, home: device.home});
  const chunkBlocks = resolveChunk(draft, engine, own);
  return {
    ...resolveEviction(draft, device.home),
    tiers,
    prefetch: resolvePrefetch(draft, {tiers}, cluster),
    load: draft.get<Scenario['kv']['load']>('kv.load.policy') ?? 'always',
    leastLoad: draft.get<number>('kv.load.min_tokens') ?? 0,
    chunkBlocks,
    overlap: draft.get<Scenario['kv']['overlap']>('kv.overlap') ?? engine.overlap ?? 'none',
    host: {dram, ssd, remote, links},
  };
}

/** What the engine, and macOS where it is that, leave of a machine's one memory: its processors' DRAM. */
function leftOfOne(
  {home, memory, gpuLimit, os}: Device,
  {count, gpuMemoryUtilization}: Pick<Scenario, 'count' | 'gpuMemoryUtilization'>,
): HostMemories['dram'] {
  const {capacity, bandwidth} = memory[home]!;
  if (capacity === null) return null;
  const engine = (gpuLimit ?? capacity).value * gpuMemoryUtilization;
  const left = capacity.value - engine - (os === 'macos' ? macosOwn.value : 0);
  const latency = {value: 0, grade: 'assumed', source: 'the same memory'} as const;
  return {capacity: Math.max(0, Math.floor(left * count)), bandwidth, latency};
}

/** Where there is one memory, what leads to another says nothing. */
function warnOfNoLinks(draft: Draft, {id, home}: Device): void {
  for (const key of ['hardware.links.host', 'hardware.links.direct', 'kv.tiers.ssd.via', 'kv.tiers.remote.via'])
    draft.noEffect(key, `${id} has one memory, ${home}: an SSD and a network lead straight into it`);
}

/** Files of the SSD lie in all of DRAM that KV was not given; what is written stays there until the SSD has it. */
function withPageCache(draft: Draft, tiers: readonly KvTier[], dram: HostMemories['dram'], engine: EngineProfile): KvTier[] {
  const path = 'kv.tiers.ssd.io';
  if (draft.get('kv.tiers.ssd.via') === 'direct')
    draft.fault(path, 'page-cache lies in DRAM, and kv.tiers.ssd.via is direct: what goes past DRAM is not cached there');
  const size = dram?.capacity ?? null;
  if (size === null) {
    draft.fault(path, 'hardware.memory.dram.capacity is missing: the page cache is what KV leaves of DRAM, and that is never guessed');
    return [...tiers];
  }
  const at = tiers.findIndex(({name}) => name === 'ssd');
  const left = size - (tiers.find(({name}) => name === 'dram')?.capacity ?? 0);
  if (at < 0) return [...tiers];
  if (left <= 0) {
    draft.fault(path, 'page-cache has no room: kv.tiers.dram takes all of hardware.memory.dram');
    return [...tiers];
  }
  const ssd = tiers[at];
  const cache: KvTier = {
    name: 'page-cache',
    capacity: left,
    eviction: 'lru',
    write: ssd.write,
    ...(ssd.admission === undefined ? {} : {admission: ssd.admission}),
    inclusive: true,
    promote: ssd.promote && at > 0,
    via: 'dram',
    ...(ssd.scope === undefined ? {} : {scope: ssd.scope}),
  };
  const {admission: _asked, ...on} = ssd;
  const drained: KvTier = {...on, write: {when: 'through', generated: engine.offloads !== 'prompt'}};
  return [...tiers.slice(0, at), cache, drained, ...tiers.slice(at + 1)];
}

function resolveTier(
  draft: Draft,
  {engine, cluster}: {readonly engine: EngineProfile; readonly cluster: Scenario['cluster']},
  name: Below,
  size: number | null,
  at: number,
): KvTier[] {
  const path = `kv.tiers.${name}`;
  const written = draft.get<number | 'rest'>(`${path}.capacity`);
  const isOfHbm = draft.isWritten(`${path}.of_hbm`);
  if (isOfHbm && draft.isWritten(`${path}.capacity`)) draft.fault(`${path}.of_hbm`, 'capacity says it too; keep one');
  if (!isOfHbm && !draft.isWritten(`${path}.capacity`))
    draft.fault(`${path}.capacity`, 'missing; bytes of the memory that KV may use, or rest');
  if (size === null) return [];
  // A multiple of HBM is not known yet: withSizesOfHbm puts it in.
  const capacity = isOfHbm ? 0 : written === 'rest' || written === undefined ? size : written;
  if (capacity > size) {
    const whole =
      name === 'dram' && draft.get('hardware.memory.dram.capacity') === undefined
        ? `${quantityText(size, 'bytes')} of the one memory are left beside the engine and the system; a lower engine.gpu_memory_utilization leaves more`
        : `hardware.memory.${name} is ${quantityText(size, 'bytes')}`;
    draft.fault(`${path}.capacity`, `${draft.textAt(`${path}.capacity`)} is more than the memory has: ${whole}`);
  }
  const via = draft.get<KvTier['via']>(`${path}.via`) ?? 'dram';
  if (name === 'dram' && via === 'direct')
    draft.fault(`${path}.via`, 'direct is a way of an SSD; DRAM is reached over hardware.links.host');
  if (name !== 'ssd') draft.noEffect(`${path}.io`, 'it is about the files of an SSD');
  const write = resolveWrite(draft, path, at, engine);
  return [
    {
      name,
      capacity,
      ...resolveEviction(draft, name),
      write,
      ...resolveAdmission(draft, path, at, write),
      ...resolveWatermark(draft, path),
      inclusive: draft.get<boolean>(`${path}.inclusive`) ?? true,
      promote: resolvePromote(draft, path, at),
      via,
      ...resolveScope(draft, path, cluster),
    },
  ];
}

function resolvePromote(draft: Draft, path: string, at: number): boolean {
  if (at === 0) draft.noEffect(`${path}.promote`, 'the memory above is HBM');
  return at > 0 && (draft.get<boolean>(`${path}.promote`) ?? false);
}

function resolveWrite(draft: Draft, path: string, at: number, engine: EngineProfile): KvTier['write'] {
  const when = draft.get<'through' | 'back' | 'selective'>(`${path}.write.policy`) ?? 'through';
  if (when !== 'selective') for (const key of ['after_touches', 'counts']) draft.noEffect(`${path}.write.${key}`, `write is ${when}`);
  const counts = draft.get<Extract<KvWrite, {when: 'selective'}>['counts']>(`${path}.write.counts`) ?? 'hits';
  const isOfComputed = at === 0 && (when === 'through' || (when === 'selective' && counts !== 'hits'));
  if (!isOfComputed) draft.noEffect(`${path}.write.generated`, at > 0 ? ofNearest : `write is ${when}`);
  const generated = draft.get<boolean>(`${path}.write.generated`) ?? engine.offloads !== 'prompt';
  if (when === 'through') return {when, generated};
  if (when === 'back') return {when};
  if (at > 0 && counts !== 'hits')
    draft.fault(`${path}.write.counts`, `${counts} counts what is computed in HBM: it is for the nearest memory; here hits`);
  return {when, afterTouches: draft.get<number>(`${path}.write.after_touches`) ?? 2, counts, generated};
}

const ofNearest = 'it is about the nearest tier; what comes here was written there';

/** Blocks of a chunk: kv.chunk_size in whole blocks. */
function resolveChunk(draft: Draft, engine: EngineProfile, tiers: readonly KvTier[]): number {
  const path = 'kv.chunk_size';
  const tokens = draft.get<number>(path);
  if (tokens === undefined) return 1;
  if (tiers.length === 0) draft.noEffect(path, 'there is no memory below HBM; kv.tiers says which');
  const block = draft.get<number>('kv.block_size') ?? engine.blockSize;
  if (tokens % block !== 0) draft.fault(path, `${tokens} is no multiple of the ${block} tokens of a block (kv.block_size)`);
  const back = tiers.find(({write}) => write.when === 'back');
  if (tokens > block && back !== undefined)
    draft.fault(path, `kv.tiers.${back.name}.write is back, which writes what leaves, block by block; chunks go with through or selective`);
  return Math.max(1, Math.floor(tokens / block));
}

/** The scenario with the capacities that are multiples of what KV has in HBM, and with what they leave to a page cache. */
export function withSizesOfHbm(draft: Draft, scenario: Scenario): Scenario {
  const {kv, host, device} = scenario;
  const times = (tier: KvTier) => draft.get<number>(`kv.tiers.${tier.name}.of_hbm`);
  if (kv.tiers.every((tier) => times(tier) === undefined)) return scenario;
  const {kvBlocks, blockBytes} = derivePlan({...scenario, kv: {...kv, tiers: []}});
  let left = host.dram?.capacity ?? 0;
  const tiers = kv.tiers.map((tier): KvTier => {
    const of = times(tier);
    const capacity = of === undefined ? tier.capacity : Math.max(0, of * kvBlocks * blockBytes);
    const size = (tier.name === 'page-cache' ? left : host[tier.name]!.capacity) ?? Number.POSITIVE_INFINITY;
    if (capacity > size && of !== undefined)
      draft.fault(
        `kv.tiers.${tier.name}.of_hbm`,
        `${of} times the KV of ${device.home}, ${quantityText(capacity, 'bytes')}, is more than the memory has: hardware.memory.${tier.name} is ${quantityText(size, 'bytes')}`,
      );
    if (tier.name === 'dram') left -= capacity;
    if (tier.name !== 'page-cache') return {...tier, capacity};
    if (left <= 0) draft.fault('kv.tiers.ssd.io', 'page-cache has no room: kv.tiers.dram takes all of hardware.memory.dram');
    return {...tier, capacity: left};
  });
  draft.faults.throwAny();
  return {...scenario, kv: {...kv, tiers}};
}

/** Memories that this version does not put KV into. */
function refuseOthers(draft: Draft, {home, id}: Device): void {
  if (home === 'unified' && draft.isWritten('hardware.memory.dram'))
    draft.fault('hardware.memory.dram', `${id} has one memory, hardware.memory.unified; kv.tiers.dram takes what the engine leaves of it`);
  for (const name of memoryNames) {
    if (name === home || name === 'dram' || name === 'ssd' || name === 'remote') continue;
    for (const path of [`hardware.memory.${name}`, `kv.tiers.${name}`]) if (draft.isWritten(path)) draft.notSimulated(path);
  }
}

function warnOfIdle(
  draft: Draft,
  {home}: Device,
  names: readonly string[],
  {direct, usesDram}: {readonly direct: boolean; readonly usesDram: boolean},
): void {
  for (const name of below)
    if (name !== home && !names.includes(name) && !(name === 'dram' && usesDram))
      draft.noEffect(`hardware.memory.${name}`, `nothing is put there; kv.tiers.${name} would`);
  if (names.length === 0) {
    for (const key of ['kv.load', 'kv.overlap']) draft.noEffect(key, 'there is no memory below to load from; kv.tiers says which');
    draft.noEffect('hardware.links.host', 'nothing crosses it; kv.tiers.dram would');
  } else if (draft.get('kv.prefix_cache') === false) {
    for (const name of names) draft.noEffect(`kv.tiers.${name}`, 'kv.prefix_cache is off, and only shared blocks are kept below HBM');
  }
  if (direct || !names.includes('ssd')) draft.noEffect('hardware.links.storage', direct ? 'kv.tiers.ssd.via is direct' : 'no SSD is used');
  if (!names.includes('remote')) draft.noEffect('hardware.links.network', 'nothing is put in a remote memory; kv.tiers.remote would');
  if (!direct) draft.noEffect('hardware.links.direct', 'it is used with kv.tiers.ssd.via: direct');
  for (const name of ['hbm', 'unified', 'dram'] as const) {
    if (name !== home) continue;
    for (const key of ['admission', 'watermark', 'write', 'inclusive', 'via', 'scope'])
      draft.noEffect(`kv.tiers.${name}.${key}`, `it is about memories below ${name.toUpperCase()}`);
  }
}
