#include "driver.h"

#include <dlfcn.h>

#include "../core/errors.h"

namespace calib::cuda {

namespace {

constexpr int kOldest = 11000;  // CUDA 11.0 (R450): the first that takes PTX 7.0 and sm_80

void* openLibrary() {
  // The loader's own search first; then where container runtimes and WSL put the driver.
  std::string tried;
  for (const char* place : {"libcuda.so.1", "/usr/local/nvidia/lib64/libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1"}) {
    if (void* library = dlopen(place, RTLD_NOW | RTLD_LOCAL)) return library;
    if (tried.empty()) tried = dlerror();
  }
  throw Fault(Code::NoCudaDriver, "no CUDA driver: " + tried + " (install NVIDIA's driver, or give the container the GPU)");
}

const char* firstMissing(void* library, Driver& driver) {
#define X(symbol, member, parameters)                                                 \
  driver.member = reinterpret_cast<decltype(driver.member)>(dlsym(library, #symbol)); \
  if (!driver.member) return #symbol;
  CALIB_CUDA_SYMBOLS(X)
#undef X
  return nullptr;
}

std::string dotted(int version) { return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10); }

void initialise(const Driver& driver) {
  if (const int status = driver.init(0)) {
    const std::string name = statusName(driver, status);
    if (status == kNoDevice) throw Fault(Code::NoDevice, "the CUDA driver finds no device (" + name + "; is CUDA_VISIBLE_DEVICES empty?)");
    throw Fault(Code::NoCudaDriver, "the CUDA driver does not start: " + name + " (are the kernel module and the library of one version?)");
  }
  int count = 0;
  if (driver.deviceCount(&count) != kSuccess || count == 0) throw Fault(Code::NoDevice, "the CUDA driver is there and lists no device");
}

}  // namespace

std::string statusName(const Driver& driver, int status) {
  const char* name = nullptr;
  if (driver.errorName && driver.errorName(status, &name) == kSuccess && name) return name;
  return "CUDA error " + std::to_string(status);
}

Driver loadDriver() {
  Driver driver;
  void* library = openLibrary();
  // The version first: a driver too old lacks symbols, and its age is the better answer.
  const auto version = reinterpret_cast<int (*)(int*)>(dlsym(library, "cuDriverGetVersion"));
  if (!version || version(&driver.version) != kSuccess) throw Fault(Code::NoCudaDriver, "libcuda.so.1 does not tell its version");
  if (driver.version < kOldest)
    throw Fault(Code::DriverTooOld, "the driver runs CUDA " + dotted(driver.version) + "; the kernels need 11.0 (R450) or newer: update it");
  if (const char* missing = firstMissing(library, driver))
    throw Fault(Code::DriverTooOld, "the driver (CUDA " + dotted(driver.version) + ") lacks " + missing + ": update it");
  initialise(driver);
  return driver;
}

}  // namespace calib::cuda
