#pragma once
#include <cstdint>
#include <string>

#include "json.h"

namespace calib {

/** What this machine is, as far as it says so itself; 0 and empty where it does not. */
struct Machine {
  std::string cpu, os, kernel, libc, compiler, governor;
  int processors = 0;
  /** Bytes of the caches of one core, and of the last level. */
  int64_t l1 = 0, l2 = 0, llc = 0;
  int64_t memoryTotal = 0, memoryAvailable = 0;
  int numaNodes = 0;
  bool virtualised = false;
};

/** Reads the machine from /proc and /sys, or sysctl on a Mac. */
Machine probeMachine();

/** Bytes that a measurement may take: a quarter of what is free, and of what a cgroup grants. */
int64_t memoryBudget(const Machine& machine);

/** Processors granted by the cgroup's cpu.max; 0 where there is no limit. */
double cgroupProcessors();

/** How busy the machine is: load average, time stolen by the hypervisor, cgroup throttling, involuntary switches of this process. */
Json loadNow();

}  // namespace calib
