// Causal prefill attention by tensor cores through the wmma interface: a lower bound of what FlashAttention reaches, not a rival to it.
// Grid (queries / 64, heads), 128 threads: a warp owns 16 queries and walks the keys 32 at a time (online softmax, Milakov, Gimelshein 2018).
// q, o [queries][heads][128], k, v [keys][KV heads][128], bf16; queries and keys are multiples of 64; query i sees keys 0 .. past + i.
#pragma once

constexpr int PREFILL_QUERIES = 64;
constexpr int PREFILL_KEYS = 32;

extern "C" __global__ void __launch_bounds__(128) attn_prefill(const unsigned short* q, const unsigned short* k, const unsigned short* v,
                                                               unsigned short* o, int heads, int kv_heads, int past, float scale) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  using namespace nvcuda;
  typedef __nv_bfloat16 bf16;
  __shared__ __align__(32) float output[PREFILL_QUERIES][HEAD];
  __shared__ __align__(32) float scores[PREFILL_QUERIES][PREFILL_KEYS];
  __shared__ __align__(32) unsigned short weights[PREFILL_QUERIES][PREFILL_KEYS];
  const int warp = threadIdx.x / 32, lane = threadIdx.x & 31;
  const int row = warp * 16, query = blockIdx.x * PREFILL_QUERIES + row;
  const int head = blockIdx.y, kv_head = head / (heads / kv_heads);
  const u64 stride = static_cast<u64>(heads) * HEAD, kv_stride = static_cast<u64>(kv_heads) * HEAD;
  const bf16* queries = reinterpret_cast<const bf16*>(q) + query * stride + head * HEAD;
  const bf16* keys = reinterpret_cast<const bf16*>(k) + kv_head * HEAD;
  const bf16* values = reinterpret_cast<const bf16*>(v) + kv_head * HEAD;
  for (int i = lane; i < 16 * HEAD; i += 32) output[row + i / HEAD][i % HEAD] = 0;
  // Two lanes share a row's statistics; both hold them.
  const int own = row + lane / 2;
  float most = -1e30f, sum = 0;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, bf16, wmma::row_major> a[HEAD / 16];
  for (int d = 0; d < HEAD / 16; ++d) wmma::load_matrix_sync(a[d], queries + d * 16, static_cast<unsigned>(stride));
  const int end = past + query + 16;
  for (int start = 0; start < end; start += PREFILL_KEYS) {
    for (int part = 0; part < PREFILL_KEYS; part += 16) {
      wmma::fragment<wmma::accumulator, 16, 16, 16, float> s;
      wmma::fill_fragment(s, 0.0f);
      for (int d = 0; d < HEAD / 16; ++d) {
        wmma::fragment<wmma::matrix_b, 16, 16, 16, bf16, wmma::col_major> b;
        wmma::load_matrix_sync(b, keys + (start + part) * kv_stride + d * 16, static_cast<unsigned>(kv_stride));
        wmma::mma_sync(s, a[d], b, s);
      }
      wmma::store_matrix_sync(&scores[row][part], s, PREFILL_KEYS, wmma::mem_row_major);
    }
    __syncwarp();
    const int visible = past + query + lane / 2 - start;  // keys 0..visible of this tile
    float tile_most = most;
    for (int t = lane & 1; t < PREFILL_KEYS; t += 2) tile_most = fmaxf(tile_most, t <= visible ? scores[own][t] * scale : -1e30f);
    tile_most = fmaxf(tile_most, __shfl_xor_sync(0xffffffffu, tile_most, 1));
    float tile_sum = 0;
    for (int t = lane & 1; t < PREFILL_KEYS; t += 2) {
      const float weight = t <= visible ? __expf(scores[own][t] * scale - tile_most) : 0;
      weights[own][t] = static_cast<unsigned short>(bf16_bits(weight));
      tile_sum += weight;
    }
    tile_sum += __shfl_xor_sync(0xffffffffu, tile_sum, 1);
    const float rescale = __expf(most - tile_most);
    sum = sum * rescale + tile_sum;
    most = tile_most;
    for (int d = lane & 1; d < HEAD; d += 2) output[own][d] *= rescale;
    __syncwarp();
    for (int d = 0; d < HEAD; d += 16) {
      wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
      wmma::load_matrix_sync(sums, &output[row][d], HEAD, wmma::mem_row_major);
      for (int part = 0; part < PREFILL_KEYS; part += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, bf16, wmma::row_major> p;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, bf16, wmma::row_major> b;
        wmma::load_matrix_sync(p, reinterpret_cast<const bf16*>(&weights[row][part]), PREFILL_KEYS);
        wmma::load_matrix_sync(b, values + (start + part) * kv_stride + d, static_cast<unsigned>(kv_stride));
        wmma::mma_sync(sums, p, b, sums);
      }
      wmma::store_matrix_sync(&output[row][d], sums, HEAD, wmma::mem_row_major);
    }
    __syncwarp();
  }
  for (int d = lane & 1; d < HEAD; d += 2)
    o[(query + lane / 2) * stride + head * HEAD + d] = static_cast<unsigned short>(bf16_bits(output[own][d] / sum));
#endif
}
