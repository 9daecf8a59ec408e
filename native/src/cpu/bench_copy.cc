// Copies of one thread between buffers of their own: pageable, locked into memory, and past the caches.
#include <algorithm>

#include "device.h"

namespace calib::cpu {

namespace {
class CopyOp : public Op {
 public:
  CopyOp(CpuDevice& device, const char* name) : device_(device), name_(name) {}
  const char* name() const override { return name_; }

  std::vector<Point> points(Plan plan) const override {
    std::vector<Point> found;
    const int64_t most = plan == Plan::tiny ? 64 << 10 : std::min<int64_t>(256 << 20, device_.arenaBytes() / 2);
    if (plan == Plan::quick) return found;
    for (int64_t bytes = 4 << 10; bytes <= most; bytes *= 4) found.push_back({name_, "", {{"bytes", bytes}}, 1, 2, 0.02 + 4e-9 * static_cast<double>(bytes)});
    return found;
  }

  Sample measure(const Point& point, const Run& run) override {
    const int64_t bytes = point.at("bytes") & ~int64_t{63};
    if (bytes == 0) throw Fault(Code::Usage, point.text() + ": bytes are at least 64");
    Buffer from(static_cast<size_t>(bytes)), to(static_cast<size_t>(bytes));
    from.fillNumbers(device_.pool(), 2);
    to.fillNumbers(device_.pool(), 3);
    const bool streamed = name_[5] == 's';
    if (name_[5] == 'l' && !(from.lock() && to.lock()))
      throw Fault(Code::MemlockLimit, std::to_string(2 * bytes >> 10) + " KiB could not be locked; raise the limit (ulimit -l)");
    const KernelSet& kernels = device_.kernels();
    const Body body = [&](const Worker&, int64_t) {
      if (streamed) kernels.stream(to.as<float>(), from.as<float>(), bytes / 4);
      else std::memcpy(to.as(), from.as(), static_cast<size_t>(bytes));
    };
    Sample sample;
    sample.impl = streamed ? kernels.name : "memcpy";
    sample.timing = calib::sample(device_.pool(), 1, body, run.cancelled, run.rules);
    if (std::memcmp(from.as(), to.as(), static_cast<size_t>(bytes)) != 0) throw Fault(Code::WrongResult, point.text() + ": the copy differs");
    sample.bytes = 2.0 * static_cast<double>(bytes);
    return sample;
  }

 private:
  CpuDevice& device_;
  const char* name_;
};
}  // namespace

std::unique_ptr<Op> copyOp(CpuDevice& device, const char* name) { return std::make_unique<CopyOp>(device, name); }

}  // namespace calib::cpu
