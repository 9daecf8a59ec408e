#include <cstdlib>
#include <string>

#include "../core/errors.h"
#include "kernels.h"

namespace calib::cpu {

std::vector<const KernelSet*> supportedKernels() {
  // Best first.
  static const KernelSet* const all[] = {
#if defined(__x86_64__)
      &avx512, &avx2,
#elif defined(__aarch64__)
      &neonDot, &neon,
#endif
      &generic};
  std::vector<const KernelSet*> found;
  for (const KernelSet* set : all)
    if (set->supported()) found.push_back(set);
  return found;
}

const KernelSet& kernelsNamed(const char* name) {
  std::string known;
  for (const KernelSet* set : supportedKernels()) {
    if (std::strcmp(set->name, name) == 0) return *set;
    known += (known.empty() ? "" : ", ") + std::string(set->name);
  }
  throw Fault(Code::UnsupportedArch, "CALIB_ISA: this processor has no \"" + std::string(name) + "\"; it has " + known);
}

const KernelSet& bestKernels() {
  const char* forced = std::getenv("CALIB_ISA");
  return forced == nullptr ? *supportedKernels().front() : kernelsNamed(forced);
}

}  // namespace calib::cpu
