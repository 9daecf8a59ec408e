import type {Device} from '../../../models/devices/device.js';
import {linkPart, storagePart} from '../../../models/parts/index.js';
import type {Link, Storage} from '../../../models/parts/part.js';
import type {Figure} from '../../../models/provenance.js';
import {quantityText} from '../../core/quantity.js';
import type {HostLink, HostLinkName, HostMemories} from '../scenario.js';
import type {Draft} from './draft.js';

/** Eight channels of DDR5-4800, one socket of Sapphire Rapids: 8 × 8 B × 4.8 GT/s. */
const dramBandwidth: Figure = {value: 307.2e9, grade: 'assumed', source: 'eight channels of DDR5-4800, a socket of Sapphire Rapids'};
const inLink: Figure = {value: 0, grade: 'assumed', source: "contained in the link's latency"};
const defaultDepth = 16;

/** The host's DRAM. Its size is needed where KV stays in it, and never guessed. */
export function resolveDram(draft: Draft, device: Device): NonNullable<HostMemories['dram']> {
  const path = 'hardware.memory.dram';
  const capacity = draft.get<number>(`${path}.capacity`) ?? null;
  if (!draft.isWritten(`${path}.capacity`) && draft.get('kv.tiers.dram.capacity') !== undefined)
    draft.fault('kv.tiers.dram', 'hardware.memory.dram.capacity is missing: a host\'s memory is never guessed, e.g. "dram: 1 TiB"');
  for (const key of ['part', 'count', 'read_bandwidth', 'write_bandwidth', 'iops', 'queue_depth', 'endurance'])
    draft.noEffect(`${path}.${key}`, 'it is about SSDs; DRAM has capacity, bandwidth and latency');
  return {
    capacity,
    bandwidth: figureAt(draft, `${path}.bandwidth`) ?? bandwidthBeside(draft, device),
    latency: figureAt(draft, `${path}.latency`) ?? inLink,
  };
}

/** The DRAM that a processor on the device's own board has; else a common server's. */
function bandwidthBeside(draft: Draft, {memory}: Device): Figure {
  const figure = memory.dram?.bandwidth ?? dramBandwidth;
  return assume(draft, 'hardware.memory.dram.bandwidth', figure, quantityText(figure.value, 'bandwidth'));
}

/** The host's SSDs as one: `count` parts striped, what the scenario states in place of the part's, for all of them together. */
export function resolveSsd(draft: Draft): HostMemories['ssd'] {
  const path = 'hardware.memory.ssd';
  const name = draft.get<string>(`${path}.part`);
  const part = name === undefined ? undefined : draft.try(`${path}.part`, () => storagePart(name, draft.parse));
  if (name !== undefined && part === undefined) return null;
  const count = draft.get<number>(`${path}.count`) ?? 1;
  if (part === undefined) draft.noEffect(`${path}.count`, 'no part is named: figures are of all SSDs together');
  for (const key of ['bandwidth']) draft.noEffect(`${path}.${key}`, 'SSDs have read_bandwidth and write_bandwidth');
  const figure = (key: string, own: (part: Storage) => Figure, times = count) =>
    figureAt(draft, `${path}.${key}`) ?? (part === undefined ? null : scaled(own(part), times));
  const capacity = figure('capacity', (p) => p.capacity);
  const read = figure('read_bandwidth', (p) => p.read);
  const write = figure('write_bandwidth', (p) => p.write);
  const missing = Object.entries({capacity, read_bandwidth: read, write_bandwidth: write}).flatMap(([key, value]) =>
    value === null ? [key] : [],
  );
  if (capacity === null || read === null || write === null) {
    const where = draft.isWritten(path) ? path : 'kv.tiers.ssd';
    draft.fault(
      where,
      `${where === path ? '' : `${path} `}lacks ${missing.join(', ')}; a part brings them, e.g. "ssd: nvme-gen4-4tb" (\`tiercast list parts\`)`,
    );
    return null;
  }
  return {
    name: part === undefined ? 'SSD' : `${count > 1 ? `${count} × ` : ''}${part.name}`,
    capacity: capacity.value,
    read,
    write,
    latency: figure('latency', (p) => p.latency, 1) ?? inLink,
    iops: figure('iops', (p) => p.iops),
    queueDepth: draft.get<number>(`${path}.queue_depth`) ?? defaultDepth,
    endurance: figure('endurance', (p) => p.endurance),
  };
}

