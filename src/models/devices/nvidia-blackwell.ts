import type {DeviceSpec} from './device.js';
import {aicSystem, assumed, datasheet, measured, pcie5, peers} from './figures.js';
import {b200Sxm} from './profiles/b200-sxm.js';
import {rtxPro6000Server} from './profiles/rtx-pro-6000-server.js';

const b200 = aicSystem('b200_sxm');
const pro = aicSystem('rtx_pro_6000_server');
const rtx5090 = 'NVIDIA GeForce RTX 5090 specification, recalled and not checked';

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
};
