// 64-bit ARM: every core has NEON; `neon-dot` also needs the dot products of bytes and of bf16 (Neoverse V1, Apple M2 and later).
#if defined(__aarch64__)
#include <arm_neon.h>

#include <type_traits>

#include "kernels.h"
#include "target.h"

#if defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#elif defined(__APPLE__)
#include <sys/sysctl.h>
#endif

namespace calib::cpu {
namespace neon_set {

constexpr const char* kName = "neon";
static bool supported() { return true; }
#include "neon.inc"

CALIB_INLINE F dot2(F sum, I w, uint32_t a) { return dot2Plain(sum, w, a); }
CALIB_INLINE I dot4(I sum, I w, uint32_t a) {
  const int8x16_t weights = (int8x16_t)w, factors = vreinterpretq_s8_u32(vdupq_n_u32(a));
  const int16x8_t low = vmull_s8(vget_low_s8(weights), vget_low_s8(factors));
  const int16x8_t high = vmull_high_s8(weights, factors);
  return (I)vaddq_s32((int32x4_t)sum, vpaddq_s32(vpaddlq_s16(low), vpaddlq_s16(high)));
}
CALIB_INLINE I dot4Small(I sum, I w, uint32_t a) { return dot4(sum, w, a); }
#include "kernels.inc"

}  // namespace neon_set

const KernelSet neon = CALIB_KERNEL_SET_OF(neon_set);

namespace neon_dot_set {

constexpr const char* kName = "neon-dot";

static bool supported() {
#if defined(__linux__)
#ifndef HWCAP2_BF16
#define HWCAP2_BF16 (1 << 14)
#endif
  return (getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0 && (getauxval(AT_HWCAP2) & HWCAP2_BF16) != 0;
#elif defined(__APPLE__)
  int dot = 0, bf16 = 0;
  size_t size = sizeof dot;
  sysctlbyname("hw.optional.arm.FEAT_DotProd", &dot, &size, nullptr, 0);
  sysctlbyname("hw.optional.arm.FEAT_BF16", &bf16, &size, nullptr, 0);
  return dot == 1 && bf16 == 1;
#else
  return false;
#endif
}

#if defined(__clang__)
CALIB_TARGET_BEGIN("dotprod,bf16")
#else
CALIB_TARGET_BEGIN("arch=armv8.2-a+dotprod+bf16")
#endif
#include "neon.inc"

CALIB_INLINE F dot2(F sum, I w, uint32_t a) {
  return (F)vbfdotq_f32((float32x4_t)sum, (bfloat16x8_t)w, (bfloat16x8_t)vdupq_n_u32(a));
}
CALIB_INLINE I dot4(I sum, I w, uint32_t a) {
  return (I)vdotq_s32((int32x4_t)sum, (int8x16_t)w, vreinterpretq_s8_u32(vdupq_n_u32(a)));
}
CALIB_INLINE I dot4Small(I sum, I w, uint32_t a) { return dot4(sum, w, a); }
#include "kernels.inc"
CALIB_TARGET_END

}  // namespace neon_dot_set

const KernelSet neonDot = CALIB_KERNEL_SET_OF(neon_dot_set);

}  // namespace calib::cpu
#endif
