import type {Figure} from '../provenance.js';
import type {DeviceSpec} from './device.js';
import {assumed, computed, datasheet, measured} from './figures.js';

const ratesOf = 'github:kennss/SiliconScope:Sources/SiliconScopeCore/Bottleneck.swift@a1644e525754';
const alu = 'https://huggingface.co/hardware/apple-m4-max (FP16 peak of the GPU)';

function m4Max(memory: string, capacity: Figure<string>): DeviceSpec {
  return {
    kind: 'soc',
    vendor: 'Apple',
    architecture: 'apple',
    name: `Apple M4 Max ${memory}`,
    memory: {unified: {capacity, bandwidth: datasheet('546 GB/s', ratesOf)}},
    compute: {fp16: datasheet('18.4 TFLOP/s', alu), bf16: computed('18.4 TFLOP/s', `${alu}; bf16 taken as equal`)},
    links: {},
  };
}

/** Capacity is what macOS lets the GPU use by default, not all of the memory. */
export const apple: Readonly<Record<string, DeviceSpec>> = {
  'm4-max-64': m4Max('64 GB', measured('53.7 GiB', 'https://github.com/janhq/jan/pull/7842: 64 GB give the GPU 53.7 GiB')),
  'm4-max-128': m4Max('128 GB', assumed('107.4 GiB', 'twice what 64 GB give the GPU (https://github.com/janhq/jan/pull/7842)')),
};
