#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "errors.h"

namespace calib {

/** How much is measured: tiny for tests, quick to rescale a profile, full for a new one. */
enum class Plan { tiny, quick, full };

/** One axis of a shape, e.g. {"m", 4096}. */
struct Axis {
  std::string name;
  int64_t value;
};

/** What is measured once: an op of a device in a number format, at a shape, on some threads (0 where threads mean nothing). */
struct Point {
  std::string op;
  std::string dtype;
  std::vector<Axis> shape;
  int threads = 0;
  /** Lower ones are measured first, and dropped last when the time is short. */
  int priority = 0;
  /** Roughly how long measuring takes, in seconds: for plans, never for results. */
  double estimate = 0.05;

  /** The value of an axis; throws Fault Usage when the shape lacks it. */
  int64_t at(const char* name) const;
  /** `gemm bf16 m=1 n=4096 k=4096 threads=2`, which `parsePoint` reads. */
  std::string text() const;
};

/** Reads what `Point::text` writes; throws Fault Usage with the word that is wrong. */
Point parsePoint(const std::string& line);

/** Seconds of one call over the samples of a point. */
struct Timing {
  double min = 0, p25 = 0, p50 = 0, p90 = 0;
  /** Standard deviation over mean of the samples used. */
  double cv = 0;
  /** Largest share of wall time that a thread did not run, in the median sample. */
  double lost = 0;
  /** Samples taken, and those of them that lost less than 2 %. */
  int n = 0, clean = 0;
  /** Calls in a sample. */
  int64_t inner = 0;
};

enum class Status { ok, skipped, failed };

/** Extra facts of a sample (clocks, temperature), written as a JSON number. */
struct Extra {
  std::string name;
  double value;
};

/** What measuring a point gave. */
struct Sample {
  /** The implementation that ran, e.g. avx512. */
  std::string impl;
  /** FLOP and bytes moved by one call. */
  double flops = 0, bytes = 0;
  Timing timing;
  /** Copies of the operands that were used in turn, so that none is found in a cache. */
  int rotation = 1;
  std::vector<Extra> extras;
};

}  // namespace calib
