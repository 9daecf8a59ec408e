// A fake libnvidia-ml for tests: a GPU at 1,400 MHz and 55 °C. FAKE_NVML=hot: hardware thermal slowdown is reported.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define API extern "C" __attribute__((visibility("default"))) int

static int device;
API nvmlInit_v2() { return 0; }
API nvmlShutdown() { return 0; }
API nvmlDeviceGetHandleByPciBusId_v2(const char* id, void** handle) { return *handle = &device, std::strcmp(id, "0000:00:00.0") == 0 ? 0 : 6; }
API nvmlDeviceGetClockInfo(void*, int type, unsigned* mhz) { return *mhz = type == 1 ? 1400 : 1593, 0; }
API nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) { return *milliwatts = 123456, 0; }
API nvmlDeviceGetTemperature(void*, int, unsigned* celsius) { return *celsius = 55, 0; }
API nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
  const char* mode = std::getenv("FAKE_NVML");
  // 1 is "idle", which is no reason for concern; 0x40 is hardware thermal slowdown.
  return *reasons = mode && std::strcmp(mode, "hot") == 0 ? 0x41 : 1, 0;
}
API nvmlDeviceGetCurrPcieLinkGeneration(void*, unsigned* generation) { return *generation = 4, 0; }
API nvmlDeviceGetCurrPcieLinkWidth(void*, unsigned* width) { return *width = 16, 0; }
API nvmlSystemGetDriverVersion(char* text, unsigned size) { return std::snprintf(text, size, "580.00 (test double)"), 0; }
