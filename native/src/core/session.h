#pragma once
#include <atomic>
#include <vector>

#include "device.h"

namespace calib {

/** How a run ended: the exit code of calib-bench. */
enum class Ending { done = 0, noDevice = 2, partial = 5, interrupted = 130 };

/**
 * Measures points of a device and writes JSON Lines: `env`, `check`, `anchor`, `progress`, `sample`, and `end` last; `error` when nothing could begin.
 *
 * Points run in a seeded random order within each priority, anchors between them. Without `points` the device's own plan runs, of the ops named (none: all).
 */
Ending runSession(const Options& options, const std::vector<std::string>& ops, const std::vector<Point>& points, const Sink& write,
                  const std::atomic<bool>& cancelled);

/** Writes a `point` line for each point of the plan, for those who choose among them. */
Ending listPoints(const Options& options, const std::vector<std::string>& ops, const Sink& write);

}  // namespace calib
