#include "probe.h"

#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "pool.h"

#if defined(__APPLE__)
#include <sys/sysctl.h>
#endif
#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif

namespace calib {

namespace {
std::string firstLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/** The number behind `name` in a file of `name: number` or `name number` lines; −1 when it is not there. */
double field(const std::string& path, const std::string& name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, name.size(), name) != 0) continue;
    const size_t at = line.find_first_of("0123456789", name.size());
    if (at != std::string::npos) return std::strtod(line.c_str() + at, nullptr);
  }
  return -1;
}

#if defined(__linux__)
/** `2048K` of sysfs, in bytes. */
int64_t sysfsBytes(const std::string& text) {
  const int64_t value = std::strtoll(text.c_str(), nullptr, 10);
  if (text.find('K') != std::string::npos) return value << 10;
  if (text.find('M') != std::string::npos) return value << 20;
  return value;
}

void probeLinux(Machine* machine) {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    const size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    if (machine->cpu.empty() && line.compare(0, 10, "model name") == 0) machine->cpu = line.substr(colon + 2);
    if (line.compare(0, 5, "flags") == 0 && line.find(" hypervisor") != std::string::npos) machine->virtualised = true;
  }
  for (int i = 0; i < 5; i++) {
    const std::string base = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(i) + "/";
    const std::string level = firstLine(base + "level");
    const int64_t bytes = sysfsBytes(firstLine(base + "size"));
    if (level.empty() || firstLine(base + "type") == "Instruction") continue;
    if (level == "1") machine->l1 = bytes;
    if (level == "2") machine->l2 = bytes;
    machine->llc = std::max(machine->llc, bytes);
  }
  machine->memoryTotal = static_cast<int64_t>(field("/proc/meminfo", "MemTotal") * 1024);
  machine->memoryAvailable = static_cast<int64_t>(field("/proc/meminfo", "MemAvailable") * 1024);
  machine->governor = firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  while (access(("/sys/devices/system/node/node" + std::to_string(machine->numaNodes)).c_str(), F_OK) == 0) machine->numaNodes++;
}
#endif

#if defined(__APPLE__)
int64_t sysctlNumber(const char* name) {
  int64_t value = 0;
  size_t size = sizeof value;
  return sysctlbyname(name, &value, &size, nullptr, 0) == 0 ? value : 0;
}

void probeMac(Machine* machine) {
  char brand[128] = "";
  size_t size = sizeof brand;
  sysctlbyname("machdep.cpu.brand_string", brand, &size, nullptr, 0);
  machine->cpu = brand;
  machine->l1 = sysctlNumber("hw.l1dcachesize");
  machine->l2 = sysctlNumber("hw.l2cachesize");
  machine->llc = std::max(machine->l2, sysctlNumber("hw.l3cachesize"));
  machine->memoryTotal = sysctlNumber("hw.memsize");
  // macOS keeps free memory small on purpose; half of all is what can be had without swapping.
  machine->memoryAvailable = machine->memoryTotal / 2;
  machine->numaNodes = 1;
}
#endif

int64_t cgroupMemory() {
  const std::string limit = firstLine("/sys/fs/cgroup/memory.max");
  if (limit.empty() || limit == "max") return 0;
  const double used = std::strtod(firstLine("/sys/fs/cgroup/memory.current").c_str(), nullptr);
  return std::max<int64_t>(1, static_cast<int64_t>(std::strtod(limit.c_str(), nullptr) - used));
}
}  // namespace

double cgroupProcessors() {
  std::istringstream words(firstLine("/sys/fs/cgroup/cpu.max"));
  double quota = 0, period = 0;
  return words >> quota >> period && period > 0 ? quota / period : 0;
}

Machine probeMachine() {
  Machine machine;
#if defined(__linux__)
  probeLinux(&machine);
#elif defined(__APPLE__)
  probeMac(&machine);
#endif
  utsname system;
  if (uname(&system) == 0) {
    machine.os = system.sysname;
    machine.kernel = system.release;
    if (machine.cpu.empty()) machine.cpu = system.machine;
  }
#if defined(__GLIBC__)
  machine.libc = std::string("glibc ") + gnu_get_libc_version();
#endif
  machine.compiler = __VERSION__;
  machine.processors = usableProcessors();
  if (machine.llc == 0) machine.llc = 32 << 20;
  return machine;
}

int64_t memoryBudget(const Machine& machine) {
  int64_t free = machine.memoryAvailable;
  const int64_t granted = cgroupMemory();
  if (granted > 0) free = std::min(free, granted);
  return free / 4;
}

Json loadNow() {
  double load[1] = {0};
  Json json;
  if (getloadavg(load, 1) == 1) json.add("load", load[0]);
  std::istringstream words(firstLine("/proc/stat"));
  std::string cpu;
  double user, nice, system, idle, iowait, irq, softirq, steal;
  if (words >> cpu >> user >> nice >> system >> idle >> iowait >> irq >> softirq >> steal) {
    const double hertz = static_cast<double>(sysconf(_SC_CLK_TCK));
    json.add("busySeconds", (user + nice + system + irq + softirq) / hertz).add("stealSeconds", steal / hertz);
  }
  const double throttled = field("/sys/fs/cgroup/cpu.stat", "nr_throttled");
  if (throttled >= 0) json.add("throttled", throttled);
  rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) == 0) json.add("involuntarySwitches", static_cast<int64_t>(usage.ru_nivcsw));
  return json;
}

}  // namespace calib
