#pragma once
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace calib {

/** A spinning barrier of a fixed number of threads; one that waits long gives its processor away. */
class Barrier {
 public:
  void reset(int count) { count_ = count; }
  void wait();

 private:
  int count_ = 1;
  std::atomic<int> arrived_{0};
  std::atomic<unsigned> turn_{0};
};

/** One of the threads that run a task together. */
struct Worker {
  int index;
  int count;
  Barrier* barrier;

  void wait() const { barrier->wait(); }
  /** This worker's part of `total` things, in steps of `step`: [begin, end). */
  void part(int64_t total, int64_t step, int64_t* begin, int64_t* end) const;
};

/** Threads that run tasks together. The caller is worker 0: a thread that only waits would take a processor from the others. */
class Pool {
 public:
  explicit Pool(int threads);
  ~Pool();
  int size() const { return static_cast<int>(threads_.size()) + 1; }
  /** Runs `task` on `threads` workers and returns when all have ended. A task must not throw. */
  void run(int threads, const std::function<void(const Worker&)>& task);

 private:
  void serve(int index);
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const std::function<void(const Worker&)>* task_ = nullptr;
  unsigned generation_ = 0;
  int active_ = 0, running_ = 0;
  bool ending_ = false;
  Barrier barrier_;
};

/** Processors that this process may use: its affinity mask, or fewer where a cgroup grants less. */
int usableProcessors();

}  // namespace calib
