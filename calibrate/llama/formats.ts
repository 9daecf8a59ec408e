/** How a tensor type of GGUF stores weights: ggml-common.h and gguf-py/gguf/constants.py of llama.cpp. */
interface TensorFormat {
  /** Its number in a GGUF file. */
  readonly type: number;
  /** `general.file_type` of a file that is mostly of it. */
  readonly fileType: number;
  /** Weights of a block, and its bytes. */
  readonly weights: number;
  readonly bytes: number;
  /** Writes what of a block must not be random: scales, and exponents of plain numbers. */
  readonly tame: (block: DataView) => void;
}

/** Half-precision powers of two that keep random weights near the size of trained ones: 2^-12, 2^-8, 2^-13. */
const [H12, H8, H13] = [0x0c00, 0x1c00, 0x0800];

/** Tensor types that synthetic files may have, by the name that scenarios use. */
export const tensorFormats = {
  // Sign and mantissa stay random; the exponent is that of 1/64.
  fp16: {
    type: 1,
    fileType: 1,
    weights: 1,
    bytes: 2,
    tame: (block) => block.setUint16(0, (block.getUint16(0, true) & 0x83ff) | (9 << 10), true),
  },
  bf16: {
    type: 30,
    fileType: 32,
    weights: 1,
    bytes: 2,
    tame: (block) => block.setUint16(0, (block.getUint16(0, true) & 0x807f) | (121 << 7), true),
  },
  q8_0: {type: 8, fileType: 7, weights: 32, bytes: 34, tame: (block) => block.setUint16(0, H12, true)},
  q4_0: {type: 2, fileType: 2, weights: 32, bytes: 18, tame: (block) => block.setUint16(0, H8, true)},
  // Two scales of the whole block stand before its twelve bytes of small ones.
  q4_k: {
    type: 12,
    fileType: 14,
    weights: 256,
    bytes: 144,
    tame: (block) => {
      block.setUint16(0, H13, true);
      block.setUint16(2, H13, true);
    },
  },
} as const satisfies Record<string, TensorFormat>;

export type TensorFormatName = keyof typeof tensorFormats;

/** About as many bytes of random weights are made; a tensor repeats them. */
const PATTERN_BYTES = 2 ** 20;

/** Random blocks of a format, about a MiB: equal bytes for an equal seed. */
export function randomBlocks(name: TensorFormatName, seed: number): Uint8Array {
  const {bytes, tame} = tensorFormats[name];
  const pattern = new Uint8Array(Math.floor(PATTERN_BYTES / bytes) * bytes);
  // xorshift32 (Marsaglia, 2003): any seed but 0.
  let state = seed | 0 || 1;
  for (let i = 0; i < pattern.length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    pattern[i] = state >>> 24;
  }
  for (let at = 0; at < pattern.length; at += bytes) tame(new DataView(pattern.buffer, at, bytes));
  return pattern;
}
