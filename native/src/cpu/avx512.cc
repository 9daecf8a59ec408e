// x86 with AVX-512, its bf16 and its VNNI: Cooper Lake (2020), Zen 4 (2022), Sapphire Rapids (2023) and later.
#if defined(__x86_64__)
#include <immintrin.h>

#include <type_traits>

#include "kernels.h"
#include "target.h"

namespace calib::cpu {
namespace avx512_set {

constexpr const char* kName = "avx512";
constexpr int kBytes = 64, kRows = 12, kAttendRows = 8;
constexpr bool kOffset = true;

static bool supported() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bf16") && __builtin_cpu_supports("avx512vnni");
}

CALIB_TARGET_BEGIN("avx512f,avx512bw,avx512vl,avx512dq,avx512bf16,avx512vnni,avx2,fma")
#include "vectors.inc"

CALIB_INLINE F dot2(F sum, I w, uint32_t a) {
  return (F)_mm512_dpbf16_ps((__m512)sum, (__m512bh)w, (__m512bh)_mm512_set1_epi32((int32_t)a));
}
CALIB_INLINE I dot4(I sum, I w, uint32_t a) {
  return (I)_mm512_dpbusd_epi32((__m512i)sum, _mm512_set1_epi32((int32_t)a), (__m512i)w);
}
CALIB_INLINE I dot4Small(I sum, I w, uint32_t a) {
  return (I)_mm512_dpbusd_epi32((__m512i)sum, (__m512i)w, _mm512_set1_epi32((int32_t)a));
}
CALIB_INLINE void streamV(void* to, I v) { _mm512_stream_si512((__m512i*)to, (__m512i)v); }
CALIB_INLINE void streamEnd() { _mm_sfence(); }

#include "kernels.inc"
CALIB_TARGET_END

}  // namespace avx512_set

const KernelSet avx512 = CALIB_KERNEL_SET_OF(avx512_set);

}  // namespace calib::cpu
#endif
