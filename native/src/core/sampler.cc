#include "sampler.h"

#include <time.h>

#include <algorithm>
#include <cmath>

namespace calib {

namespace {
double clockSeconds(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct Once {
  double seconds;
  double lost;
};

/** One sample: `inner` calls, numbered from `first`. */
Once once(Pool& pool, int threads, const Body& body, int64_t first, int64_t inner) {
  std::vector<double> lost(static_cast<size_t>(threads), 0);
  double wall = 0;
  pool.run(threads, [&](const Worker& worker) {
    worker.wait();
    const double began = now();
    const double cpu = clockSeconds(CLOCK_THREAD_CPUTIME_ID);
    for (int64_t i = 0; i < inner; i++) {
      body(worker, first + i);
      worker.wait();
    }
    const double ran = clockSeconds(CLOCK_THREAD_CPUTIME_ID) - cpu;
    const double seconds = now() - began;
    lost[static_cast<size_t>(worker.index)] = std::max(0.0, (seconds - ran) / seconds);
    if (worker.index == 0) wall = seconds;
  });
  return {wall / static_cast<double>(inner), *std::max_element(lost.begin(), lost.end())};
}

double quantile(const std::vector<double>& sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const size_t low = static_cast<size_t>(at);
  const size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (at - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}
}  // namespace

double now() { return clockSeconds(CLOCK_MONOTONIC); }

Timing summarise(const std::vector<double>& seconds, const std::vector<double>& lost, int64_t inner) {
  Timing timing;
  std::vector<double> used;
  for (size_t i = 0; i < seconds.size(); i++)
    if (lost[i] < kClean) used.push_back(seconds[i]);
  timing.n = static_cast<int>(seconds.size());
  timing.clean = static_cast<int>(used.size());
  timing.inner = inner;
  if (used.empty()) used = seconds;
  std::sort(used.begin(), used.end());
  timing.min = used.front();
  timing.p25 = quantile(used, 0.25);
  timing.p50 = quantile(used, 0.5);
  timing.p90 = quantile(used, 0.9);
  double mean = 0, square = 0;
  for (const double value : used) mean += value / static_cast<double>(used.size());
  for (const double value : used) square += (value - mean) * (value - mean) / static_cast<double>(used.size());
  timing.cv = std::sqrt(square) / mean;
  std::vector<double> sorted = lost;
  std::sort(sorted.begin(), sorted.end());
  timing.lost = quantile(sorted, 0.5);
  return timing;
}

Timing sample(Pool& pool, int threads, const Body& body, const std::atomic<bool>& cancelled, const SampleRules& rules) {
  const double began = now();
  threads = std::clamp(threads, 1, pool.size());
  int64_t next = 0;
  int64_t inner = 1;
  // The first calls warm up: one that finds caches or processors asleep would be taken for a long one. Then the calls of a sample double until it lasts long enough.
  do once(pool, threads, body, next++, 1);
  while (now() - began < rules.warmUp);
  for (;;) {
    const Once tried = once(pool, threads, body, next, inner);
    next += inner;
    const double lasted = tried.seconds * static_cast<double>(inner);
    if (lasted >= rules.seconds || inner >= (1 << 24)) break;
    inner = std::max(2 * inner, static_cast<int64_t>(1.1 * rules.seconds / std::max(tried.seconds, 1e-9)));
    inner = std::min(inner, static_cast<int64_t>(1) << 24);
  }
  std::vector<double> seconds, lost;
  int clean = 0;
  for (int round = 0; round < rules.rounds && (clean < rules.enough || now() - began < rules.span); round++) {
    for (int i = 0; i < rules.round; i++) {
      if (cancelled) throw Fault(Code::Abort, "interrupted");
      const Once taken = once(pool, threads, body, next, inner);
      next += inner;
      seconds.push_back(taken.seconds);
      lost.push_back(taken.lost);
      clean += taken.lost < kClean;
      if (now() - began > rules.patience && static_cast<int>(seconds.size()) >= rules.few) return summarise(seconds, lost, inner);
    }
  }
  return summarise(seconds, lost, inner);
}

}  // namespace calib
