import type {DeviceSpec} from './device.js';
import {assumed, computed, datasheet} from './figures.js';

const epyc = 'https://www.amd.com/en/products/processors/server/epyc/4th-generation-9004-and-8004-series/amd-epyc-9554.html';
const xeon =
  'https://www.intel.com/content/www/us/en/products/sku/231746/intel-xeon-platinum-8480-processor-105m-cache-2-00-ghz/specifications.html';
const ryzen = 'https://www.amd.com/en/products/processors/desktops/ryzen/7000-series/amd-ryzen-9-7950x.html';

/** One socket each, at its base clock. A host's memory is never guessed: the scenario states its capacity. */
export const cpus: Readonly<Record<string, DeviceSpec>> = {
  'epyc-9554': {
    kind: 'cpu',
    vendor: 'AMD',
    architecture: 'cpu',
    name: 'AMD EPYC 9554, 64 cores',
    memory: {dram: {bandwidth: datasheet('460.8 GB/s', `${epyc}: 12 channels of DDR5-4800`)}},
    compute: {
      fp32: computed('6.35 TFLOP/s', '64 cores × 3.1 GHz × 32 FLOP a cycle (two 256-bit FMA)'),
      bf16: computed('12.7 TFLOP/s', '64 cores × 3.1 GHz × 64 FLOP a cycle (AVX-512 BF16)'),
    },
    links: {},
    power: datasheet('360 W', epyc),
  },
  'xeon-8480': {
    kind: 'cpu',
    vendor: 'Intel',
    architecture: 'cpu',
    name: 'Intel Xeon Platinum 8480+, 56 cores',
    memory: {dram: {bandwidth: datasheet('307.2 GB/s', `${xeon}: 8 channels of DDR5-4800`)}},
    compute: {
      fp32: computed('7.17 TFLOP/s', '56 cores × 2.0 GHz × 64 FLOP a cycle (two 512-bit FMA)'),
      bf16: computed('229 TFLOP/s', '56 cores × 2.0 GHz × 2048 FLOP a cycle (AMX)'),
      int8: computed('459 TFLOP/s', '56 cores × 2.0 GHz × 4096 operations a cycle (AMX)'),
    },
    links: {},
    power: datasheet('350 W', xeon),
  },
  'ryzen-7950x': {
    kind: 'cpu',
    vendor: 'AMD',
    architecture: 'cpu',
    name: 'AMD Ryzen 9 7950X, 16 cores',
    memory: {dram: {bandwidth: datasheet('83.2 GB/s', `${ryzen}: 2 channels of DDR5-5200`)}},
    compute: {
      fp32: computed('2.3 TFLOP/s', '16 cores × 4.5 GHz × 32 FLOP a cycle (two 256-bit FMA)'),
      bf16: computed('4.6 TFLOP/s', '16 cores × 4.5 GHz × 64 FLOP a cycle (AVX-512 BF16)'),
    },
    links: {},
    power: datasheet('170 W', ryzen),
  },
  'epyc-9654': {
    kind: 'cpu',
    vendor: 'AMD',
    architecture: 'cpu',
    name: 'AMD EPYC 9654, 96 cores',
    memory: {dram: {bandwidth: computed('460.8 GB/s', '12 channels of DDR5-4800')}},
    compute: {
      fp32: computed('7.37 TFLOP/s', '96 cores × 2.4 GHz × 32 FLOP a cycle (two 256-bit FMA)'),
      bf16: computed('14.7 TFLOP/s', '96 cores × 2.4 GHz × 64 FLOP a cycle (AVX-512 BF16)'),
    },
    links: {},
    power: assumed('360 W', 'recalled and not checked'),
  },
  'epyc-7763': {
    kind: 'cpu',
    vendor: 'AMD',
    architecture: 'cpu',
    name: 'AMD EPYC 7763, 64 cores',
    memory: {dram: {bandwidth: computed('204.8 GB/s', '8 channels of DDR4-3200')}},
    compute: {fp32: computed('5.02 TFLOP/s', '64 cores × 2.45 GHz × 32 FLOP a cycle (two 256-bit FMA)')},
    links: {},
    power: assumed('280 W', 'recalled and not checked'),
  },
  'xeon-6980p': {
    kind: 'cpu',
    vendor: 'Intel',
    architecture: 'cpu',
    name: 'Intel Xeon 6980P, 128 cores',
    memory: {dram: {bandwidth: computed('614.4 GB/s', '12 channels of DDR5-6400; 844.8 GB/s with MRDIMM-8800')}},
    compute: {
      fp32: computed('16.4 TFLOP/s', '128 cores × 2.0 GHz × 64 FLOP a cycle (two 512-bit FMA)'),
      bf16: computed('524 TFLOP/s', '128 cores × 2.0 GHz × 2048 FLOP a cycle (AMX)'),
      int8: computed('1049 TFLOP/s', '128 cores × 2.0 GHz × 4096 operations a cycle (AMX)'),
    },
    links: {},
    power: assumed('500 W', 'recalled and not checked'),
  },
};
