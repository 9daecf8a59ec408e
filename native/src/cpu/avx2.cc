// x86 with AVX2 and FMA: Haswell (2013), Zen (2017) and later.
#if defined(__x86_64__)
#include <immintrin.h>

#include <type_traits>

#include "kernels.h"
#include "target.h"

namespace calib::cpu {
namespace avx2_set {

constexpr const char* kName = "avx2";
constexpr int kBytes = 32, kRows = 4, kAttendRows = 4;
constexpr bool kOffset = false;

static bool supported() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

CALIB_TARGET_BEGIN("avx2,fma")
#include "vectors.inc"

CALIB_INLINE F dot2(F sum, I w, uint32_t a) { return dot2Plain(sum, w, a); }

/** Bytes are widened to 16 bits, even and odd apart: vpmaddubsw would saturate. */
CALIB_INLINE I dot4(I sum, I w, uint32_t a) {
  const __m256i words = (__m256i)w, factors = _mm256_set1_epi32((int32_t)a);
  const __m256i even = _mm256_madd_epi16(_mm256_srai_epi16(_mm256_slli_epi16(words, 8), 8), _mm256_srai_epi16(_mm256_slli_epi16(factors, 8), 8));
  const __m256i odd = _mm256_madd_epi16(_mm256_srai_epi16(words, 8), _mm256_srai_epi16(factors, 8));
  return sum + (I)_mm256_add_epi32(even, odd);
}

/** 15 · 127 · 2 fits into 16 bits, so here vpmaddubsw does not saturate. */
CALIB_INLINE I dot4Small(I sum, I w, uint32_t a) {
  const __m256i pairs = _mm256_maddubs_epi16((__m256i)w, _mm256_set1_epi32((int32_t)a));
  return sum + (I)_mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
}

CALIB_INLINE void streamV(void* to, I v) { _mm256_stream_si256((__m256i*)to, (__m256i)v); }
CALIB_INLINE void streamEnd() { _mm_sfence(); }

#include "kernels.inc"
CALIB_TARGET_END

}  // namespace avx2_set

const KernelSet avx2 = CALIB_KERNEL_SET_OF(avx2_set);

}  // namespace calib::cpu
#endif
