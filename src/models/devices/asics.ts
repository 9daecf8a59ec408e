import type {DeviceSpec} from './device.js';
import {assumed, datasheet, marketing, mlEngineering} from './figures.js';

/** Accelerators that only their makers' clouds have. Links between them are not stated here: a slice's topology decides them. */
export const asics: Readonly<Record<string, DeviceSpec>> = {
  'tpu-v5e': {
    kind: 'gpu',
    vendor: 'Google',
    name: 'Google TPU v5e',
    memory: {hbm: {capacity: marketing('16 GB'), bandwidth: datasheet('820 GB/s', mlEngineering)}},
    compute: {bf16: datasheet('197 TFLOP/s', mlEngineering), int8: datasheet('394 TFLOP/s', mlEngineering)},
    links: {},
  },
  'tpu-v5p': {
    kind: 'gpu',
    vendor: 'Google',
    name: 'Google TPU v5p',
    memory: {hbm: {capacity: marketing('95 GB'), bandwidth: datasheet('2.76 TB/s', mlEngineering)}},
    compute: {bf16: datasheet('459 TFLOP/s', mlEngineering), int8: datasheet('918 TFLOP/s', mlEngineering)},
    links: {},
  },
  'tpu-v6e': {
    kind: 'gpu',
    vendor: 'Google',
    name: 'Google TPU v6e',
    memory: {hbm: {capacity: marketing('32 GB'), bandwidth: assumed('1.64 TB/s', 'recalled and not checked')}},
    compute: {bf16: datasheet('918 TFLOP/s', mlEngineering), int8: datasheet('1836 TFLOP/s', mlEngineering)},
    links: {},
  },
  trainium2: {
    kind: 'gpu',
    vendor: 'AWS',
    name: 'AWS Trainium2',
    memory: {hbm: {capacity: marketing('96 GB'), bandwidth: datasheet('2.9 TB/s', mlEngineering)}},
    compute: {bf16: datasheet('667 TFLOP/s', mlEngineering), fp8: datasheet('1299 TFLOP/s', mlEngineering)},
    links: {},
  },
};
