import type {Figure} from '../provenance.js';
import type {StorageSpec} from './part.js';

function stated(value: string, source: string): Figure<string> {
  return {value, grade: 'datasheet', source};
}

const large = 'syspartsdirect.com, Samsung 990 PRO 4 TB';
const small = 'syspartsdirect.com, Samsung 990 PRO 1 TB';

/** NVMe drives of which read and write rate, IOPS, latency and endurance are all stated somewhere. */
export const nvme: Readonly<Record<string, StorageSpec>> = {
  'nvme-gen4-1tb': {
    kind: 'storage',
    name: 'Samsung 990 PRO 1 TB (PCIe 4 × 4)',
    capacity: stated('1 TB', small),
    read: stated('7.45 GB/s', small),
    write: stated('6.9 GB/s', small),
    latency: stated('60 us', small),
    iops: stated('1200000 IOPS', small),
    endurance: stated('600 TB', small),
  },
  'nvme-gen4-4tb': {
    kind: 'storage',
    name: 'Samsung 990 PRO 4 TB (PCIe 4 × 4)',
    capacity: stated('4 TB', large),
    read: stated('7.45 GB/s', large),
    write: stated('6.9 GB/s', large),
    latency: stated('55 us', large),
    iops: stated('1600000 IOPS', large),
    endurance: stated('2400 TB', large),
  },
};
