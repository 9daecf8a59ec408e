import type {QuantityKind, QuantityParser} from '../../sim/core/quantity.js';
import {lookup} from '../../sim/core/registry.js';
import type {Figure} from '../provenance.js';
import {nvme} from './nvme.js';
import type {Link, LinkSpec, PartSpec, Storage, StorageSpec} from './part.js';
import {pcie} from './pcie.js';

/** Drives by the name that scenario files use. */
export const storageParts: Readonly<Record<string, StorageSpec>> = {...nvme};

/** Links by the name that scenario files use. */
export const linkParts: Readonly<Record<string, LinkSpec>> = {...pcie};

const kinds: Readonly<Record<string, QuantityKind>> = {
  capacity: 'bytes',
  read: 'bandwidth',
  write: 'bandwidth',
  bandwidth: 'bandwidth',
  duplex: 'bandwidth',
  latency: 'duration',
  piece: 'duration',
  iops: 'iops',
  endurance: 'bytes',
};

/** A drive in SI; throws InputError naming those known. */
export function storagePart(id: string, parse: QuantityParser): Storage {
  return {id, ...inSi(lookup('part', storageParts, id), parse)} as unknown as Storage;
}

/** A link in SI; throws InputError naming those known. */
export function linkPart(id: string, parse: QuantityParser): Link {
  return {id, ...inSi(lookup('part', linkParts, id), parse)} as unknown as Link;
}

function inSi(spec: PartSpec, parse: QuantityParser): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(spec).map(([key, value]) =>
      typeof value === 'string' ? [key, value] : [key, {...value, value: parse((value as Figure<string>).value, kinds[key])}],
    ),
  );
}
