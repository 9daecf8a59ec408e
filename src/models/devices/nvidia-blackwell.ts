import type {DeviceSpec} from './device.js';
import {aicSystem, assumed, chipToChip, computed, datasheet, measured, pcie5, peers} from './figures.js';
import {b200Sxm} from './profiles/b200-sxm.js';
import {rtxPro6000Server} from './profiles/rtx-pro-6000-server.js';

const blackwell = {kind: 'gpu', vendor: 'NVIDIA', architecture: 'blackwell'} as const;
const b200 = aicSystem('b200_sxm');
const b300 = aicSystem('b300_sxm');
const gb200 = aicSystem('gb200');
const gb300 = aicSystem('gb300');
const pro = aicSystem('rtx_pro_6000_server');
const rtx5090 = 'NVIDIA GeForce RTX 5090 specification, recalled and not checked';

const spark = 'https://docs.nvidia.com/dgx/dgx-spark/hardware.html';
const sparse = `${spark}: 1 PFLOP/s of fp4 with sparsity`;

export const nvidiaBlackwell: Readonly<Record<string, DeviceSpec>> = {
  'b200-sxm': {
    kind: 'gpu',
    vendor: 'NVIDIA',
    architecture: 'blackwell',
    name: 'NVIDIA B200 SXM 180 GB',
    memory: {
      hbm: {
        capacity: measured('178.35 GiB', 'https://github.com/pytorch/ao/pull/4002 (device query)'),
        bandwidth: datasheet('7.7 TB/s', `${b200}; a device query gives 7.672`),
      },
    },
    compute: {
      bf16: datasheet('2250 TFLOP/s', b200),
      fp16: datasheet('2250 TFLOP/s', b200),
      fp8: datasheet('4500 TFLOP/s', b200),
      fp4: datasheet('9000 TFLOP/s', b200),
      int8: datasheet('4500 TFLOP/s', b200),
    },
    links: {host: pcie5, peer: peers.nvlink5},
    power: datasheet('1000 W', b200),
    fits: b200Sxm,
  },
  'rtx-pro-6000-server': {
    kind: 'gpu',
    vendor: 'NVIDIA',
    architecture: 'blackwell-rtx',
    name: 'NVIDIA RTX PRO 6000 Blackwell Server 96 GB',
    memory: {hbm: {capacity: measured('97887 MiB', `${pro} (nvidia-smi)`), bandwidth: datasheet('1.792 TB/s', pro)}},
    compute: {
      bf16: datasheet('467.8 TFLOP/s', pro),
      fp16: datasheet('467.8 TFLOP/s', pro),
      fp8: datasheet('935.6 TFLOP/s', pro),
      fp4: datasheet('1871.2 TFLOP/s', pro),
      int8: datasheet('935.6 TFLOP/s', pro),
    },
    links: {host: pcie5, peer: peers.pcie5},
    power: datasheet('600 W', pro),
    fits: rtxPro6000Server,
  },
  'rtx-5090': {
    kind: 'gpu',
    vendor: 'NVIDIA',
    architecture: 'blackwell-rtx',
    name: 'NVIDIA GeForce RTX 5090',
    memory: {
      hbm: {
        capacity: assumed('32 GB', 'marketing figure; the driver figure is not recorded'),
        bandwidth: datasheet('1.792 TB/s', 'github:AlexsJones/llmfit:llmfit-core/src/hardware.rs@3f44fd30a43d'),
      },
    },
    compute: {
      bf16: assumed('209.5 TFLOP/s', rtx5090),
      fp16: assumed('209.5 TFLOP/s', rtx5090),
      fp8: assumed('419 TFLOP/s', rtx5090),
      fp4: assumed('1676 TFLOP/s', rtx5090),
    },
    links: {host: pcie5, peer: peers.pcie5},
    power: assumed('575 W', rtx5090),
  },
  'b300-sxm': {
    ...blackwell,
    name: 'NVIDIA B300 SXM 288 GB',
    memory: {hbm: {capacity: measured('275040 MiB', `${b300} (nvidia-smi)`), bandwidth: datasheet('7.75 TB/s', b300)}},
    compute: {
      bf16: datasheet('2250 TFLOP/s', b300),
      fp16: datasheet('2250 TFLOP/s', b300),
      fp8: datasheet('4500 TFLOP/s', b300),
      fp4: datasheet('14000 TFLOP/s', b300),
      int8: datasheet('153.5 TFLOP/s', b300),
    },
    links: {host: pcie5, peer: peers.nvlink5},
    power: datasheet('1100 W', b300),
  },
  // One LPDDR5X for both processors; nvidia-smi reports no memory at all. GH200, GB200 and GB300 have two: HBM, and LPDDR5X behind NVLink-C2C.
  gb10: {
    kind: 'soc',
    vendor: 'NVIDIA',
    architecture: 'blackwell-rtx',
    name: 'NVIDIA GB10, DGX Spark 128 GB',
    memory: {
      unified: {
        capacity: measured('121.69 GiB', 'https://github.com/unslothai/unsloth/pull/10283 (torch on a GB10)'),
        bandwidth: datasheet('273 GB/s', spark),
      },
    },
    compute: {
      bf16: computed('125 TFLOP/s', `${sparse}; dense is half, bf16 a quarter of that`),
      fp16: computed('125 TFLOP/s', `${sparse}; dense is half, fp16 a quarter of that`),
      fp8: computed('250 TFLOP/s', `${sparse}; dense is half, fp8 half of that`),
      fp4: computed('500 TFLOP/s', `${sparse}; dense is half`),
    },
    links: {},
    power: datasheet('140 W', `${spark} (of the chip)`),
  },
  gb200: {
    ...blackwell,
    name: 'NVIDIA GB200, one GPU',
    memory: {hbm: {capacity: measured('189471 MiB', `${gb200} (nvidia-smi)`), bandwidth: datasheet('8 TB/s', gb200)}},
    compute: {
      bf16: datasheet('2500 TFLOP/s', gb200),
      fp16: datasheet('2500 TFLOP/s', gb200),
      fp8: datasheet('5000 TFLOP/s', gb200),
      fp4: datasheet('10000 TFLOP/s', gb200),
      int8: datasheet('5000 TFLOP/s', gb200),
    },
    links: {host: chipToChip, peer: peers.nvlink5},
    power: datasheet('1200 W', gb200),
  },
  gb300: {
    ...blackwell,
    name: 'NVIDIA GB300, one GPU',
    memory: {hbm: {capacity: measured('284208 MiB', `${gb300} (nvidia-smi)`), bandwidth: datasheet('8 TB/s', gb300)}},
    compute: {
      bf16: datasheet('2500 TFLOP/s', gb300),
      fp16: datasheet('2500 TFLOP/s', gb300),
      fp8: datasheet('5000 TFLOP/s', gb300),
      fp4: datasheet('15000 TFLOP/s', gb300),
      int8: datasheet('165 TFLOP/s', gb300),
    },
    links: {host: chipToChip, peer: peers.nvlink5},
    power: datasheet('1400 W', gb300),
  },
};
