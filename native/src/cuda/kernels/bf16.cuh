// bfloat16 as the upper half of a float, by integer operations only: no toolkit header, the same on every architecture and on the host.
#pragma once

__device__ inline float bf16_low(unsigned pair) { return __uint_as_float(pair << 16); }
__device__ inline float bf16_high(unsigned pair) { return __uint_as_float(pair & 0xffff0000u); }
__device__ inline float bf16_value(unsigned short bits) { return __uint_as_float(static_cast<unsigned>(bits) << 16); }

// Rounds to nearest, ties to even; the inputs here are finite.
__device__ inline unsigned bf16_bits(float value) {
  const unsigned bits = __float_as_uint(value);
  return (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
}
__device__ inline unsigned bf16_pair(float low, float high) { return bf16_bits(low) | bf16_bits(high) << 16; }

// Eight bf16 of one 16-byte load, dotted with eight others.
__device__ inline float bf16_dot8(const uint4& a, const uint4& b, float sum) {
  sum += bf16_low(a.x) * bf16_low(b.x) + bf16_high(a.x) * bf16_high(b.x);
  sum += bf16_low(a.y) * bf16_low(b.y) + bf16_high(a.y) * bf16_high(b.y);
  sum += bf16_low(a.z) * bf16_low(b.z) + bf16_high(a.z) * bf16_high(b.z);
  sum += bf16_low(a.w) * bf16_low(b.w) + bf16_high(a.w) * bf16_high(b.w);
  return sum;
}

__device__ inline float warp_sum(float value) {
  for (int step = 16; step > 0; step >>= 1) value += __shfl_xor_sync(0xffffffffu, value, step);
  return value;
}
