import type {DeviceSpec} from './device.js';
import {aicSystem, assumed, datasheet, interconnect, marketing, mlEngineering} from './figures.js';

const b60 = aicSystem('b60');

/** Accelerators of Intel; its processors stand in cpus.ts. */
export const intel: Readonly<Record<string, DeviceSpec>> = {
  gaudi2: {
    kind: 'gpu',
    vendor: 'Intel',
    name: 'Intel Gaudi 2',
    memory: {hbm: {capacity: marketing('96 GB'), bandwidth: datasheet('2.46 TB/s', mlEngineering)}},
    compute: {bf16: datasheet('432 TFLOP/s', mlEngineering), fp8: datasheet('865 TFLOP/s', mlEngineering)},
    links: {peer: interconnect('300 GB/s')},
    power: datasheet('600 W', mlEngineering),
  },
  gaudi3: {
    kind: 'gpu',
    vendor: 'Intel',
    name: 'Intel Gaudi 3',
    memory: {hbm: {capacity: marketing('128 GB'), bandwidth: datasheet('3.7 TB/s', mlEngineering)}},
    compute: {bf16: datasheet('1677 TFLOP/s', mlEngineering), fp8: datasheet('1677 TFLOP/s', mlEngineering)},
    links: {peer: interconnect('600 GB/s')},
    power: datasheet('900 W', mlEngineering),
  },
  'arc-pro-b60': {
    kind: 'gpu',
    vendor: 'Intel',
    name: 'Intel Arc Pro B60',
    memory: {hbm: {capacity: marketing('24 GB'), bandwidth: datasheet('456 GB/s', b60)}},
    compute: {bf16: datasheet('98.3 TFLOP/s', b60), fp16: datasheet('98.3 TFLOP/s', b60), int8: datasheet('197 TFLOP/s', b60)},
    links: {
      host: {
        bandwidth: assumed('25 GB/s', 'PCI Express 5 × 8 has the bandwidth of 4 × 16, measured at 24–27 GB/s'),
        latency: assumed('10 us', 'as of NVIDIA'),
      },
    },
    power: datasheet('200 W', b60),
  },
};
