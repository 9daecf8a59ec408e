#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "../core/buffers.h"

namespace calib::io {

/** Requests of one size on one open file, so many in flight at a time. */
struct Job {
  int file;
  bool write;
  int64_t bytes;
  int depth;
  /** Offsets are multiples of `bytes` below this; in random order or one after the other. */
  int64_t fileBytes;
  bool sequential;
  /** Seconds before anything counts, seconds of a window, windows. */
  double ramp, window;
  int windows;
  /** Bytes after which no further request begins; 0: no end. */
  int64_t mostBytes;
  /** `depth` parts of `bytes` each, aligned to a page. */
  char* memory;
  const std::atomic<bool>& cancelled;
};

/** What a job gave: seconds per request in each window, and the bytes of all requests. */
struct Outcome {
  std::vector<double> seconds;
  int64_t moved = 0;
};

/** Deals out offsets and counts what is done, for engines with one thread or many. */
class Counter {
 public:
  explicit Counter(const Job& job);
  /** The offset of the next request; −1 when no further one begins. */
  int64_t next();
  /** A request has ended. */
  void done();
  Outcome outcome() const { return outcome_; }

 private:
  const Job& job_;
  std::mutex mutex_;
  Random random_{31};
  int64_t at_ = 0;
  double windowBegan_ = 0;
  int64_t inWindow_ = 0;
  const double began_;
  bool ended_ = false;
  Outcome outcome_;
};

/** A way to keep requests in flight. */
class Engine {
 public:
  virtual ~Engine() = default;
  virtual const char* name() const = 0;
  /** Throws Fault with what the system said. */
  virtual Outcome run(const Job& job) = 0;
};

/** io_uring by system calls of its own; null with the reason where the kernel, or a sandbox, refuses it. */
std::unique_ptr<Engine> uringEngine(std::string* reason);
/** A thread for each request in flight; works everywhere. */
std::unique_ptr<Engine> preadEngine();

}  // namespace calib::io
