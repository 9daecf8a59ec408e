import type {DeviceSpec} from './device.js';
import {aicSystem, assumed, chipToChip, datasheet, marketing, measured, mlEngineering, nvidiaSmi, pcie5, peers} from './figures.js';
import {h100Sxm} from './profiles/h100-sxm.js';

const hopper = {kind: 'gpu', vendor: 'NVIDIA', architecture: 'hopper'} as const;
const h100 = aicSystem('h100_sxm');
const h200 = aicSystem('h200_sxm');
const pcie = aicSystem('h100_pcie');
const nvl = 'NVIDIA H100 NVL datasheet, recalled and not checked';

/** The LPDDR5X of a Grace processor, which NVLink-C2C leads to: a memory beside HBM, of a size that the scenario states. */
const grace = {bandwidth: assumed('500 GB/s', 'about 500 GB/s: https://www.emergentmind.com/topics/gh200-superchip')};

const sxmCompute = {
  bf16: datasheet('989 TFLOP/s', h100),
  fp16: datasheet('989 TFLOP/s', mlEngineering),
  fp8: datasheet('1979 TFLOP/s', mlEngineering),
  int8: datasheet('1979 TFLOP/s', mlEngineering),
};

export const nvidiaHopper: Readonly<Record<string, DeviceSpec>> = {
  'h100-sxm': {
    ...hopper,
    name: 'NVIDIA H100 SXM 80 GB',
    memory: {hbm: {capacity: measured('81559 MiB', nvidiaSmi), bandwidth: datasheet('3.35 TB/s', h100)}},
    compute: sxmCompute,
    links: {host: pcie5, peer: peers.nvlink4},
    power: datasheet('700 W', h100),
    fits: h100Sxm,
  },
  'h100-pcie': {
    ...hopper,
    name: 'NVIDIA H100 PCIe 80 GB',
    memory: {hbm: {capacity: measured('81559 MiB', nvidiaSmi), bandwidth: datasheet('2 TB/s', pcie)}},
    compute: {
      bf16: datasheet('756.5 TFLOP/s', pcie),
      fp16: datasheet('756.5 TFLOP/s', pcie),
      fp8: datasheet('1513 TFLOP/s', pcie),
      int8: datasheet('1513 TFLOP/s', pcie),
    },
    links: {host: pcie5, peer: peers.pcie5},
    power: datasheet('350 W', pcie),
  },
  'h100-nvl': {
    ...hopper,
    name: 'NVIDIA H100 NVL 94 GB',
    memory: {hbm: {capacity: assumed('94 GB', 'marketing figure; the driver figure is not recorded'), bandwidth: assumed('3.9 TB/s', nvl)}},
    compute: {bf16: assumed('835 TFLOP/s', nvl), fp16: assumed('835 TFLOP/s', nvl)},
    links: {host: pcie5, peer: peers.pcie5},
    power: datasheet('400 W', mlEngineering),
  },
  'h200-sxm': {
    ...hopper,
    name: 'NVIDIA H200 SXM 141 GB',
    memory: {
      hbm: {
        capacity: assumed('141 GiB', `${h200} (the marketing figure read as GiB; the driver figure is not recorded)`),
        bandwidth: datasheet('4.8 TB/s', h200),
      },
    },
    compute: sxmCompute,
    links: {host: pcie5, peer: peers.nvlink4},
    power: datasheet('700 W', h200),
  },
  'gh200-96': {
    ...hopper,
    name: 'NVIDIA GH200 96 GB',
    memory: {hbm: {capacity: marketing('96 GB'), bandwidth: datasheet('4 TB/s', mlEngineering)}, dram: grace},
    compute: sxmCompute,
    links: {host: chipToChip, peer: peers.nvlink4},
  },
  'gh200-141': {
    ...hopper,
    name: 'NVIDIA GH200 141 GB',
    memory: {hbm: {capacity: marketing('141 GB'), bandwidth: datasheet('4.8 TB/s', mlEngineering)}, dram: grace},
    compute: sxmCompute,
    links: {host: chipToChip, peer: peers.nvlink4},
  },
};
