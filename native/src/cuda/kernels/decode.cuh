// Paged decode attention with the KV split over blocks (flash-decoding, Dao et al. 2023): grid (splits, KV heads, sequences), 128 threads.
// Layouts, all bf16, head dimension 128: q and o [batch][heads][128]; k and v [page][16 tokens][KV heads][128]; pages [batch][pages a sequence].
#pragma once

constexpr int HEAD = 128;
constexpr int PAGE = 16;
constexpr int DECODE_WARPS = 4;
constexpr int DECODE_TILE = 64;

__device__ inline u64 kv_row(const int* pages, int token, int kv_heads, int kv_head) {
  return (static_cast<u64>(pages[token / PAGE]) * PAGE + token % PAGE) * kv_heads + kv_head;
}

// One block's share: the unnormalised output [splits][128] f32 of each query head, and its maximum and sum of exponentials.
template <int GROUP>
__device__ inline void decode_split(const uint4* __restrict__ q, const uint4* __restrict__ k, const uint2* __restrict__ v,
                                    const int* __restrict__ pages, int pages_per_sequence, int context, float scale, float* part,
                                    float2* part_stats) {
  __shared__ float scores[GROUP][DECODE_TILE];
  __shared__ float2 stats[GROUP];
  __shared__ float rescale[GROUP];
  __shared__ float outputs[DECODE_WARPS][GROUP][HEAD];
  const int warp = threadIdx.x / 32, lane = threadIdx.x & 31;
  const int split = blockIdx.x, splits = gridDim.x, kv_head = blockIdx.y, kv_heads = gridDim.y, sequence = blockIdx.z;
  const int tiles = (context + DECODE_TILE - 1) / DECODE_TILE;
  const int first = static_cast<int>(static_cast<long long>(tiles) * split / splits) * DECODE_TILE;
  const int last = min(context, static_cast<int>(static_cast<long long>(tiles) * (split + 1) / splits) * DECODE_TILE);
  const int* table = pages + static_cast<u64>(sequence) * pages_per_sequence;
  const int head = (sequence * kv_heads + kv_head) * GROUP;
  // Sixteen lanes share a token: eight dimensions each, one 16-byte load.
  const int half = lane / 16, part_of_head = lane % 16;
  uint4 query[GROUP];
  for (int g = 0; g < GROUP; ++g) query[g] = q[static_cast<u64>(head + g) * (HEAD / 8) + part_of_head];
  float output[GROUP][4] = {};
  if (threadIdx.x < GROUP) stats[threadIdx.x] = make_float2(-1e30f, 0);
  for (int start = first; start < last; start += DECODE_TILE) {
    const int count = min(DECODE_TILE, last - start);
#pragma unroll (GROUP == 1 ? 4 : 2)
    for (int pair = warp; pair < DECODE_TILE / 2; pair += DECODE_WARPS) {
      const int t = pair * 2 + half;
      uint4 key = make_uint4(0, 0, 0, 0);
      if (t < count) key = k[kv_row(table, start + t, kv_heads, kv_head) * (HEAD / 8) + part_of_head];
#pragma unroll
      for (int g = 0; g < GROUP; ++g) {
        float score = bf16_dot8(query[g], key, 0.0f);
        for (int step = 8; step > 0; step >>= 1) score += __shfl_xor_sync(0xffffffffu, score, step);
        if (part_of_head == 0) scores[g][t] = t < count ? score * scale : -1e30f;
      }
    }
    __syncthreads();
    // One warp a query head renews the running maximum and sum, and turns scores into weights.
    for (int g = warp; g < GROUP; g += DECODE_WARPS) {
      const float a = scores[g][lane], b = scores[g][lane + 32];
      const float2 before = stats[g];
      float most = fmaxf(before.x, fmaxf(a, b));
      for (int step = 16; step > 0; step >>= 1) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, step));
      const float x = __expf(a - most), y = __expf(b - most);
      scores[g][lane] = x;
      scores[g][lane + 32] = y;
      const float total = warp_sum(x + y);
      if (lane == 0) {
        rescale[g] = __expf(before.x - most);
        stats[g] = make_float2(most, before.y * rescale[g] + total);
      }
    }
    __syncthreads();
    for (int g = 0; g < GROUP; ++g)
      for (int d = 0; d < 4; ++d) output[g][d] *= rescale[g];
    // A warp takes a token's 128 values: four dimensions a lane.
#pragma unroll (GROUP == 1 ? 4 : 2)
    for (int t = warp; t < count; t += DECODE_WARPS) {
      const uint2 value = v[kv_row(table, start + t, kv_heads, kv_head) * (HEAD / 4) + lane];
      const float d0 = bf16_low(value.x), d1 = bf16_high(value.x), d2 = bf16_low(value.y), d3 = bf16_high(value.y);
#pragma unroll
      for (int g = 0; g < GROUP; ++g) {
        const float weight = scores[g][t];
        output[g][0] += weight * d0;
        output[g][1] += weight * d1;
        output[g][2] += weight * d2;
        output[g][3] += weight * d3;
      }
    }
    __syncthreads();
  }
  for (int g = 0; g < GROUP; ++g)
    for (int d = 0; d < 4; ++d) outputs[warp][g][lane * 4 + d] = output[g][d];
  __syncthreads();
  for (int g = 0; g < GROUP; ++g) {
    float sum = 0;
    for (int w = 0; w < DECODE_WARPS; ++w) sum += outputs[w][g][threadIdx.x];
    part[(static_cast<u64>(head + g) * splits + split) * HEAD + threadIdx.x] = sum;
    if (threadIdx.x == 0) part_stats[static_cast<u64>(head + g) * splits + split] = stats[g];
  }
}

// Joins the splits of one query head (one block of 128 threads each).
extern "C" __global__ void __launch_bounds__(HEAD) decode_merge(const float* part, const float2* stats, unsigned short* o, int splits) {
  const u64 head = blockIdx.x;
  float most = -1e30f;
  for (int s = 0; s < splits; ++s) most = fmaxf(most, stats[head * splits + s].x);
  float sum = 0, output = 0;
  for (int s = 0; s < splits; ++s) {
    const float2 own = stats[head * splits + s];
    const float weight = __expf(own.x - most);
    sum += own.y * weight;
    output += part[(head * splits + s) * HEAD + threadIdx.x] * weight;
  }
  o[head * HEAD + threadIdx.x] = static_cast<unsigned short>(bf16_bits(output / sum));
}

#define DECODE(GROUP)                                                                                                                  \
  extern "C" __global__ void __launch_bounds__(DECODE_WARPS * 32)                                                                      \
      decode_g##GROUP(const uint4* q, const uint4* k, const uint2* v, const int* pages, int pages_per_sequence, int context,           \
                      float scale, float* part, float2* part_stats) {                                                                  \
    decode_split<GROUP>(q, k, v, pages, pages_per_sequence, context, scale, part, part_stats);                                         \
  }
DECODE(1)
DECODE(4)
DECODE(8)
#undef DECODE
