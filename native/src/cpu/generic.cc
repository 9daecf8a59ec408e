// Any processor: vectors of 16 bytes, which every compiler turns into what there is.
#include <type_traits>

#include "kernels.h"

namespace calib::cpu {
namespace generic_set {

constexpr const char* kName = "generic";
constexpr int kBytes = 16, kRows = 4, kAttendRows = 2;
constexpr bool kOffset = false;
#include "vectors.inc"

static bool supported() { return true; }

CALIB_INLINE F dot2(F sum, I w, uint32_t a) { return dot2Plain(sum, w, a); }

/** Four products of signed bytes a lane. */
CALIB_INLINE I dot4(I sum, I w, uint32_t a) {
  for (int shift = 0; shift < 32; shift += 8) {
    const int32_t factor = (int32_t)(a << (24 - shift)) >> 24;
    sum += ((I)((U)w << (24 - shift)) >> 24) * splat(factor);
  }
  return sum;
}
CALIB_INLINE I dot4Small(I sum, I w, uint32_t a) { return dot4(sum, w, a); }
CALIB_INLINE void streamV(void* to, I v) { storeV(to, v); }
CALIB_INLINE void streamEnd() {}

#include "kernels.inc"

}  // namespace generic_set

const KernelSet generic = CALIB_KERNEL_SET_OF(generic_set);

}  // namespace calib::cpu
