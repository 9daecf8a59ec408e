import type {DeviceSpec} from './device.js';
import {datasheet, measured, mlEngineering, pcie5, peers} from './figures.js';

export const amd: Readonly<Record<string, DeviceSpec>> = {
  mi300x: {
    kind: 'gpu',
    vendor: 'AMD',
    architecture: 'cdna3',
    name: 'AMD Instinct MI300X 192 GB',
    memory: {
      hbm: {
        capacity: measured('206141652992 B', 'https://github.com/ROCm/legacy-rocm-build/issues/4750 (rocm-smi)'),
        bandwidth: datasheet('5.3 TB/s', mlEngineering),
      },
    },
    compute: {
      bf16: datasheet('1307 TFLOP/s', mlEngineering),
      fp16: datasheet('1307 TFLOP/s', mlEngineering),
      fp8: datasheet('2610 TFLOP/s', mlEngineering),
      int8: datasheet('2600 TFLOP/s', mlEngineering),
    },
    links: {host: pcie5, peer: peers.infinityFabric},
    power: datasheet('750 W', mlEngineering),
  },
};
