// Memory traffic: each kernel strides the grid over 16-byte words, four in flight a thread.
#pragma once

typedef unsigned long long u64;

__device__ inline u64 grid_thread() { return static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x; }
__device__ inline u64 grid_threads() { return static_cast<u64>(gridDim.x) * blockDim.x; }

// splitmix64's finaliser (Steele, Lea, Flood 2014): a value for each index and seed, so that the host can recompute any of them.
__device__ inline u64 mixed(u64 value) {
  value += 0x9e3779b97f4a7c15ull;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ull;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebull;
  return value ^ (value >> 31);
}

// XORs every word of the source into out[0]; the host recomputes it, so no load can be optimised away.
extern "C" __global__ void mem_read(const uint4* __restrict__ source, u64 words, unsigned* out) {
  const u64 stride = grid_threads();
  unsigned seen = 0;
  u64 i = grid_thread();
  for (; i + 3 * stride < words; i += 4 * stride) {
    const uint4 a = source[i], b = source[i + stride], c = source[i + 2 * stride], d = source[i + 3 * stride];
    seen ^= a.x ^ a.y ^ a.z ^ a.w ^ b.x ^ b.y ^ b.z ^ b.w ^ c.x ^ c.y ^ c.z ^ c.w ^ d.x ^ d.y ^ d.z ^ d.w;
  }
  for (; i < words; i += stride) {
    const uint4 a = source[i];
    seen ^= a.x ^ a.y ^ a.z ^ a.w;
  }
  for (int step = 16; step > 0; step >>= 1) seen ^= __shfl_xor_sync(0xffffffffu, seen, step);
  if ((threadIdx.x & 31) == 0) atomicXor(out, seen);
}

// Word i becomes {i, seed, i xor seed, ~i} (low 32 bits): each differs, and each can be checked.
extern "C" __global__ void mem_write(uint4* __restrict__ target, u64 words, unsigned seed) {
  const u64 stride = grid_threads();
  for (u64 i = grid_thread(); i < words; i += stride) {
    const unsigned low = static_cast<unsigned>(i);
    target[i] = make_uint4(low, seed, low ^ seed, ~low);
  }
}

extern "C" __global__ void mem_copy(uint4* __restrict__ target, const uint4* __restrict__ source, u64 words) {
  const u64 stride = grid_threads();
  u64 i = grid_thread();
  for (; i + 3 * stride < words; i += 4 * stride) {
    const uint4 a = source[i], b = source[i + stride], c = source[i + 2 * stride], d = source[i + 3 * stride];
    target[i] = a;
    target[i + stride] = b;
    target[i + 2 * stride] = c;
    target[i + 3 * stride] = d;
  }
  for (; i < words; i += stride) target[i] = source[i];
}

// STREAM's triad on floats: target = a + scale * b.
extern "C" __global__ void mem_triad(float4* __restrict__ target, const float4* __restrict__ a, const float4* __restrict__ b, float scale,
                                     u64 words) {
  const u64 stride = grid_threads();
  for (u64 i = grid_thread(); i < words; i += stride) {
    const float4 x = a[i], y = b[i];
    target[i] = make_float4(x.x + scale * y.x, x.y + scale * y.y, x.z + scale * y.z, x.w + scale * y.w);
  }
}

// A random value in [-1, 1) with 8 significant bits, exact in bf16, f16 and f32.
__device__ inline float random_unit(u64 seed, u64 index) {
  return (static_cast<int>(mixed(seed + index) >> 56) - 128) * (1.0f / 128);
}

extern "C" __global__ void fill_bits(u64* target, u64 count, u64 seed) {
  for (u64 i = grid_thread(); i < count; i += grid_threads()) target[i] = mixed(seed + i);
}

// E4M3 bytes without the two NaN codes (0x7f, 0xff): the exponent's top bit is cleared, so |value| < 2.
extern "C" __global__ void fill_fp8(u64* target, u64 count, u64 seed) {
  for (u64 i = grid_thread(); i < count; i += grid_threads()) target[i] = mixed(seed + i) & 0xbfbfbfbfbfbfbfbfull;
}

extern "C" __global__ void fill_f32(float* target, u64 count, u64 seed) {
  for (u64 i = grid_thread(); i < count; i += grid_threads()) target[i] = random_unit(seed, i);
}

extern "C" __global__ void fill_bf16(unsigned short* target, u64 count, u64 seed) {
  for (u64 i = grid_thread(); i < count; i += grid_threads()) target[i] = static_cast<unsigned short>(bf16_bits(random_unit(seed, i)));
}

// half of a value k/128 with |k| <= 128: exact, so the bits follow from the float's without rounding.
extern "C" __global__ void fill_f16(unsigned short* target, u64 count, u64 seed) {
  for (u64 i = grid_thread(); i < count; i += grid_threads()) {
    const unsigned bits = __float_as_uint(random_unit(seed, i));
    const unsigned magnitude = bits & 0x7fffffffu;
    const unsigned half = magnitude == 0 ? 0 : (magnitude - (112u << 23)) >> 13;
    target[i] = static_cast<unsigned short>((bits >> 16 & 0x8000u) | half);
  }
}

extern "C" __global__ void empty_kernel() {}

// Holds the stream until the host sets *flag, so that all launches behind it are enqueued before the first one runs; gives up after
// `cycles`, because a host that died must not leave the GPU hanging.
extern "C" __global__ void spin_until(const volatile unsigned* flag, long long cycles) {
  const long long start = clock64();
  while (*flag == 0 && clock64() - start < cycles) {
  }
}
