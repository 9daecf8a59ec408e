#include "device.h"

namespace calib {

extern const DeviceClass cpuDevices, storageDevices, cudaDevices, metalDevices;

// One line for each class of devices; its file defines it.
const std::vector<const DeviceClass*>& deviceClasses() {
  static const std::vector<const DeviceClass*> classes = {
      &cpuDevices,
      &storageDevices,
#if defined(__linux__)
      &cudaDevices,
#endif
#if defined(__APPLE__)
      &metalDevices,
#endif
  };
  return classes;
}

std::unique_ptr<Device> openDevice(const Options& options) {
  const size_t colon = options.device.find(':');
  const std::string name = options.device.substr(0, colon);
  const std::string id = colon == std::string::npos ? "" : options.device.substr(colon + 1);
  std::string known;
  for (const DeviceClass* each : deviceClasses()) {
    if (name == each->name) return each->open(id, options);
    known += (known.empty() ? "" : ", ") + std::string(each->name);
  }
  throw Fault(Code::NoDevice, "no devices of the class \"" + name + "\" in this build; it has " + known);
}

}  // namespace calib
