#include "pool.h"

#include <algorithm>

#include "probe.h"

#if defined(__linux__)
#include <sched.h>
#endif

namespace calib {

namespace {
/** Spins before a waiting thread gives its processor away: about a fifth of a millisecond. */
constexpr int kPatience = 4000;

inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}
}  // namespace

void Barrier::wait() {
  if (count_ == 1) return;
  const unsigned turn = turn_.load(std::memory_order_relaxed);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == count_) {
    arrived_.store(0, std::memory_order_relaxed);
    turn_.store(turn + 1, std::memory_order_release);
    return;
  }
  for (int spins = 0; turn_.load(std::memory_order_acquire) == turn; spins++) {
    if (spins < kPatience) relax();
    else std::this_thread::yield();
  }
}

void Worker::part(int64_t total, int64_t step, int64_t* begin, int64_t* end) const {
  const int64_t steps = (total + step - 1) / step;
  *begin = std::min(total, steps * index / count * step);
  *end = std::min(total, steps * (index + 1) / count * step);
}

Pool::Pool(int threads) {
  for (int i = 1; i < threads; i++) threads_.emplace_back([this, i] { serve(i); });
}

Pool::~Pool() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Pool::run(int threads, const std::function<void(const Worker&)>& task) {
  threads = std::clamp(threads, 1, size());
  {
    std::lock_guard<std::mutex> lock(mutex_);
    barrier_.reset(threads);
    task_ = &task;
    active_ = threads;
    running_ = threads - 1;
    generation_++;
  }
  if (threads > 1) wake_.notify_all();
  task({0, threads, &barrier_});
  std::unique_lock<std::mutex> lock(mutex_);
  done_.wait(lock, [this] { return running_ == 0; });
  task_ = nullptr;
}

void Pool::serve(int index) {
  unsigned seen = 0;
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    wake_.wait(lock, [&] { return ending_ || generation_ != seen; });
    if (ending_) return;
    seen = generation_;
    if (index >= active_) continue;
    const auto* task = task_;
    const int count = active_;
    lock.unlock();
    (*task)({index, count, &barrier_});
    lock.lock();
    if (--running_ == 0) done_.notify_one();
  }
}

int usableProcessors() {
  int count = static_cast<int>(std::thread::hardware_concurrency());
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) count = CPU_COUNT(&set);
  const double quota = cgroupProcessors();
  if (quota > 0) count = std::min(count, std::max(1, static_cast<int>(quota)));
#endif
  return std::max(1, count);
}

}  // namespace calib
