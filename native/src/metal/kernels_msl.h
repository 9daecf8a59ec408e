#pragma once

namespace calib::metal {

/** The Metal kernels, compiled when a device is opened: Apple's command line tools are then all that a Mac needs. They mirror cuda/kernels. */
inline const char* const kKernels = R"MSL(
#include <metal_stdlib>
using namespace metal;

static inline uint mixed(uint value) {
  value = (value ^ (value >> 16)) * 0x7feb352du;
  value = (value ^ (value >> 15)) * 0x846ca68bu;
  return value ^ (value >> 16);
}
static inline float unit_at(uint seed, uint index) { return (int(mixed(seed + index) >> 24) - 128) * (1.0f / 128); }

kernel void fill_f32(device float* target [[buffer(0)]], constant uint& count [[buffer(1)]], constant uint& seed [[buffer(2)]],
                     uint thread_at [[thread_position_in_grid]], uint threads [[threads_per_grid]]) {
  for (uint i = thread_at; i < count; i += threads) target[i] = unit_at(seed, i);
}
kernel void fill_f16(device half* target [[buffer(0)]], constant uint& count [[buffer(1)]], constant uint& seed [[buffer(2)]],
                     uint thread_at [[thread_position_in_grid]], uint threads [[threads_per_grid]]) {
  for (uint i = thread_at; i < count; i += threads) target[i] = half(unit_at(seed, i));
}
kernel void mem_read(device const uint4* source [[buffer(0)]], constant uint& words [[buffer(1)]], device atomic_uint* out [[buffer(2)]],
                     uint thread_at [[thread_position_in_grid]], uint threads [[threads_per_grid]]) {
  uint4 seen = uint4(0);
  for (uint i = thread_at; i < words; i += threads) seen ^= source[i];
  const uint all = simd_xor(seen.x ^ seen.y ^ seen.z ^ seen.w);
  if (simd_is_first()) atomic_fetch_xor_explicit(out, all, memory_order_relaxed);
}
kernel void mem_write(device uint4* target [[buffer(0)]], constant uint& words [[buffer(1)]],
                      uint thread_at [[thread_position_in_grid]], uint threads [[threads_per_grid]]) {
  for (uint i = thread_at; i < words; i += threads) target[i] = uint4(i, 7u, i ^ 7u, ~i);
}
kernel void mem_copy(device uint4* target [[buffer(0)]], constant uint& words [[buffer(1)]], device const uint4* source [[buffer(2)]],
                     uint thread_at [[thread_position_in_grid]], uint threads [[threads_per_grid]]) {
  for (uint i = thread_at; i < words; i += threads) target[i] = source[i];
}
kernel void mem_triad(device float4* target [[buffer(0)]], constant uint& words [[buffer(1)]], device const float4* a [[buffer(2)]],
                      device const float4* b [[buffer(3)]], uint thread_at [[thread_position_in_grid]], uint threads [[threads_per_grid]]) {
  for (uint i = thread_at; i < words; i += threads) target[i] = a[i] + 3.0f * b[i];
}
kernel void gemv_f16(device const half4* weights [[buffer(0)]], constant uint& k [[buffer(1)]], device const half4* x [[buffer(2)]],
                     device float* y [[buffer(3)]], uint row [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
  float sum = 0;
  for (uint i = lane; i < k / 4; i += 32) sum += dot(float4(weights[row * (k / 4) + i]), float4(x[i]));
  sum = simd_sum(sum);
  if (lane == 0) y[row] = sum;
}
kernel void empty_kernel() {}
)MSL";

}  // namespace calib::metal
