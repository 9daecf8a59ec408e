#pragma once
#include <cstdint>
#include <cstring>
#include <vector>

namespace calib::cpu {

/** Tokens of a page of the KV cache, and weights of a group that share a scale. */
constexpr int kPage = 16;
constexpr int kGroup = 32;
/** Query rows that one call of `attend` takes at most. */
constexpr int kMostRows = 16;

/**
 * Products accumulate into a tile of C. Weights lie in panels of `KernelSet::panel` columns, so that one vector load takes neighbours of
 * n; activations in tiles of up to `KernelSet::rows` rows, so that one load takes one row. Formats, for a panel of N columns and a tile of R rows:
 *
 * f32   w[k][N] float            a[k][R] float
 * bf16  w[k/2][N] pairs along k  a[k/2][R] pairs
 * int8  w[k/4][N] four along k   a[k/4][R] four, plus 128 where `offset`
 * int4  for each 32 k: [4][N][4] bytes, each with k = 8j + b low and 8j + 4 + b high, minus 8; then [N] scales in bf16
 *       a[k/4][R] four; for each 32 k and row a scale and the sum of its activations × 8
 */
struct IntActivations {
  const uint32_t* quads;
  /** [k/32][R] each; null for int8. */
  const float* scales;
  const int32_t* sums;
};

/** Attention of `rows` query rows over one sequence's pages of one KV head. */
struct Attention {
  /** Keys of a page: [d/2][16] pairs along d; values behind them: [8][d] pairs of tokens. */
  const char* cache;
  /** Bytes from one page of this head to the next in `cache`, and the pages of the sequence. */
  int64_t pageBytes;
  const int32_t* pages;
  int headDim;
  int rows;
  /** [rows][d/2] pairs. */
  const uint32_t* queries;
  /** Tokens that each row sees. */
  const int32_t* limits;
  /** Tokens begin … end are read; `begin` is a multiple of the page. */
  int begin, end;
  /** [rows][d] sums that are not yet divided, and for each row their greatest exponent (base 2) and their weight. */
  float* out;
  float* most;
  float* weight;
};

/** The kernels of one instruction set. */
struct KernelSet {
  const char* name;
  /** Whether this processor has it. */
  bool (*supported)();
  int panel;
  int rows;
  bool offset;

  void (*f32)(int rows, int64_t k, const float* w, const float* a, float* c, int64_t ldc);
  void (*bf16)(int rows, int64_t k, const uint32_t* w, const uint32_t* a, float* c, int64_t ldc);
  void (*int8)(int rows, int64_t k, const uint32_t* w, const uint32_t* a, int32_t* c, int64_t ldc);
  void (*int4)(int rows, int64_t k, const char* w, const IntActivations& a, float* c, int64_t ldc);
  void (*attend)(const Attention& attention);

  double (*read)(const float* from, int64_t count);
  void (*write)(float* to, int64_t count, float value);
  void (*copy)(float* to, const float* from, int64_t count);
  void (*triad)(float* to, const float* from, const float* other, float scale, int64_t count);
  /** Past the caches where the instruction set can. */
  void (*stream)(float* to, const float* from, int64_t count);
};

/** The set whose kernels lie in the namespace `set`. */
#define CALIB_KERNEL_SET_OF(set)                                                                                                   \
  {set::kName, set::supported, 2 * set::kLanes, set::kRows, set::kOffset, set::f32, set::bf16, set::int8, set::int4, set::attend, \
   set::read, set::write, set::copy, set::triad, set::stream}

extern const KernelSet generic;
#if defined(__x86_64__)
extern const KernelSet avx2, avx512;
#elif defined(__aarch64__)
extern const KernelSet neon, neonDot;
#endif

/** The best set that this processor has. */
const KernelSet& bestKernels();

/** The set of that name; throws Fault UnsupportedArch naming those that this processor has. `CALIB_ISA` of the environment names one for `bestKernels`. */
const KernelSet& kernelsNamed(const char* name);

/** Names of the sets that this processor has, best first. */
std::vector<const KernelSet*> supportedKernels();

inline uint16_t toBf16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

inline float fromBf16(uint16_t value) {
  const uint32_t bits = static_cast<uint32_t>(value) << 16;
  float out;
  std::memcpy(&out, &bits, 4);
  return out;
}

inline uint32_t bf16Pair(float low, float high) { return toBf16(low) | static_cast<uint32_t>(toBf16(high)) << 16; }

}  // namespace calib::cpu
