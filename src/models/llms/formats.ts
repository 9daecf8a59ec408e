import {InputError} from '../../sim/core/errors.js';
import {lookup} from '../../sim/core/registry.js';
import type {WeightFormat} from './llm.js';

/**
 * Which tensor classes a named format takes when it is given to a whole model.
 *
 * `linear`: quantisers of engines convert the linear layers of the blocks and leave the two vocabulary matrices alone; `all`: a file format holds every tensor.
 */
export type FormatScope = 'linear' | 'all';

interface NamedFormat extends WeightFormat {
  readonly scope: FormatScope;
}

/** Bits per weight of GGUF tensor types; exact, from the block layouts of ggml (ggml-common.h, gguf-py/gguf/constants.py). */
const ggufTypes = {
  q4_0: 4.5,
  q4_1: 5,
  q5_0: 5.5,
  q5_1: 6,
  q8_0: 8.5,
  q2_k: 2.625,
  q3_k: 3.4375,
  q4_k: 4.5,
  q5_k: 5.5,
  q6_k: 6.5625,
  q8_k: 9.125,
  iq1_s: 1.5625,
  iq1_m: 1.75,
  iq2_xxs: 2.0625,
  iq2_xs: 2.3125,
  iq2_s: 2.5625,
  iq3_xxs: 3.0625,
  iq3_s: 3.4375,
  iq4_nl: 4.5,
  iq4_xs: 4.25,
  tq1_0: 1.6875,
  tq2_0: 2.0625,
  q1_0: 1.125,
} as const;

/** Mean bits per weight of GGUF file types, which mix tensor types, as measured on Llama-3.1-8B (llama.cpp tools/quantize/README.md); other models differ a little. */
const ggufMixes = {
  q2_k_s: 2.9697,
  q3_k_s: 3.6429,
  q3_k_m: 3.996,
  q3_k_l: 4.2979,
  q4_k_s: 4.6672,
  q4_k_m: 4.8944,
  q5_k_s: 5.5704,
  q5_k_m: 5.7036,
} as const;

function gguf(types: Readonly<Record<string, number>>): Record<string, NamedFormat> {
  return Object.fromEntries(
    Object.entries(types).map(([name, bits]) => [name, {name, bytesPerParam: bits / 8, compute: 'activation', scope: 'all'} as const]),
  );
}

const formats: Readonly<Record<string, NamedFormat>> = {
  bf16: {name: 'bf16', bytesPerParam: 2, compute: 'activation', scope: 'all'},
  fp16: {name: 'fp16', bytesPerParam: 2, compute: 'activation', scope: 'all'},
  fp32: {name: 'fp32', bytesPerParam: 4, compute: 'activation', scope: 'all'},
  fp8: {name: 'fp8', bytesPerParam: 1, compute: 'fp8', scope: 'linear'},
  int8: {name: 'int8', bytesPerParam: 1, compute: 'int8', scope: 'linear'},
  // 4 bits, a 16-bit scale and a 4-bit zero point for each group of 128 (AWQ, GPTQ).
  int4: {name: 'int4', bytesPerParam: (4 + 20 / 128) / 8, compute: 'activation', scope: 'linear'},
  // 4 bits and an 8-bit scale for each 16.
  nvfp4: {name: 'nvfp4', bytesPerParam: (4 + 8 / 16) / 8, compute: 'fp4', scope: 'linear'},
  // 4 bits and an 8-bit scale for each 32; engines before Blackwell multiply it in the activation type.
  mxfp4: {name: 'mxfp4', bytesPerParam: (4 + 8 / 32) / 8, compute: 'activation', scope: 'linear'},
  ...gguf(ggufTypes),
  ...gguf(ggufMixes),
};

/** The weight format of that name, in any case; throws InputError naming those known. */
export function weightFormat(name: string): WeightFormat & {readonly scope: FormatScope} {
  try {
    return lookup('weight format', formats, name.toLowerCase());
  } catch (error) {
    throw new InputError((error as Error).message);
  }
}

/** Block-scaled fp8: one fp32 scale for each `rows` × `cols` block (DeepSeek-V3, Qwen3 FP8: 128 × 128). */
export function blockFp8(rows: number, cols: number): WeightFormat {
  return {name: 'fp8', bytesPerParam: 1 + 4 / (rows * cols), compute: 'fp8'};
}

/** Integer weights in groups, each with a 16-bit scale and a zero point of `bits`; `group` ≤ 0 means one scale a column, which weighs nothing. */
export function groupedInt(bits: number, group: number): WeightFormat {
  const scale = group > 0 ? (16 + bits) / group : 0;
  return {name: `int${bits}`, bytesPerParam: (bits + scale) / 8, compute: 'activation'};
}

/** A format that holds `share` of its parameters in `rest`, for classes that a quantiser converts in part. */
export function blended(format: WeightFormat, rest: WeightFormat, share: number): WeightFormat {
  if (share <= 0) return format;
  if (share >= 1) return rest;
  return {
    name: `${format.name}+${rest.name}`,
    bytesPerParam: format.bytesPerParam * (1 - share) + rest.bytesPerParam * share,
    compute: share > 0.5 ? rest.compute : format.compute,
  };
}
