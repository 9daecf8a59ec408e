#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "../core/buffers.h"
#include "../core/device.h"
#include "../core/sampler.h"
#include "kernels.h"

namespace calib::cpu {

/** The processors of this machine, with the memory that they are measured on. */
class CpuDevice : public Device {
 public:
  explicit CpuDevice(const Options& options);
  void describe(Json* env) const override;
  const std::vector<std::unique_ptr<Op>>& ops() const override { return ops_; }
  std::vector<Point> anchors() const override;

  const KernelSet& kernels() const { return kernels_; }
  const Machine& machine() const { return machine_; }
  Pool& pool() { return pool_; }
  int threads() const { return pool_.size(); }
  /** Bytes of the arena: four times the last-level cache, 1 GiB at most, an eighth of the free memory at most (there may be two). */
  int64_t arenaBytes() const { return arenaBytes_; }
  /** Random numbers that operands are windows of, moved on with every call so that no cache holds them; made at the first call. */
  const Buffer& arena();
  /** As large as the arena, for kernels that write. */
  const Buffer& scratch();
  /** Threads of a point: as it says, or all. */
  int threadsOf(const Point& point) const;

 private:
  const bool tiny_;
  const Machine machine_;
  const KernelSet& kernels_;
  Pool pool_;
  int64_t arenaBytes_;
  Buffer arena_, scratch_;
  std::vector<std::unique_ptr<Op>> ops_;
};

/** The error of a kernel against its reference in double precision, and how large it may be. */
struct Check {
  double error;
  double tolerance;
};

/** Checks each kernel once before it is first timed, and writes a `check` line. */
class Checks {
 public:
  /** Throws Fault WrongResult when `check` found, now or before, that `name` is wrong. */
  void pass(const char* op, const std::string& dtype, const KernelSet& kernels, Check (*check)(const KernelSet&, Pool&, const std::string& dtype),
            Pool& pool, const Run& run);

 private:
  std::map<std::string, bool> done_;
};

/** Greatest |got − wanted| over the greatest |wanted|; infinite when anything is not a number. */
double relativeError(const std::vector<double>& wanted, const float* got);

std::unique_ptr<Op> memoryOp(CpuDevice& device, const char* name);
std::unique_ptr<Op> latencyOp(CpuDevice& device);
std::unique_ptr<Op> copyOp(CpuDevice& device, const char* name);
std::unique_ptr<Op> gemmOp(CpuDevice& device);
std::unique_ptr<Op> decodeOp(CpuDevice& device);
std::unique_ptr<Op> prefillOp(CpuDevice& device);

}  // namespace calib::cpu
