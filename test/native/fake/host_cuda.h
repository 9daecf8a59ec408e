// CUDA's execution model on one CPU thread, enough to run native/src/cuda/kernels.cu as it stands: every GPU thread is a fiber, warps are
// resumed in a shuffled order, and a barrier holds a fiber until its block (or warp) has arrived. It proves indices, reductions and the
// order of barriers; it proves nothing about the code nvcc makes, about memory order, or about speed.
#pragma once

#include <ucontext.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#define __device__
#define __global__
#define __shared__ static
#define __restrict__
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))

struct uint2 { unsigned x, y; };
struct alignas(16) uint4 { unsigned x, y, z, w; };
struct float2 { float x, y; };
struct alignas(16) float4 { float x, y, z, w; };
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

namespace host_cuda {

struct Index { unsigned x = 0, y = 0, z = 0; };

struct Fiber {
  ucontext_t context;
  std::unique_ptr<char[]> stack;
  bool done = false;
  unsigned thread = 0;
  int waits_block = 0, waits_warp = 0;  // barriers this fiber has arrived at
};

struct Machine {
  Index thread, block, block_size, grid;
  std::vector<Fiber> fibers;
  ucontext_t scheduler;
  Fiber* current = nullptr;
  std::function<void()> body;
  std::uint64_t exchange[2][32][32];  // a slot for each lane of each warp
  std::uint64_t random = 0x243f6a8885a308d3ull;
  long long clock = 0;
};
inline Machine machine;

inline void enter() {
  machine.body();
  machine.current->done = true;
  swapcontext(&machine.current->context, &machine.scheduler);
}

inline void yield() { swapcontext(&machine.current->context, &machine.scheduler); }

inline void block_barrier() {
  Fiber* self = machine.current;
  const int mine = ++self->waits_block;
  for (;;) {
    bool all = true;
    for (const Fiber& other : machine.fibers) all = all && (other.done || other.waits_block >= mine);
    if (all) return;
    yield();
  }
}

inline void warp_barrier() {
  Fiber* self = machine.current;
  const int mine = ++self->waits_warp;
  const unsigned first = self->thread / 32 * 32;
  for (;;) {
    bool all = true;
    for (unsigned t = first; t < first + 32 && t < machine.fibers.size(); ++t)
      all = all && (machine.fibers[t].done || machine.fibers[t].waits_warp >= mine);
    if (all) return;
    yield();
  }
}

template <typename T>
T shuffle_xor(T value, int mask) {
  const unsigned warp = machine.current->thread / 32, lane = machine.current->thread % 32;
  // Two sets in turn: nobody writes a set again before all have read it, as the next barrier lies between.
  auto& slots = machine.exchange[machine.current->waits_warp & 1][warp];
  std::memcpy(&slots[lane], &value, sizeof value);
  warp_barrier();
  T other;
  std::memcpy(&other, &slots[lane ^ mask], sizeof other);
  return other;
}

// Runs one block to its end: whole warps in a new random order each round, so that a forgotten barrier shows.
inline void run_block() {
  const unsigned threads = machine.block_size.x;
  if (machine.fibers.size() < threads) machine.fibers.resize(threads);
  machine.fibers.resize(threads);
  for (unsigned t = 0; t < threads; ++t) {
    Fiber& fiber = machine.fibers[t];
    if (!fiber.stack) fiber.stack.reset(new char[65536]);
    fiber.done = false;
    fiber.thread = t;
    fiber.waits_block = fiber.waits_warp = 0;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = 65536;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, enter, 0);
  }
  std::vector<unsigned> order((threads + 31) / 32);
  for (unsigned w = 0; w < order.size(); ++w) order[w] = w;
  for (bool alive = true; alive;) {
    alive = false;
    for (std::size_t i = order.size(); i > 1; --i) {
      machine.random = machine.random * 6364136223846793005ull + 1442695040888963407ull;
      std::swap(order[i - 1], order[(machine.random >> 33) % i]);
    }
    for (unsigned warp : order)
      for (unsigned t = warp * 32; t < std::min(threads, warp * 32 + 32); ++t) {
        Fiber& fiber = machine.fibers[t];
        if (fiber.done) continue;
        alive = true;
        machine.current = &fiber;
        machine.thread = {t, 0, 0};
        swapcontext(&machine.scheduler, &fiber.context);
      }
  }
}

