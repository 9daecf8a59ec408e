// Memory: streams over working sets from a cache to beyond the last one, and the latency of a dependent read.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "device.h"

namespace calib::cpu {

namespace {
/** Sizes from 16 KiB to `most` in steps of `factor`; with `halfway`, those between them too, in whole pages. */
std::vector<int64_t> sizes(int64_t most, int factor, bool halfway = false) {
  std::vector<int64_t> found;
  for (int64_t size = 16 << 10; size <= most; size *= factor) {
    found.push_back(size);
    const int64_t between = static_cast<int64_t>(static_cast<double>(size) * std::sqrt(factor)) >> 12 << 12;
    if (halfway && between <= most) found.push_back(between);
  }
  return found;
}

/** A kernel that streams; `bytes` of its shape are those of all its arrays together. */
class MemoryOp : public Op {
 public:
  MemoryOp(CpuDevice& device, const char* name) : device_(device), name_(name), kind_(name[4]) {}
  const char* name() const override { return name_; }

  std::vector<Point> points(Plan plan) const override {
    if (plan == Plan::tiny) return {point(64 << 10, device_.threads(), 0), point(4 << 20, device_.threads(), 0)};
    std::vector<int> threads = {device_.threads()};
    if (plan == Plan::full)
      for (const int count : {1, device_.threads() / 2})
        if (count >= 1 && std::find(threads.begin(), threads.end(), count) == threads.end()) threads.push_back(count);
    std::vector<Point> found;
    // On all threads the steps are fine: time over size bends at each cache.
    for (const int count : threads) {
      const std::vector<int64_t> all = sizes(device_.arenaBytes(), plan == Plan::full ? 2 : 8, plan == Plan::full && count == device_.threads());
      for (const int64_t size : all) found.push_back(point(size, count, priorityOf(size == all.back(), count)));
    }
    return found;
  }

  Sample measure(const Point& point, const Run& run) override {
    const int64_t bytes = point.at("bytes");
    if (bytes < 4096 || bytes > device_.arenaBytes())
      throw Fault(Code::OutOfMemory, name_ + (": " + std::to_string(bytes)) + " bytes are not within 4096 and " + std::to_string(device_.arenaBytes()));
    float* const data = device_.scratch().as<float>();
    const int arrays = kind_ == 't' ? 3 : kind_ == 'c' ? 2 : 1;
    const int64_t count = bytes / arrays / 64 * 16;
    float* const other = data + count;
    float* const third = other + count;
    const KernelSet& kernels = device_.kernels();
    Sample sample;
    sample.impl = kernels.name;
    sample.bytes = static_cast<double>(count * arrays * 4);
    sample.flops = kind_ == 't' ? 2.0 * static_cast<double>(count) : 0;
    std::vector<double> sums(static_cast<size_t>(device_.threads()) * 8, 0);
    const Body body = [&, kind = kind_](const Worker& worker, int64_t) {
      int64_t begin, end;
      worker.part(count, 16, &begin, &end);
      switch (kind) {
        case 'r': sums[static_cast<size_t>(worker.index) * 8] += kernels.read(data + begin, end - begin); break;
        case 'w': kernels.write(data + begin, end - begin, 1.5f); break;
        case 'c': kernels.copy(data + begin, other + begin, end - begin); break;
        default: kernels.triad(data + begin, other + begin, third + begin, 0.25f, end - begin);
      }
    };
    sample.timing = calib::sample(device_.pool(), device_.threadsOf(point), body, run.cancelled, run.rules);
    // The sums are used, so that reading cannot be left out.
    if (std::accumulate(sums.begin(), sums.end(), 0.0) == 0.125) sample.rotation = 0;
    return sample;
  }

 private:
  Point point(int64_t bytes, int threads, int priority) const {
    return {name_, "", {{"bytes", bytes}}, threads, priority, 0.02 + std::min(1.7, 1e-9 * static_cast<double>(bytes))};
  }

  /** Nothing can be said of a machine whose memory was not read. */
  int priorityOf(bool largest, int threads) const {
    if (threads != device_.threads()) return 3;
    return !largest ? 1 : kind_ == 'r' ? -1 : 0;
  }

  CpuDevice& device_;
  const char* name_;
  /** r, w, c or t. */
  const char kind_;
};

/** Reads that each depend on the one before, in a random circle through all cache lines of a working set. */
class LatencyOp : public Op {
 public:
  explicit LatencyOp(CpuDevice& device) : device_(device) {}
  const char* name() const override { return "mem.latency"; }

  std::vector<Point> points(Plan plan) const override {
    std::vector<Point> found;
    for (const int64_t bytes : {16ll << 10, 256ll << 10, 4ll << 20, 64ll << 20, 512ll << 20}) {
      if (bytes > device_.arenaBytes() || (plan == Plan::tiny && bytes > 256 << 10)) continue;
      if (plan == Plan::quick && bytes != 64 << 20) continue;
      found.push_back({name(), "", {{"bytes", bytes}}, 1, 1, 0.05 + 4e-9 * static_cast<double>(bytes)});
    }
    return found;
  }

  Sample measure(const Point& point, const Run& run) override {
    constexpr int64_t kLine = 64, kSteps = 4096;
    const int64_t lines = point.at("bytes") / kLine;
    if (lines < 2 || lines > UINT32_MAX) throw Fault(Code::OutOfMemory, "mem.latency: bytes are between 128 and 256 GiB");
    const Buffer buffer(static_cast<size_t>(lines * kLine));
    // One circle through all lines (Sattolo, 1986).
    std::vector<uint32_t> order(static_cast<size_t>(lines));
    std::iota(order.begin(), order.end(), 0u);
    Random random(7);
    for (size_t i = order.size() - 1; i > 0; i--) std::swap(order[i], order[random.below(i)]);
    char* const data = buffer.as<char>();
    for (size_t i = 0; i < order.size(); i++) {
      const uint64_t next = order[i];
      std::memcpy(data + static_cast<int64_t>(i) * kLine, &next, 8);
    }
    uint64_t at = 0;
    const Body body = [&](const Worker&, int64_t) {
      uint64_t line = at;
      for (int64_t i = 0; i < kSteps; i++) std::memcpy(&line, data + static_cast<int64_t>(line) * kLine, 8);
      at = line;
    };
    Sample sample;
    sample.impl = "chase";
    sample.timing = calib::sample(device_.pool(), 1, body, run.cancelled, run.rules);
    for (double* seconds : {&sample.timing.min, &sample.timing.p25, &sample.timing.p50, &sample.timing.p90}) *seconds /= kSteps;
    sample.bytes = kLine;
    return sample;
  }

 private:
  CpuDevice& device_;
};
}  // namespace

std::unique_ptr<Op> memoryOp(CpuDevice& device, const char* name) { return std::make_unique<MemoryOp>(device, name); }
std::unique_ptr<Op> latencyOp(CpuDevice& device) { return std::make_unique<LatencyOp>(device); }

}  // namespace calib::cpu
