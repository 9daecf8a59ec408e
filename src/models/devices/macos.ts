import type {Figure} from '../provenance.js';

const GiB = 2 ** 30;

/**
 * Share of a Mac's memory that macOS 26 lets its GPU wire, from each size on: MTLDevice.recommendedMaxWorkingSetSize over hw.memsize.
 *
 * Before macOS 26 it was two thirds up to 32 GB and three quarters above (llama.cpp issues 2011, 2209 and 1870).
 */
const shares: readonly {readonly from: number; readonly share: number}[] = [
  {from: 128 * GiB, share: 0.84},
  {from: 64 * GiB, share: 0.81},
  {from: 32 * GiB, share: 0.78},
  {from: 0, share: 0.74},
];

/** Sizes, GiB, of which a reading is known, with who read it. */
const readings: Readonly<Record<number, string>> = {
  16: 'https://github.com/AlexsJones/llmfit/pull/754: 11.84 GiB of 16 on an M3',
  24: 'ggml_metal_device_init on an M4: 19069.67 MB, 17.76 GiB of 24',
  32: 'ggml_metal_device_init on an M4: 26800.60 MB, 24.96 GiB of 32',
  36: 'ggml_metal_device_init: 30150.67 MB, 28.08 GiB of 36',
  48: 'https://github.com/secondlife/viewer/pull/6034: 38,338 MiB, 37.44 GiB of 48',
  64: 'ggml_metal_device_init on an M1 Max and an M4 Pro: 55662.79 MB, 51.84 GiB of 64',
  128: 'https://github.com/antirez/ds4/pull/893: 107.52 GiB of 128 on two chips',
};

/** What macOS lets the GPU use of a memory when nobody sets iogpu.wired_limit_mb; sizes that nobody is known to have read are extrapolated. */
export function macosGpuLimit({value: capacity}: Figure): Figure {
  const {share} = shares.find(({from}) => capacity >= from)!;
  const reading = readings[capacity / GiB];
  return {
    value: Math.floor(capacity * share),
    grade: reading === undefined ? 'extrapolated' : 'measured',
    source: `default of macOS 26: ${share} of the memory${reading === undefined ? ', as Macs of about that size report' : ` (${reading})`}`,
  };
}

/** What the system itself keeps, bytes: kernel, WindowServer, Spotlight, Metal at start (https://github.com/janhq/jan/pull/7842). */
export const macosOwn: Figure = {value: 2.5e9, grade: 'assumed', source: 'macOS itself: https://github.com/janhq/jan/pull/7842'};

/** The most that the GPU can be given before the Mac begins to page: all but what the system keeps and a tenth for wired memory of the driver (same source). */
export function macosMostForGpu(capacity: number): number {
  return Math.max(0, Math.floor(0.9 * capacity - macosOwn.value));
}
