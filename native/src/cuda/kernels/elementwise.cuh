// The small operations between GEMMs; bf16 in and out, f32 inside.
#pragma once

// One block of 256 threads a row; y = x / sqrt(mean(x^2) + 1e-6) * weight (Zhang, Sennrich 2019). width is a multiple of 8.
extern "C" __global__ void __launch_bounds__(256) rmsnorm(const uint4* __restrict__ x, const uint4* __restrict__ weight,
                                                          uint4* __restrict__ y, int width) {
  __shared__ float sums[8];
  const int words = width / 8;
  const u64 first = static_cast<u64>(blockIdx.x) * words;
  float sum = 0;
  for (int i = threadIdx.x; i < words; i += 256) {
    const uint4 v = x[first + i];
    sum = bf16_dot8(v, v, sum);
  }
  sum = warp_sum(sum);
  if ((threadIdx.x & 31) == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  float total = 0;
  for (int w = 0; w < 8; ++w) total += sums[w];
  const float scale = rsqrtf(total / width + 1e-6f);
  for (int i = threadIdx.x; i < words; i += 256) {
    const uint4 v = x[first + i], w = weight[i];
    y[first + i] = make_uint4(bf16_pair(bf16_low(v.x) * scale * bf16_low(w.x), bf16_high(v.x) * scale * bf16_high(w.x)),
                              bf16_pair(bf16_low(v.y) * scale * bf16_low(w.y), bf16_high(v.y) * scale * bf16_high(w.y)),
                              bf16_pair(bf16_low(v.z) * scale * bf16_low(w.z), bf16_high(v.z) * scale * bf16_high(w.z)),
                              bf16_pair(bf16_low(v.w) * scale * bf16_low(w.w), bf16_high(v.w) * scale * bf16_high(w.w)));
  }
}

__device__ inline float silu_times(float gate, float up) { return gate / (1.0f + __expf(-gate)) * up; }
__device__ inline unsigned silu_pair(unsigned gate, unsigned up) {
  return bf16_pair(silu_times(bf16_low(gate), bf16_low(up)), silu_times(bf16_high(gate), bf16_high(up)));
}
__device__ inline unsigned add_pair(unsigned a, unsigned b) { return bf16_pair(bf16_low(a) + bf16_low(b), bf16_high(a) + bf16_high(b)); }

// y = silu(gate) * up, word by word.
extern "C" __global__ void silu_mul(const uint4* __restrict__ gate, const uint4* __restrict__ up, uint4* __restrict__ y, u64 words) {
  for (u64 i = grid_thread(); i < words; i += grid_threads()) {
    const uint4 a = gate[i], b = up[i];
    y[i] = make_uint4(silu_pair(a.x, b.x), silu_pair(a.y, b.y), silu_pair(a.z, b.z), silu_pair(a.w, b.w));
  }
}

// y = a + b, word by word.
extern "C" __global__ void add(const uint4* __restrict__ a, const uint4* __restrict__ b, uint4* __restrict__ y, u64 words) {
  for (u64 i = grid_thread(); i < words; i += grid_threads()) {
    const uint4 p = a[i], q = b[i];
    y[i] = make_uint4(add_pair(p.x, q.x), add_pair(p.y, q.y), add_pair(p.z, q.z), add_pair(p.w, q.w));
  }
}

// Rotates x [tokens][heads][128] in place of y by angles from a table [tokens][64] of (cos, sin); dimension d pairs with d + 64 (Su et al. 2021,
// the half-split order of Llama). One thread a pair of neighbouring pairs.
extern "C" __global__ void rope(const unsigned* __restrict__ x, const float4* __restrict__ table, unsigned* __restrict__ y, unsigned heads,
                                u64 words) {
  for (u64 i = grid_thread(); i < words; i += grid_threads()) {
    const u64 row = i / 32, pair = i % 32;  // 32 words of two dimensions make the lower half of a head
    const u64 low = row * 64 + pair, high = low + 32;
    const float4 turn = table[static_cast<unsigned>(row) / heads * 32u + pair];
    const unsigned a = x[low], b = x[high];
    y[low] = bf16_pair(bf16_low(a) * turn.x - bf16_low(b) * turn.y, bf16_high(a) * turn.z - bf16_high(b) * turn.w);
    y[high] = bf16_pair(bf16_low(b) * turn.x + bf16_low(a) * turn.y, bf16_high(b) * turn.z + bf16_high(a) * turn.w);
  }
}