// Runs a grid, block after block: static `__shared__` arrays are therefore one block's own.
inline void run_grid(Index grid, Index block, const std::function<void()>& body) {
  machine.grid = grid;
  machine.block_size = block;
  machine.body = body;
  for (unsigned z = 0; z < grid.z; ++z)
    for (unsigned y = 0; y < grid.y; ++y)
      for (unsigned x = 0; x < grid.x; ++x) {
        machine.block = {x, y, z};
        run_block();
      }
}

}  // namespace host_cuda

// Fibers resume in other places, so these are read anew each time.
#define threadIdx (::host_cuda::Index{::host_cuda::machine.current->thread, 0, 0})
#define blockIdx (::host_cuda::machine.block)
#define blockDim (::host_cuda::machine.block_size)
#define gridDim (::host_cuda::machine.grid)

inline void __syncthreads() { host_cuda::block_barrier(); }
inline void __syncwarp() { host_cuda::warp_barrier(); }
template <typename T>
T __shfl_xor_sync(unsigned, T value, int mask) { return host_cuda::shuffle_xor(value, mask); }
inline void atomicXor(unsigned* at, unsigned value) { *at ^= value; }
inline long long clock64() { return host_cuda::machine.clock += 1 << 24; }  // a spin gives up soon: nothing runs beside it here
inline float __uint_as_float(unsigned bits) { float value; std::memcpy(&value, &bits, 4); return value; }
inline unsigned __float_as_uint(float value) { unsigned bits; std::memcpy(&bits, &value, 4); return bits; }
#define __expf(x) std::exp(static_cast<float>(x))
inline float rsqrtf(float x) { return 1.0f / std::sqrt(x); }
using std::min;
inline int __dp4a(int a, int b, int sum) {
  for (int i = 0; i < 4; ++i) sum += static_cast<std::int8_t>(a >> (8 * i)) * static_cast<std::int8_t>(b >> (8 * i));
  return sum;
}

struct __nv_bfloat16 { unsigned short bits; };
inline float host_value(__nv_bfloat16 x) { return __uint_as_float(static_cast<unsigned>(x.bits) << 16); }

// Fragments whose every lane knows the whole tile: the real ones spread it over the warp in an order that programs must not know.
namespace nvcuda::wmma {
struct matrix_a; struct matrix_b; struct accumulator; struct row_major; struct col_major;
enum layout_t { mem_row_major };
template <typename Use, int M, int N, int K, typename T, typename Layout = void>
struct fragment { float at[16][16]; };
template <typename Use, typename T, typename Layout>
void load_matrix_sync(fragment<Use, 16, 16, 16, T, Layout>& f, const T* from, unsigned stride) {
  if (reinterpret_cast<std::uintptr_t>(from) % 32 != 0 || stride % 8 != 0) std::abort();  // the real one demands both
  for (int r = 0; r < 16; ++r)
    for (int c = 0; c < 16; ++c) f.at[r][c] = host_value(from[std::is_same_v<Layout, col_major> ? c * stride + r : r * stride + c]);
}
inline void load_matrix_sync(fragment<accumulator, 16, 16, 16, float>& f, const float* from, unsigned stride, layout_t) {
  for (int r = 0; r < 16; ++r)
    for (int c = 0; c < 16; ++c) f.at[r][c] = from[r * stride + c];
}
inline void fill_fragment(fragment<accumulator, 16, 16, 16, float>& f, float value) {
  for (auto& row : f.at) std::fill(row, row + 16, value);
}
template <typename A, typename B>
void mma_sync(fragment<accumulator, 16, 16, 16, float>& d, const A& a, const B& b, const fragment<accumulator, 16, 16, 16, float>& c) {
  for (int r = 0; r < 16; ++r)
    for (int n = 0; n < 16; ++n) {
      float sum = c.at[r][n];
      for (int k = 0; k < 16; ++k) sum += a.at[r][k] * b.at[k][n];
      d.at[r][n] = sum;
    }
}
// A lane stores its share only, so that a kernel which reads the tile without a barrier finds it unfinished.
inline void store_matrix_sync(float* to, const fragment<accumulator, 16, 16, 16, float>& f, unsigned stride, layout_t) {
  for (unsigned i = ::host_cuda::machine.current->thread % 32; i < 256; i += 32) to[i / 16 * stride + i % 16] = f.at[i / 16][i % 16];
}
}  // namespace nvcuda::wmma
