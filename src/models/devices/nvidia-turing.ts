import type {DeviceSpec} from './device.js';
import {assumed, datasheet, pcie3} from './figures.js';

const catalog = 'https://huggingface.co/RajBhope/gpu-runtime-predictor/blob/main/gpu_catalog.json';

export const nvidiaTuring: Readonly<Record<string, DeviceSpec>> = {
  t4: {
    kind: 'gpu',
    vendor: 'NVIDIA',
    name: 'NVIDIA T4',
    memory: {
      hbm: {capacity: assumed('16 GB', 'marketing figure; the driver figure is not recorded'), bandwidth: datasheet('320 GB/s', catalog)},
    },
    compute: {fp16: datasheet('65 TFLOP/s', `${catalog} (it has no bf16)`), int8: assumed('130 TFLOP/s', 'twice fp16; not checked')},
    links: {host: pcie3},
    power: datasheet('70 W', catalog),
  },
};
