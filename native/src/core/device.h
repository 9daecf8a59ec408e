#pragma once
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "json.h"
#include "probe.h"
#include "result.h"
#include "sampler.h"

namespace calib {

/** What the command line, or the addon's caller, asks for. */
struct Options {
  /** `cpu`, `storage`, `cuda:0`, … : a device class, and which of its devices. */
  std::string device = "cpu";
  Plan plan = Plan::full;
  /** Seconds after which no further point is begun; 0: no end. */
  double budget = 0;
  uint64_t seed = 1;
  /** 0: as many as this process may use. */
  int threads = 0;
  /** Where storage is measured; empty: the folder for temporary files. */
  std::string folder;
  /** Measure through the page cache where O_DIRECT is refused. */
  bool buffered = false;
  /** Bytes that a run on storage writes at most, the test file among them: disks wear. */
  int64_t mostWritten = (int64_t{2} << 30) - 1;
};

/** What a measurement may need from the run that it is part of. */
struct Run {
  const Options& options;
  const std::atomic<bool>& cancelled;
  /** Writes a line of its own, e.g. `check`. */
  const Sink& write;
  /** How often a point is sampled. */
  SampleRules rules;
};

/** One kind of measurement of a device. It belongs to the device that made it. */
class Op {
 public:
  virtual ~Op() = default;
  /** For example `gemm`. */
  virtual const char* name() const = 0;
  /** Its points in a plan; one that this device cannot run is left out, and `measure` says why. */
  virtual std::vector<Point> points(Plan plan) const = 0;
  /** Measures a point of this op. Throws Fault; the run writes it down and goes on. */
  virtual Sample measure(const Point& point, const Run& run) = 0;
};

/** A device that was opened, with its ops. Freed before another one is opened. */
class Device {
 public:
  virtual ~Device() = default;
  /** Adds the device's own facts to the `env` line. */
  virtual void describe(Json* env) const = 0;
  virtual const std::vector<std::unique_ptr<Op>>& ops() const = 0;
  /** Points that are measured again and again to see whether the machine drifts. */
  virtual std::vector<Point> anchors() const = 0;
};

/** A class of devices: one entry of the registry. */
struct DeviceClass {
  /** What stands before the colon of `--device`. */
  const char* name;
  const char* summary;
  /** Opens the device `id` (what stands behind the colon; may be empty). Throws Fault, e.g. NoCudaDriver, NoDevice. */
  std::unique_ptr<Device> (*open)(const std::string& id, const Options& options);
};

/** Every class of devices in this build. */
const std::vector<const DeviceClass*>& deviceClasses();

/** Opens `options.device`; throws Fault NoDevice naming the classes of this build. */
std::unique_ptr<Device> openDevice(const Options& options);

}  // namespace calib
