#include "nvml.h"

#include <dlfcn.h>

namespace calib::cuda {

namespace {
constexpr int kClockSm = 1, kClockMemory = 2;  // nvmlClockType_t

template <class Signature>
Signature* symbol(void* library, const char* name) {
  return reinterpret_cast<Signature*>(dlsym(library, name));
}

/** Calls a getter of one value; whether it answered. */
template <class... Types, class... Values>
bool ask(void* library, const char* name, int (*)(Types...), Values... values) {
  const auto getter = symbol<int(Types...)>(library, name);
  return getter && getter(values...) == 0;
}
#define SIGNATURE(...) static_cast<int (*)(__VA_ARGS__)>(nullptr)
}  // namespace

Nvml::Nvml(const std::string& pciBusId) {
  void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  const auto start = symbol<int()>(library, "nvmlInit_v2");
  if (!start || start() != 0) return;
  library_ = library;
  void* device = nullptr;
  if (ask(library, "nvmlDeviceGetHandleByPciBusId_v2", SIGNATURE(const char*, void**), pciBusId.c_str(), &device)) device_ = device;
}

Nvml::~Nvml() {
  if (!library_) return;
  if (const auto stop = symbol<int()>(library_, "nvmlShutdown")) stop();
}

Health Nvml::health() const {
  Health health;
  if (!device_) return health;
  unsigned value = 0;
  if (ask(library_, "nvmlDeviceGetClockInfo", SIGNATURE(void*, int, unsigned*), device_, kClockSm, &value)) health.smMHz = static_cast<int>(value);
  if (ask(library_, "nvmlDeviceGetClockInfo", SIGNATURE(void*, int, unsigned*), device_, kClockMemory, &value))
    health.memoryMHz = static_cast<int>(value);
  if (ask(library_, "nvmlDeviceGetPowerUsage", SIGNATURE(void*, unsigned*), device_, &value)) health.watts = value / 1000.0;
  if (ask(library_, "nvmlDeviceGetTemperature", SIGNATURE(void*, int, unsigned*), device_, 0, &value)) health.celsius = static_cast<int>(value);
  unsigned long long reasons = 0;
  if (ask(library_, "nvmlDeviceGetCurrentClocksThrottleReasons", SIGNATURE(void*, unsigned long long*), device_, &reasons))
    health.throttle = reasons;
  return health;
}

std::string Nvml::driverVersion() const {
  char text[96] = "";
  if (library_ && ask(library_, "nvmlSystemGetDriverVersion", SIGNATURE(char*, unsigned), text, static_cast<unsigned>(sizeof text))) return text;
  return "";
}

void Nvml::pcie(unsigned* generation, unsigned* width) const {
  *generation = *width = 0;
  if (!device_) return;
  ask(library_, "nvmlDeviceGetCurrPcieLinkGeneration", SIGNATURE(void*, unsigned*), device_, generation);
  ask(library_, "nvmlDeviceGetCurrPcieLinkWidth", SIGNATURE(void*, unsigned*), device_, width);
}

}  // namespace calib::cuda
