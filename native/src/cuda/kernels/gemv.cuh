// Decode GEMV: y[m][n] = sum over k of weights[n][k] * x[m][k]; one warp an output row, all M inputs at once, so weights are read once.
#pragma once

constexpr int GEMV_WARPS = 4;

// Writes the sums of one row: lane 0 stores them, y is [M][rows] bf16.
template <int M>
__device__ inline void gemv_store(const float* sum, unsigned short* y, int rows, int row) {
  for (int m = 0; m < M; ++m) {
    const float total = warp_sum(sum[m]);
    if ((threadIdx.x & 31) == 0) y[static_cast<u64>(m) * rows + row] = static_cast<unsigned short>(bf16_bits(total));
  }
}

// k is a multiple of 8.
template <int M>
__device__ inline void gemv_bf16(const uint4* __restrict__ weights, const uint4* __restrict__ x, unsigned short* y, int rows, int k) {
  const int row = blockIdx.x * GEMV_WARPS + threadIdx.x / 32;
  if (row >= rows) return;
  const int words = k / 8;
  const uint4* line = weights + static_cast<u64>(row) * words;
  float sum[M] = {};
#pragma unroll (M <= 2 ? 4 : 2)
  for (int i = threadIdx.x & 31; i < words; i += 32) {
    const uint4 weight = line[i];
#pragma unroll
    for (int m = 0; m < M; ++m) sum[m] = bf16_dot8(weight, x[static_cast<u64>(m) * words + i], sum[m]);
  }
  gemv_store<M>(sum, y, rows, row);
}

// Activations quantised to int8 in groups of 32, as llama.cpp's Q4_0 x Q8_1 product does (four weights an instruction by dp4a).
// Nibbles are unsigned with 8 as zero: the low nibbles of word w of a group meet inputs 8w..8w+3, the high ones 8w+4..8w+7. A group is one
// 16-byte load and one bf16 scale. inputs[m][group] = {scale, 8 * scale * sum of the group's int8}. k is a multiple of 32.
template <int M>
__device__ inline void gemv_int4(const uint4* __restrict__ nibbles, const unsigned short* __restrict__ scales, const uint4* __restrict__ x,
                                 const float2* __restrict__ inputs, unsigned short* y, int rows, int k) {
  const int row = blockIdx.x * GEMV_WARPS + threadIdx.x / 32;
  if (row >= rows) return;
  const int groups = k / 32;
  const u64 first = static_cast<u64>(row) * groups;
  float sum[M] = {};
#pragma unroll 2
  for (int group = threadIdx.x & 31; group < groups; group += 32) {
    const uint4 packed = nibbles[first + group];
    const float scale = bf16_value(scales[first + group]);
    const unsigned mask = 0x0f0f0f0fu;
#pragma unroll
    for (int m = 0; m < M; ++m) {
      const u64 at = static_cast<u64>(m) * groups + group;
      const uint4 a = x[2 * at], b = x[2 * at + 1];
      int dot = __dp4a(static_cast<int>(packed.x & mask), static_cast<int>(a.x), 0);
      dot = __dp4a(static_cast<int>(packed.x >> 4 & mask), static_cast<int>(a.y), dot);
      dot = __dp4a(static_cast<int>(packed.y & mask), static_cast<int>(a.z), dot);
      dot = __dp4a(static_cast<int>(packed.y >> 4 & mask), static_cast<int>(a.w), dot);
      dot = __dp4a(static_cast<int>(packed.z & mask), static_cast<int>(b.x), dot);
      dot = __dp4a(static_cast<int>(packed.z >> 4 & mask), static_cast<int>(b.y), dot);
      dot = __dp4a(static_cast<int>(packed.w & mask), static_cast<int>(b.z), dot);
      dot = __dp4a(static_cast<int>(packed.w >> 4 & mask), static_cast<int>(b.w), dot);
      const float2 input = inputs[at];
      sum[m] += scale * (input.x * dot - input.y);
    }
  }
  gemv_store<M>(sum, y, rows, row);
}

#define GEMV(M)                                                                                                                        \
  extern "C" __global__ void __launch_bounds__(GEMV_WARPS * 32)                                                                        \
      gemv_bf16_m##M(const uint4* weights, const uint4* x, unsigned short* y, int rows, int k) {                                       \
    gemv_bf16<M>(weights, x, y, rows, k);                                                                                              \
  }                                                                                                                                    \
  extern "C" __global__ void __launch_bounds__(GEMV_WARPS * 32)                                                                        \
      gemv_int4_m##M(const uint4* nibbles, const unsigned short* scales, const uint4* x, const float2* inputs, unsigned short* y,      \
                     int rows, int k) {                                                                                                \
    gemv_int4<M>(nibbles, scales, x, inputs, y, rows, k);                                                                              \
  }
GEMV(1)
GEMV(2)
GEMV(4)
GEMV(8)
#undef GEMV
