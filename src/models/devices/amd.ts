import type {DeviceSpec} from './device.js';
import {assumed, datasheet, interconnect, marketing, measured, mlEngineering, pcie4, pcie5, peers} from './figures.js';

const mi210 = 'github:cli99/llm-analysis:llm_analysis/gpu_configs/mi210-64gb.json@d841e40';

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
  mi210: {
    kind: 'gpu',
    vendor: 'AMD',
    name: 'AMD Instinct MI210 64 GB',
    memory: {hbm: {capacity: marketing('64 GB'), bandwidth: datasheet('1.638 TB/s', mi210)}},
    compute: {bf16: datasheet('181 TFLOP/s', mi210), fp16: datasheet('181 TFLOP/s', mi210)},
    links: {host: pcie4, peer: {...peers.infinityFabric, bandwidth: datasheet('150 GB/s', mi210)}},
    power: assumed('300 W', 'recalled and not checked'),
  },
  mi250: {
    kind: 'gpu',
    vendor: 'AMD',
    name: 'AMD Instinct MI250 128 GB, both dies',
    memory: {hbm: {capacity: marketing('128 GB'), bandwidth: datasheet('3.28 TB/s', mlEngineering)}},
    compute: {
      bf16: datasheet('362 TFLOP/s', mlEngineering),
      fp16: datasheet('362 TFLOP/s', mlEngineering),
      int8: datasheet('362 TFLOP/s', mlEngineering),
    },
    links: {host: pcie4},
  },
  mi250x: {
    kind: 'gpu',
    vendor: 'AMD',
    name: 'AMD Instinct MI250X 128 GB, both dies',
    memory: {hbm: {capacity: marketing('128 GB'), bandwidth: datasheet('3.28 TB/s', mlEngineering)}},
    compute: {
      bf16: datasheet('383 TFLOP/s', mlEngineering),
      fp16: datasheet('383 TFLOP/s', mlEngineering),
      int8: datasheet('383 TFLOP/s', mlEngineering),
    },
    links: {host: pcie4, peer: interconnect('350 GB/s')},
    power: datasheet('560 W', mlEngineering),
  },
  mi325x: {
    kind: 'gpu',
    vendor: 'AMD',
    architecture: 'cdna3',
    name: 'AMD Instinct MI325X 256 GB',
    memory: {hbm: {capacity: marketing('256 GB'), bandwidth: datasheet('6 TB/s', mlEngineering)}},
    compute: {
      bf16: datasheet('1300 TFLOP/s', mlEngineering),
      fp16: datasheet('1300 TFLOP/s', mlEngineering),
      fp8: datasheet('2610 TFLOP/s', mlEngineering),
      int8: datasheet('2600 TFLOP/s', mlEngineering),
    },
    links: {host: pcie5, peer: peers.infinityFabric},
    power: datasheet('1000 W', mlEngineering),
  },
  mi355x: {
    kind: 'gpu',
    vendor: 'AMD',
    name: 'AMD Instinct MI355X 288 GB',
    memory: {hbm: {capacity: marketing('288 GB'), bandwidth: datasheet('8 TB/s', mlEngineering)}},
    compute: {
      bf16: datasheet('2500 TFLOP/s', `${mlEngineering} (another table there says 2300)`),
      fp16: datasheet('2500 TFLOP/s', mlEngineering),
      fp8: datasheet('5000 TFLOP/s', mlEngineering),
      fp4: datasheet('10100 TFLOP/s', mlEngineering),
    },
    links: {host: pcie5, peer: interconnect('535.5 GB/s')},
    power: datasheet('1400 W', mlEngineering),
  },
};