/** A memory of another host. */
export function resolveRemote(draft: Draft): HostMemories['remote'] {
  const path = 'hardware.memory.remote';
  const capacity = draft.get<number>(`${path}.capacity`);
  if (capacity === undefined) {
    draft.fault(draft.isWritten(path) ? path : 'kv.tiers.remote', `${path}.capacity is missing, e.g. "remote: 10 TiB"`);
    return null;
  }
  for (const key of ['part', 'count', 'read_bandwidth', 'write_bandwidth', 'iops', 'queue_depth', 'endurance'])
    draft.noEffect(`${path}.${key}`, 'a remote memory has capacity, bandwidth and latency; hardware.links.network leads to it');
  return {capacity, bandwidth: figureAt(draft, `${path}.bandwidth`), latency: figureAt(draft, `${path}.latency`) ?? inLink};
}

/** A link of the host over the whole replica; null where neither the device nor the scenario has one. */
export function resolveLink(draft: Draft, device: Device, name: HostLinkName, count: number): HostLink | null {
  const path = `hardware.links.${name}`;
  const named = draft.get<string>(`${path}.part`);
  const stated = named === undefined ? undefined : draft.try(`${path}.part`, () => linkPart(named, draft.parse));
  if (named !== undefined && stated === undefined) return null;
  const own = name === 'host' ? device.links.host : undefined;
  const part = stated ?? (own?.part === undefined ? undefined : linkPart(own.part, draft.parse));
  const bandwidth = figureAt(draft, `${path}.bandwidth`) ?? stated?.bandwidth ?? own?.bandwidth ?? null;
  if (bandwidth === null) {
    if (draft.isWritten(path)) draft.fault(`${path}.bandwidth`, 'missing; or a part, e.g. pcie5-x16');
    return null;
  }
  const lanes = (draft.get<string>(`${path}.per`) ?? 'device') === 'device' && name !== 'storage' && name !== 'network' ? count : 1;
  const duplex = figureAt(draft, `${path}.duplex`) ?? duplexOf(part, bandwidth);
  return {
    bandwidth: scaled(bandwidth, lanes),
    latency: figureAt(draft, `${path}.latency`) ?? startOf(draft, path, stated?.latency ?? own?.latency ?? inLink),
    duplex: duplex === null ? null : scaled(duplex, lanes),
    // Devices copy side by side; what they share takes their pieces one after the other.
    piece: name === 'host' ? scaled((part ?? linkPart('pcie5-x16', draft.parse)).piece, count / lanes) : inLink,
  };
}

/** The start of a copy, listed where it is only assumed. */
function startOf(draft: Draft, path: string, latency: Figure): Figure {
  return latency.grade === 'assumed' && latency.value > 0
    ? assume(draft, `${path}.latency`, latency, quantityText(latency.value, 'duration'))
    : latency;
}

/** Both directions together; of another bandwidth than the part's, the same share. */
function duplexOf(part: Link | undefined, bandwidth: Figure): Figure | null {
  if (part?.duplex === undefined) return null;
  if (bandwidth.value === part.bandwidth.value) return part.duplex;
  const value = (part.duplex.value / part.bandwidth.value) * bandwidth.value;
  return {
    value,
    grade: 'extrapolated',
    source: `${part.name}: both directions reach ${(part.duplex.value / part.bandwidth.value).toFixed(2)} × one`,
  };
}

/** What the scenario states at a path, listed among the assumptions; null when it does not. */
function figureAt(draft: Draft, path: string): Figure | null {
  const value = draft.get<number>(path);
  if (value === undefined) return null;
  const figure = {value, ...draft.provenance(path)};
  return assume(draft, path, figure, draft.textAt(path));
}

function scaled(figure: Figure, times: number): Figure {
  return times === 1 ? figure : {...figure, value: figure.value * times};
}

/** Lists a figure of no part among the assumptions. */
function assume(draft: Draft, path: string, figure: Figure, value: string): Figure {
  draft.assumptions.push({path, value, grade: figure.grade, source: figure.source});
  return figure;
}
