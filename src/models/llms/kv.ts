import {InputError} from '../../sim/core/errors.js';
import {lookup} from '../../sim/core/registry.js';
import {type Attention, type Llm, tensorClasses, type WeightFormat} from './llm.js';

const sizes: Readonly<Record<string, number>> = {
  bf16: 2,
  fp16: 2,
  fp32: 4,
  fp8: 1,
  fp8_e4m3: 1,
  fp8_e5m2: 1,
  // 512 fp8 values, 16 B of scales and 64 bf16 values for the 576 of an MLA token: 656 B (vLLM kv_cache_interface.py).
  fp8_ds_mla: 656 / 576,
  // 4 bits and an 8-bit scale for each 16.
  nvfp4: 0.5 + 1 / 16,
  // ggml's blocks of 32 values (ggml-common.h): the values, one 16-bit scale, and for _1 a 16-bit minimum.
  f16: 2,
  q8_0: 34 / 32,
  q5_1: 24 / 32,
  q5_0: 22 / 32,
  q4_1: 20 / 32,
  q4_0: 18 / 32,
};

/** Names that `kv.dtype` accepts. */
export const kvFormatNames: readonly string[] = ['auto', ...Object.keys(sizes)];

/** The format of cached keys and values; `auto` is the model's own dtype. Throws InputError on an unknown name, or one that does not go with the model. */
export function kvFormat(name: string, llm: Llm): WeightFormat {
  if (name === 'auto') return kvFormat(tensorClasses.some((part) => llm.formats[part].name === 'fp32') ? 'fp32' : 'bf16', llm);
  let bytesPerParam: number;
  try {
    bytesPerParam = lookup('kv dtype', sizes, name);
  } catch (error) {
    throw new InputError((error as Error).message);
  }
  if (name === 'fp8_ds_mla' && llm.layers.some(({attention}) => attention.kind !== 'mla')) {
    throw new InputError(`kv.dtype: fp8_ds_mla is a layout of latent attention; ${llm.name} has none: use fp8`);
  }
  return {name, bytesPerParam, compute: 'activation'};
}

/** Cached bytes a token, on one device. */
export interface KvBytes {
  /** In layers that attend to everything: grows with the context. */
  readonly growing: number;
  /** In layers with a sliding window: grows up to the window. */
  readonly windowed: number;
  /** The window in tokens, or null without such layers. */
  readonly window: number | null;
}

/**
 * Bytes of keys and values one token leaves in one device's cache.
 *
 * Grouped heads are split over `tensor` devices and copied when there are fewer heads than devices; an MLA latent is whole on every device.
 */
export function kvBytesPerToken(llm: Llm, format: WeightFormat, tensor = 1): KvBytes {
  let growing = 0;
  let windowed = 0;
  let window: number | null = null;
  for (const {count, attention} of llm.layers) {
    const bytes = count * kvElements(attention, tensor) * format.bytesPerParam;
    if (attention.kind === 'gqa' && attention.window !== null) {
      windowed += bytes;
      window = window === null ? attention.window : Math.min(window, attention.window);
    } else growing += bytes;
  }
  return {growing, windowed, window};
}

/** Elements that one token caches in one layer on one device. */
export function kvElements(attention: Attention, tensor: number): number {
  if (attention.kind === 'mla') return attention.kvLoraRank + attention.ropeDim;
  return Math.max(1, attention.kvHeads / tensor) * (attention.headDim + attention.valueDim);
}
