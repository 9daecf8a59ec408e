// NVIDIA's management library, read only: clocks, power, temperature, throttle reasons. Nothing here sets or resets anything.
#pragma once
#include <cstdint>
#include <string>

namespace calib::cuda {

/** What the GPU says of itself at one moment; −1 where it does not say. */
struct Health {
  int smMHz = -1, memoryMHz = -1, celsius = -1;
  double watts = -1;
  /** Bits of nvmlClocksThrottleReason*. */
  std::uint64_t throttle = 0;
};

/** Reasons that falsify a time: software power cap, hardware slowdown, software and hardware thermal slowdown, power brake. */
constexpr std::uint64_t kThrottled = 0x4 | 0x8 | 0x20 | 0x40 | 0x80;

/** One GPU as NVML knows it; absent NVML is no error, its answers are then −1. */
class Nvml {
 public:
  explicit Nvml(const std::string& pciBusId);
  ~Nvml();
  Nvml(const Nvml&) = delete;
  bool present() const { return device_ != nullptr; }
  Health health() const;
  std::string driverVersion() const;
  /** Generation and width of the PCIe link as it is now; 0 where unknown. */
  void pcie(unsigned* generation, unsigned* width) const;

 private:
  void* library_ = nullptr;
  void* device_ = nullptr;
};

}  // namespace calib::cuda
