import {lookup} from '../../../../sim/core/registry.js';
import type {ComputeType} from '../../../devices/device.js';

/** A number format of kernel tables: bytes of a weight, of an activation in and out, and the peak that bounds it. */
export interface KernelFormat {
  readonly weight: number;
  readonly input: number;
  readonly output: number;
  readonly compute: ComputeType;
}

const half = {weight: 2, input: 2, output: 2} as const;

/** Formats by the name that profiles use; scales of block formats count as bytes of the weight. */
export const kernelFormats: Readonly<Record<string, KernelFormat>> = {
  fp32: {weight: 4, input: 4, output: 4, compute: 'fp32'},
  bf16: {...half, compute: 'bf16'},
  fp16: {...half, compute: 'fp16'},
  fp8: {weight: 1, input: 1, output: 2, compute: 'fp8'},
  // One fp32 scale for each 128 × 128 weights and each 128 inputs.
  fp8_block: {weight: 1 + 4 / 128 ** 2, input: 1 + 4 / 128, output: 2, compute: 'fp8'},
  int8: {weight: 1, input: 1, output: 2, compute: 'int8'},
  // Weights of four bits and a 16-bit scale for each group of 128; arithmetic in 16 bits.
  int4_wo: {weight: 0.5 + 2 / 128, input: 2, output: 2, compute: 'bf16'},
  // Weights of four bits and a 16-bit scale for each group of 32; activations are quantised to 8 bits on the way in.
  int4_g32: {weight: 0.5 + 2 / 32, input: 4, output: 4, compute: 'int8'},
  // GGUF types: 32 weights and a 16-bit scale; q4_k: 256 weights in four bits, 16 bytes of scales. Activations are quantised to 8 bits on the way in.
  q8_0: {weight: 1 + 2 / 32, input: 4, output: 4, compute: 'int8'},
  q4_0: {weight: 0.5 + 2 / 32, input: 4, output: 4, compute: 'int8'},
  q4_k: {weight: 0.5 + 16 / 256, input: 4, output: 4, compute: 'int8'},
  // Four bits and an 8-bit scale for each 32 (MX) or 16 (NV).
  w4a16_mxfp4: {weight: 0.5 + 1 / 32, input: 2, output: 2, compute: 'bf16'},
  w4a8_mxfp4_mxfp8: {weight: 0.5 + 1 / 32, input: 1 + 1 / 32, output: 2, compute: 'fp8'},
  nvfp4: {weight: 0.5 + 1 / 16, input: 0.5 + 1 / 16, output: 2, compute: 'fp4'},
};

/** The format of that name; throws InputError naming those known. */
export function kernelFormat(name: string): KernelFormat {
  return lookup('kernel format', kernelFormats, name);
}
