import type {Figure} from '../provenance.js';
import type {DeviceSpec} from './device.js';
import {assumed, computed, datasheet} from './figures.js';

const ratesOf = 'github:kennss/SiliconScope:Sources/SiliconScopeCore/Bottleneck.swift@a1644e525754';
const alu = 'https://huggingface.co/hardware/apple-m4-max (FP16 peak of the GPU)';

const options = 'https://support.apple.com/en-us/122211';
const metal = 'github:philipturner/metal-benchmarks:README.md@dc2adc6 (FP16 peak of the GPU)';

/** A chip with its full GPU and largest memory. */
function chip(name: string, gigabytes: number, bandwidth: string, peak: Figure<string>): DeviceSpec {
  return {
    kind: 'soc',
    vendor: 'Apple',
    architecture: 'apple',
    name: `Apple ${name}`,
    memory: {
      unified: {
        capacity: assumed(`${gigabytes} GiB`, 'the largest option; hardware.memory.unified.capacity states another'),
        bandwidth: datasheet(bandwidth, ratesOf),
      },
    },
    compute: {fp16: peak, bf16: computed(peak.value, `${peak.source}; bf16 taken as equal`)},
    links: {},
    os: 'macos',
  };
}

const read = (peak: string) => datasheet(peak, metal);
const recalled = (peak: string) => assumed(peak, 'FP32 peak of the GPU, recalled and not checked; fp16 taken as equal');

function m4Max(gigabytes: number): DeviceSpec {
  return {
    kind: 'soc',
    vendor: 'Apple',
    architecture: 'apple',
    name: `Apple M4 Max ${gigabytes} GB`,
    memory: {unified: {capacity: datasheet(`${gigabytes} GiB`, options), bandwidth: datasheet('546 GB/s', ratesOf)}},
    compute: {fp16: datasheet('18.4 TFLOP/s', alu), bf16: computed('18.4 TFLOP/s', `${alu}; bf16 taken as equal`)},
    links: {},
    os: 'macos',
  };
}

/** Capacity is all of the memory; `macosGpuLimit` says what the GPU may use of it. */
export const apple: Readonly<Record<string, DeviceSpec>> = {
  'm4-max-64': m4Max(64),
  'm4-max-128': m4Max(128),
  m1: chip('M1', 16, '68 GB/s', read('2.617 TFLOP/s')),
  'm1-pro': chip('M1 Pro', 32, '200 GB/s', read('5.308 TFLOP/s')),
  'm1-max': chip('M1 Max', 64, '400 GB/s', read('10.617 TFLOP/s')),
  'm1-ultra': chip('M1 Ultra', 128, '800 GB/s', read('21.233 TFLOP/s')),
  m2: chip('M2', 24, '100 GB/s', read('3.579 TFLOP/s')),
  'm2-pro': chip('M2 Pro', 32, '200 GB/s', read('6.8 TFLOP/s')),
  'm2-max': chip('M2 Max', 96, '400 GB/s', read('13.6 TFLOP/s')),
  'm2-ultra': chip('M2 Ultra', 192, '800 GB/s', computed('27.2 TFLOP/s', `two M2 Max: ${metal}`)),
  m3: chip('M3', 24, '100 GB/s', recalled('3.6 TFLOP/s')),
  'm3-pro': chip('M3 Pro', 36, '150 GB/s', recalled('6.4 TFLOP/s')),
  'm3-max': chip('M3 Max', 128, '400 GB/s', recalled('14.2 TFLOP/s')),
  'm3-ultra': chip('M3 Ultra', 512, '800 GB/s', recalled('28.4 TFLOP/s')),
  m4: chip('M4', 32, '120 GB/s', recalled('4.3 TFLOP/s')),
  'm4-pro': chip('M4 Pro', 64, '273 GB/s', recalled('8.6 TFLOP/s')),
};
