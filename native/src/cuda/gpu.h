#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "../core/device.h"
#include "../core/sampler.h"
#include "driver.h"
#include "nvml.h"

namespace calib::cuda {

/** Size of a one-dimensional launch, or of a grid in three. */
struct Grid {
  unsigned x = 1, y = 1, z = 1;
};

/** One open GPU: its context, its kernels, and how things on it are timed. Throws Fault where the driver refuses. */
class Gpu {
 public:
  /** Opens device number `index`. Throws Fault NoCudaDriver, DriverTooOld, NoDevice, UnsupportedArch, OutOfMemory. */
  explicit Gpu(int index);
  ~Gpu();
  Gpu(const Gpu&) = delete;

  const Driver& driver() const { return driver_; }
  const Nvml& nvml() const { return *nvml_; }
  Stream stream() const { return stream_; }
  int sms() const { return sms_; }
  size_t l2() const { return l2_; }
  /** 10 * major + minor of the compute capability. */
  int capability() const { return capability_; }
  /** Bytes that this bench may hold: a quarter of what was free. */
  size_t limit() const { return limit_; }
  size_t room() const { return limit_ - held_; }
  /** The host's NUMA node that the GPU hangs on; −1 where unknown. */
  int numaNode() const { return numaNode_; }
  /** For example `sm_90 fatbin`. */
  std::string kernels() const { return "sm_" + std::to_string(capability_) + ' ' + image_; }
  void describe(Json* env) const;

  /** Throws Fault unless `status` is success: OutOfMemory or Internal, saying `what`. */
  void check(int status, const char* what) const;

  /** Launches a kernel of the embedded image on the bench's stream; arguments must have the kernel's own types. */
  template <class... Arguments>
  void launch(const char* kernel, Grid grid, unsigned threads, Arguments... arguments) {
    void* values[] = {&arguments..., nullptr};
    launchValues(kernel, grid, threads, values);
  }
  /** Blocks of 256 threads that keep every SM busy with work for `items` threads. */
  Grid spread(std::uint64_t items) const;

  /**
   * Times `enqueue(i)`, which puts call i on `stream()`: events around a batch of calls of at least 200 µs, held back by a spinning kernel
   * until the whole batch is enqueued; the median of ten batches and more is what counts.
   */
  Sample time(const Run& run, const std::function<void(std::int64_t)>& enqueue, bool held = true);
  /** Waits for everything on the GPU. */
  void finish() const;

  /** Copies `count` values from the GPU. */
  template <class T>
  std::vector<T> read(Pointer from, size_t count) const {
    std::vector<T> values(count);
    check(driver_.copyOut(values.data(), from, count * sizeof(T)), "copy from the GPU");
    return values;
  }
  template <class T>
  void write(Pointer to, const std::vector<T>& values) const {
    check(driver_.copyIn(to, values.data(), values.size() * sizeof(T)), "copy to the GPU");
  }

 private:
  friend class Memory;
  void open(int index);
  void loadImage();
  void launchValues(const char* kernel, Grid grid, unsigned threads, void** values);
  double batch(const std::function<void(std::int64_t)>& enqueue, std::int64_t first, std::int64_t inner, bool held);
  std::vector<double> batches(const Run& run, const std::function<void(std::int64_t)>& enqueue, std::int64_t* next, std::int64_t inner, bool held);

  Driver driver_;
  std::unique_ptr<Nvml> nvml_;
  Device device_ = 0;
  Context context_ = nullptr;
  Module module_ = nullptr;
  Stream stream_ = nullptr;
  Event begin_ = nullptr, end_ = nullptr;
  volatile unsigned* flag_ = nullptr;
  Pointer flagOnGpu_ = 0;
  std::map<std::string, Function> functions_;
  std::string name_, pciBusId_, image_;
  int sms_ = 0, capability_ = 0, waits_ = 0, numaNode_ = -1;
  size_t l2_ = 0, total_ = 0, free_ = 0, limit_ = 0, held_ = 0;
};

/** Memory of a GPU, freed at the end of its scope. Throws Fault OutOfMemory, also where the bench's own limit ends. */
class Memory {
 public:
  Memory(Gpu& gpu, size_t bytes);
  ~Memory();
  Memory(const Memory&) = delete;
  Pointer at(size_t offset = 0) const { return pointer_ + offset; }
  size_t size() const { return bytes_; }

 private:
  Gpu& gpu_;
  size_t bytes_;
  Pointer pointer_ = 0;
};

/** Memory for up to `copies` times `bytes`, for as many as there is room: halved until it fits. Throws Fault OutOfMemory when one does not. */
class Rotation {
 public:
  Rotation(Gpu& gpu, size_t bytes, std::int64_t copies);
  Pointer turn(std::int64_t i) const { return memory_->at(static_cast<size_t>(i % copies_) * stride_); }
  std::int64_t copies() const { return copies_; }
  size_t size() const { return memory_->size(); }

 private:
  size_t stride_;
  std::int64_t copies_;
  std::unique_ptr<Memory> memory_;
};

/** Copies of `bytes` that together exceed the L2 cache five times, so that no call finds its operands there. */
std::int64_t copiesBeyondCache(const Gpu& gpu, size_t bytes);

}  // namespace calib::cuda
