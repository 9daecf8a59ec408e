import type {DeviceSpec} from './device.js';
import {aicSystem, assumed, datasheet, measured, nvidiaSmi, pcie4, peers} from './figures.js';
import {l40s as l40sFits} from './profiles/l40s.js';
import {rtx4090 as rtx4090Fits} from './profiles/rtx-4090.js';
import {recalledCard} from './recalled.js';

const ada = {kind: 'gpu', vendor: 'NVIDIA', architecture: 'ada'} as const;
const l40s = aicSystem('l40s');
const l4 = aicSystem('l4');
const rtx4090 = 'https://gist.github.com/mikasenghaas/d63ded03f1f0417b1677627119bacc0d';

export const nvidiaAda: Readonly<Record<string, DeviceSpec>> = {
  l40s: {
    ...ada,
    name: 'NVIDIA L40S 48 GB',
    memory: {hbm: {capacity: measured('46068 MiB', nvidiaSmi), bandwidth: datasheet('864 GB/s', l40s)}},
    compute: {
      bf16: datasheet('362.05 TFLOP/s', l40s),
      fp16: datasheet('362.05 TFLOP/s', l40s),
      fp8: datasheet('733 TFLOP/s', l40s),
      int8: datasheet('733 TFLOP/s', l40s),
    },
    links: {host: pcie4, peer: peers.pcie4},
    power: datasheet('350 W', l40s),
    fits: l40sFits,
  },
  l4: {
    ...ada,
    name: 'NVIDIA L4 24 GB',
    memory: {hbm: {capacity: measured('23034 MiB', nvidiaSmi), bandwidth: datasheet('300 GB/s', l4)}},
    compute: {
      bf16: datasheet('121 TFLOP/s', l4),
      fp16: datasheet('121 TFLOP/s', l4),
      fp8: datasheet('242 TFLOP/s', l4),
      int8: datasheet('242 TFLOP/s', l4),
    },
    links: {host: pcie4, peer: peers.pcie4},
    power: datasheet('72 W', l4),
  },
  'rtx-4090': {
    ...ada,
    name: 'NVIDIA GeForce RTX 4090',
    memory: {
      hbm: {
        capacity: measured(
          '25250627584 B',
          'github:casys-kaist/LLMServingSim@5daddb2, vLLM 0.19.0 run of 2026-08-20: device_total_memory_bytes',
        ),
        bandwidth: datasheet('1.008 TB/s', rtx4090),
      },
    },
    compute: {
      bf16: datasheet('165 TFLOP/s', rtx4090),
      fp16: datasheet('165 TFLOP/s', rtx4090),
      fp8: assumed('330 TFLOP/s', 'twice bf16; not checked'),
    },
    links: {host: pcie4, peer: peers.pcie4},
    power: datasheet('450 W', rtx4090),
    fits: rtx4090Fits,
  },
  'rtx-4070-ti': recalledCard(ada, 'NVIDIA GeForce RTX 4070 Ti', {
    capacity: '12 GB',
    bandwidth: '504 GB/s',
    peak: '80 TFLOP/s',
    power: '285 W',
  }),
  'rtx-4000-ada': recalledCard(ada, 'NVIDIA RTX 4000 Ada Generation', {
    capacity: '20 GB',
    bandwidth: '360 GB/s',
    peak: '76.7 TFLOP/s',
    power: '130 W',
  }),
  'rtx-5000-ada': recalledCard(ada, 'NVIDIA RTX 5000 Ada Generation', {
    capacity: '32 GB',
    bandwidth: '576 GB/s',
    peak: '261 TFLOP/s',
    power: '250 W',
  }),
  'rtx-6000-ada': recalledCard(ada, 'NVIDIA RTX 6000 Ada Generation', {
    capacity: '48 GB',
    bandwidth: '960 GB/s',
    peak: '364 TFLOP/s',
    power: '300 W',
  }),
};
