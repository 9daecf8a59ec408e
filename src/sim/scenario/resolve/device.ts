import {loadFit} from '../../../models/cost/fit/index.js';
import type {Device, DeviceFits} from '../../../models/devices/device.js';
import {builtinDevice, devices, gpuLimitOf, measuredOn, resolveDevice} from '../../../models/devices/index.js';
import type {Figure} from '../../../models/provenance.js';
import {quantityText} from '../../core/quantity.js';
import {lookup} from '../../core/registry.js';
import {Faults} from '../file/fault.js';
import {memoryNames} from '../schema/hardware.js';
import type {Draft} from './draft.js';
import {isPath} from './model.js';
import {type Profile, readProfile} from './profile.js';

/** The device with every figure that the scenario sets in place of its own; undefined when something is wrong with it. */
export async function resolveHardware(draft: Draft): Promise<Device | undefined> {
  const name = draft.get<string>('hardware.device');
  if (name === undefined) return undefined;
  const file = isPath(name) ? draft.resolvePath('hardware.device', name) : undefined;
  const read = async () =>
    file === undefined ? resolveDevice(name, lookup('device', devices, name), draft.parse) : readDevice(draft, name, file);
  const device = await draft.tryAsync('hardware.device', read, file);
  return device === undefined ? undefined : withOverrides(draft, device);
}

async function readDevice(draft: Draft, written: string, path: string): Promise<Device> {
  const profile = readProfile(new TextDecoder().decode(await draft.readFile(path)), path);
  const {id, spec, base, unused} = profile;
  if (unused.length > 0) draft.warn('profile_unused', 'hardware.device', `${written}: ${unused.join(', ')} not used by this version`);
  const device = resolveDevice(id, spec, draft.parse);
  // The fits of the device that it extends were measured with that device's figures.
  const inherited = base === null ? [] : (builtinDevice(base).fits ?? []);
  const own = profile.fits.length === 0 ? [] : [measuredOn(device, readFits(draft, profile))];
  const fits = [...own, ...inherited];
  return fits.length === 0 ? device : {...device, fits};
}

/** Reads each fit, and writes it back in the units that the cost model reads. */
function readFits(draft: Draft, {id, fits}: Profile): DeviceFits['kernels'] {
  const faults = new Faults();
  const read = fits.map(({kernel, json, at}) => {
    const fit = faults.catch(at, '', () => loadFit(kernel, json, draft.parse));
    const {error, source = id, grade} = json;
    return [kernel, {...(fit?.fitted.toJson() ?? json), error, source, grade}] as const;
  });
  faults.throwAny();
  return Object.fromEntries(read);
}

function withOverrides(draft: Draft, device: Device): Device {
  const {home} = device;
  const figure = <T extends Figure | null | undefined>(path: string, own: T): T | Figure => {
    const value = draft.get<number>(path);
    return value === undefined ? own : {value, ...draft.provenance(path)};
  };
  const memory = {...device.memory};
  // The scenario states the total of a replica, a device its own.
  const capacity = figure(`hardware.memory.${home}.capacity`, null);
  const devicesOfReplica = draft.get<number>('engine.parallel.tensor') ?? 1;
  memory[home] = {
    capacity: capacity === null ? memory[home]!.capacity : {...capacity, value: Math.floor(capacity.value / devicesOfReplica)},
    bandwidth: figure(`hardware.memory.${home}.bandwidth`, memory[home]!.bandwidth),
  };
  const gpuLimit = resolveGpuLimit(draft, {...device, memory}, devicesOfReplica);
  const compute = {...device.compute};
  for (const [type, value] of Object.entries(draft.get<Record<string, number>>('hardware.compute') ?? {})) {
    compute[type as keyof typeof compute] = {value, ...draft.provenance(`hardware.compute.${type}`)};
  }
  const links = {...device.links};
  const path = 'hardware.links.peer';
  const bandwidth = figure(`${path}.bandwidth`, links.peer?.bandwidth);
  const latency = figure(`${path}.latency`, links.peer?.latency ?? {value: 0, grade: 'assumed', source: 'not stated'});
  if (bandwidth !== undefined) links.peer = {bandwidth, latency: latency!};
  else if (draft.isWritten(path)) draft.fault(`${path}.bandwidth`, `missing; ${device.id} has no such link of its own`);
  return {...device, memory, gpuLimit, compute, links, power: figure('hardware.power', device.power)};
}

/** What the GPU may use of a unified memory: as the scenario states it for the replica, else what the system gives of the size it has. */
function resolveGpuLimit(draft: Draft, device: Device, count: number): Figure | null {
  const {home, memory, id} = device;
  for (const name of memoryNames)
    if (name !== home || name !== 'unified')
      draft.noEffect(`hardware.memory.${name}.gpu_limit`, `it is about unified memory; ${id} has ${home}`);
  const path = 'hardware.memory.unified.gpu_limit';
  const stated = home === 'unified' ? draft.get<number>(path) : undefined;
  if (stated === undefined) return gpuLimitOf(device);
  const size = memory.unified?.capacity?.value;
  if (size !== undefined && stated > size * count)
    draft.fault(
      path,
      `${draft.textAt(path)} is more than the memory has: hardware.memory.unified is ${quantityText(size * count, 'bytes')}`,
    );
  return {value: Math.floor(stated / count), ...draft.provenance(path)};
}
