#pragma once
#include <atomic>
#include <functional>
#include <vector>

#include "pool.h"
#include "result.h"

namespace calib {

/** When a point has been sampled enough. */
struct SampleRules {
  /** Seconds that a sample lasts at least: calls are repeated within it. */
  double seconds = 1e-3;
  /** Seconds of calls that are not counted, one at least. */
  double warmUp = 0.01;
  /** Samples in a round, clean samples that suffice, rounds at most. */
  int round = 5, enough = 5, rounds = 6;
  /** Seconds that all samples of a short point last together at least: what disturbs it is often over by then. */
  double span = 0.03;
  /** Seconds after which no further round is begun, once `few` samples are there. */
  double patience = 1.5;
  int few = 3;
};

/** Share of its wall time that a thread may lose in a clean sample. */
constexpr double kClean = 0.02;

/** Call `i` of a worker; the caller puts a barrier behind each call. */
using Body = std::function<void(const Worker& worker, int64_t i)>;

/** Times `body` on `threads` workers. Throws Fault Abort when `cancelled` becomes true. */
Timing sample(Pool& pool, int threads, const Body& body, const std::atomic<bool>& cancelled, const SampleRules& rules = {});

/** Quantiles of seconds per call; those of clean samples where there are any. `lost` has a share for each of `seconds`. */
Timing summarise(const std::vector<double>& seconds, const std::vector<double>& lost, int64_t inner);

/** Seconds of a clock that only goes forward. */
double now();

}  // namespace calib
