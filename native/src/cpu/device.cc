#include "device.h"

#include <algorithm>
#include <cmath>

namespace calib {
namespace cpu {

CpuDevice::CpuDevice(const Options& options)
    : tiny_(options.plan == Plan::tiny),
      machine_(probeMachine()),
      kernels_(bestKernels()),
      pool_(options.threads > 0 ? std::min(options.threads, machine_.processors) : machine_.processors) {
  const int64_t wanted = tiny_ ? 16 << 20 : std::max<int64_t>(256 << 20, 4 * machine_.llc);
  arenaBytes_ = std::min({wanted, static_cast<int64_t>(1) << 30, memoryBudget(machine_) / 2}) & ~static_cast<int64_t>((2 << 20) - 1);
  if (arenaBytes_ < 4 << 20) throw Fault(Code::OutOfMemory, "less than 16 MiB of memory are free; a quarter of it is what measuring takes");
  for (const char* name : {"mem.read", "mem.write", "mem.copy", "mem.triad"}) ops_.push_back(memoryOp(*this, name));
  ops_.push_back(latencyOp(*this));
  for (const char* name : {"copy.pageable", "copy.locked", "copy.streamed"}) ops_.push_back(copyOp(*this, name));
  ops_.push_back(gemmOp(*this));
  ops_.push_back(decodeOp(*this));
  ops_.push_back(prefillOp(*this));
}

void CpuDevice::describe(Json* env) const {
  std::string names = "[";
  for (const KernelSet* set : supportedKernels()) names += (names.size() > 1 ? "," : "") + quoted(set->name);
  env->add("kernels", kernels_.name).raw("kernelsHere", names + "]").add("threads", pool_.size()).add("arena", arenaBytes_);
  env->add("pinning", "none");
}

std::vector<Point> CpuDevice::anchors() const {
  const int64_t triad = std::min<int64_t>(tiny_ ? 1 << 20 : 256 << 20, arenaBytes_ / 2), side = tiny_ ? 256 : 1024;
  return {{"mem.triad", "", {{"bytes", triad}}, pool_.size()}, {"gemm", "fp32", {{"m", tiny_ ? 4 : 64}, {"n", side}, {"k", side}}, pool_.size()}};
}

namespace {
const Buffer& filled(Buffer* buffer, int64_t bytes, Pool& pool, uint64_t seed) {
  if (buffer->size() == 0) {
    Buffer made(static_cast<size_t>(bytes));
    made.fillNumbers(pool, seed);
    *buffer = std::move(made);
  }
  return *buffer;
}
}  // namespace

const Buffer& CpuDevice::arena() { return filled(&arena_, arenaBytes_, pool_, 1); }
const Buffer& CpuDevice::scratch() { return filled(&scratch_, arenaBytes_, pool_, 2); }

int CpuDevice::threadsOf(const Point& point) const { return point.threads == 0 ? pool_.size() : std::min(point.threads, pool_.size()); }

void Checks::pass(const char* op, const std::string& dtype, const KernelSet& kernels,
                  Check (*check)(const KernelSet&, Pool&, const std::string&), Pool& pool, const Run& run) {
  const std::string name = std::string(op) + " " + dtype;
  const auto found = done_.find(name);
  if (found == done_.end()) {
    const Check got = check(kernels, pool, dtype);
    const bool ok = got.error <= got.tolerance;
    Json line;
    line.add("v", 1).add("kind", "check").add("op", op).add("dtype", dtype).add("impl", kernels.name);
    run.write(line.add("error", got.error).add("tolerance", got.tolerance).add("ok", ok).text());
    done_[name] = ok;
  }
  if (!done_[name]) throw Fault(Code::WrongResult, name + " of " + kernels.name + " differs from its reference; it is not timed");
}

double relativeError(const std::vector<double>& wanted, const float* got) {
  double most = 0, worst = 0;
  for (size_t i = 0; i < wanted.size(); i++) {
    if (!std::isfinite(got[i])) return INFINITY;
    most = std::max(most, std::abs(wanted[i]));
    worst = std::max(worst, std::abs(got[i] - wanted[i]));
  }
  return worst / most;
}

}  // namespace cpu

extern const DeviceClass cpuDevices;
const DeviceClass cpuDevices = {"cpu", "the processors and memory of this machine", [](const std::string&, const Options& options) -> std::unique_ptr<Device> {
                                  return std::make_unique<cpu::CpuDevice>(options);
                                }};

}  // namespace calib
