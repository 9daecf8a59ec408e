// The link to the host: pinned and pageable memory, each way and both at once. Host memory is taken on the GPU's own NUMA node where known.
#include "../numa.h"
#include "ops.h"

namespace calib::cuda {

namespace {

/** Pinned host memory, freed at the end of its scope. */
class Pinned {
 public:
  Pinned(Gpu& gpu, size_t bytes) : gpu_(gpu) { gpu.check(gpu.driver().allocateHost(&data_, bytes, 0), "pin memory"); }
  ~Pinned() { gpu_.driver().releaseHost(data_); }
  Pinned(const Pinned&) = delete;
  void* data() const { return data_; }

 private:
  Gpu& gpu_;
  void* data_ = nullptr;
};

class LinkOp : public GpuOp {
 public:
  LinkOp(Gpu& gpu, const char* name, bool in, bool out, bool pinned) : GpuOp(gpu, name), in_(in), out_(out), pinned_(pinned) {}

  std::vector<Point> points(Plan plan) const override {
    if (plan == Plan::tiny) return {{name_, "", {{"bytes", 16 << 10}}}};
    const std::int64_t from = plan == Plan::quick ? 1 << 20 : 4 << 10, to = plan == Plan::quick ? 64 << 20 : 256 << 20;
    std::vector<Point> points;
    for (const std::int64_t bytes : sizesWithin(gpu_, from, to, 2)) points.push_back({name_, "", {{"bytes", bytes}}, 0, 0, 0.3});
    return points;
  }

  Sample measure(const Point& point, const Run& run) override {
    const auto bytes = static_cast<size_t>(point.at("bytes"));
    const OnNode home(gpu_.numaNode());
    Memory onGpu(gpu_, 2 * bytes);
    std::unique_ptr<Pinned> pinned;
    std::vector<char> pageable;
    char* host;
    if (pinned_) pinned = std::make_unique<Pinned>(gpu_, 2 * bytes), host = static_cast<char*>(pinned->data());
    else pageable.resize(2 * bytes), host = pageable.data();
    for (size_t i = 0; i < 2 * bytes; i += 8) {
      const std::uint64_t word = mixed(i);
      std::memcpy(host + i, &word, std::min<size_t>(8, 2 * bytes - i));
    }
    verify(onGpu, host, bytes);
    passed(run, point, pinned_ ? "pinned" : "pageable");
    Sample sample = in_ && out_ ? both(run, onGpu, host, bytes) : gpu_.time(run, [&](std::int64_t) { copy(onGpu, host, bytes); }, pinned_);
    sample.bytes = static_cast<double>(bytes) * (in_ && out_ ? 2 : 1);
    sample.impl = pinned_ ? "pinned" : "pageable";
    sample.extras.push_back({"numaNode", static_cast<double>(gpu_.numaNode())});
    return sample;
  }

 private:
  void copy(const Memory& onGpu, char* host, size_t bytes) {
    if (in_) gpu_.check(gpu_.driver().copyInAsync(onGpu.at(), host, bytes, gpu_.stream()), "copy to the GPU");
    else gpu_.check(gpu_.driver().copyOutAsync(host + bytes, onGpu.at(bytes), bytes, gpu_.stream()), "copy from the GPU");
  }

  /** The way out runs on a stream of its own, forked from and joined to the bench's by events. */
  Sample both(const Run& run, const Memory& onGpu, char* host, size_t bytes) {
    const Driver& driver = gpu_.driver();
    Stream other = nullptr;
    Event fork = nullptr, join = nullptr;
    gpu_.check(driver.createStream(&other, kNonBlocking), "make a stream");
    gpu_.check(driver.createEvent(&fork, 0), "make an event");
    gpu_.check(driver.createEvent(&join, 0), "make an event");
    Sample sample;
    const auto free = [&] {
      gpu_.driver().synchronize();
      driver.destroyEvent(fork);
      driver.destroyEvent(join);
      driver.destroyStream(other);
    };
    try {
      sample = gpu_.time(run, [&](std::int64_t) {
        gpu_.check(driver.recordEvent(fork, gpu_.stream()), "record an event");
        gpu_.check(driver.waitEvent(other, fork, 0), "wait for an event");
        gpu_.check(driver.copyInAsync(onGpu.at(), host, bytes, gpu_.stream()), "copy to the GPU");
        gpu_.check(driver.copyOutAsync(host + bytes, onGpu.at(bytes), bytes, other), "copy from the GPU");
        gpu_.check(driver.recordEvent(join, other), "record an event");
        gpu_.check(driver.waitEvent(gpu_.stream(), join, 0), "wait for an event");
      });
    } catch (...) {
      free();
      throw;
    }
    free();
    return sample;
  }

  /** In by the first half, out from it into the second: what comes back must be what went. */
  void verify(const Memory& onGpu, char* host, size_t bytes) {
    const std::vector<char> sent(host, host + bytes);
    gpu_.check(gpu_.driver().copyInAsync(onGpu.at(), host, bytes, gpu_.stream()), "copy to the GPU");
    gpu_.check(gpu_.driver().copyOutAsync(host + bytes, onGpu.at(), bytes, gpu_.stream()), "copy from the GPU");
    gpu_.finish();
    if (std::memcmp(sent.data(), host + bytes, bytes) != 0) throw Fault(Code::WrongResult, name_ + ": what came back is not what was sent");
    gpu_.check(gpu_.driver().copyInAsync(onGpu.at(bytes), host, bytes, gpu_.stream()), "copy to the GPU");
    gpu_.finish();
  }

  const bool in_, out_, pinned_;
};

}  // namespace

void addLinks(Gpu& gpu, Ops* ops) {
  ops->push_back(std::make_unique<LinkOp>(gpu, "link.h2d", true, false, true));
  ops->push_back(std::make_unique<LinkOp>(gpu, "link.d2h", false, true, true));
  ops->push_back(std::make_unique<LinkOp>(gpu, "link.both", true, true, true));
  ops->push_back(std::make_unique<LinkOp>(gpu, "link.h2d_pageable", true, false, false));
  ops->push_back(std::make_unique<LinkOp>(gpu, "link.d2h_pageable", false, true, false));
}

}  // namespace calib::cuda
