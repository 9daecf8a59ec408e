// Storage: random and sequential reads, and a little writing, in a file without a name.
#include <algorithm>
#include <cstdlib>

#include "../core/device.h"
#include "../core/sampler.h"
#include "storage.h"
#include "temporary_file.h"

namespace calib {
namespace io {

namespace {
/** Bytes that one point writes at most. */
constexpr int64_t kWritePerPoint = 64 << 20;

class StorageDevice : public Device {
 public:
  StorageDevice(const Options& options);
  void describe(Json* env) const override;
  const std::vector<std::unique_ptr<Op>>& ops() const override { return ops_; }
  std::vector<Point> anchors() const override { return {{"storage.read", "", {{"bytes", 64 << 10}, {"depth", 4}}}}; }

  Sample measure(const Point& point, bool write, bool sequential, const Run& run);
  int64_t fileBytes() const { return fileBytes_; }

 private:
  TemporaryFile& file();

  const Options options_;
  const std::string folder_;
  Pool pool_;
  int64_t fileBytes_, written_ = 0;
  std::unique_ptr<Engine> engine_;
  std::string fallback_;
  std::unique_ptr<TemporaryFile> file_;
  std::vector<std::unique_ptr<Op>> ops_;
};

class StorageOp : public Op {
 public:
  StorageOp(StorageDevice& device, const char* name, bool write, bool sequential)
      : device_(device), name_(name), write_(write), sequential_(sequential) {}
  const char* name() const override { return name_; }

  std::vector<Point> points(Plan plan) const override {
    std::vector<Point> found;
    const auto add = [&](std::vector<int64_t> sizes, std::vector<int64_t> depths, int priority) {
      for (const int64_t bytes : sizes)
        for (const int64_t depth : depths) found.push_back({name_, "", {{"bytes", bytes}, {"depth", depth}}, 0, priority, write_ ? 0.1 : 0.32});
    };
    const int64_t K = 1 << 10, M = 1 << 20;
    if (write_ || sequential_) {
      if (plan == Plan::full) add({64 * K, M}, {1, 8}, 2);
    } else if (plan == Plan::full) {
      add({4 * K, 16 * K, 64 * K, 256 * K, M, 4 * M}, {1, 4, 16, 32}, 0);
    } else if (plan == Plan::quick) {
      add({4 * K, 64 * K, 256 * K, M}, {1, 4, 16}, 0);
    } else {
      add({4 * K, 64 * K}, {1, 4}, 0);
    }
    return found;
  }

  Sample measure(const Point& point, const Run& run) override { return device_.measure(point, write_, sequential_, run); }

 private:
  StorageDevice& device_;
  const char* name_;
  const bool write_, sequential_;
};

std::string folderOf(const Options& options) {
  if (!options.folder.empty()) return options.folder;
  const char* const named = std::getenv("TMPDIR");
  return named != nullptr && *named != '\0' ? named : "/tmp";
}

StorageDevice::StorageDevice(const Options& options) : options_(options), folder_(folderOf(options)), pool_(1) {
  const int64_t wanted = options.plan == Plan::tiny ? 8 << 20 : 1 << 30;
  fileBytes_ = std::min({wanted, freeBytes(folder_) / 10, options.mostWritten}) & ~int64_t{(4 << 20) - 1};
  const char* const refused = std::getenv("CALIB_NO_URING");
  if (refused == nullptr) engine_ = uringEngine(&fallback_);
  else fallback_ = "CALIB_NO_URING is set";
  if (engine_ == nullptr) engine_ = preadEngine();
  ops_.push_back(std::make_unique<StorageOp>(*this, "storage.read", false, false));
  ops_.push_back(std::make_unique<StorageOp>(*this, "storage.sequential", false, true));
  ops_.push_back(std::make_unique<StorageOp>(*this, "storage.write", true, true));
}

void StorageDevice::describe(Json* env) const {
  Json storage;
  storage.add("fileSystem", fileSystemOf(folder_)).add("direct", !options_.buffered).add("engine", engine_->name());
  storage.add("fileBytes", fileBytes_).add("freeBytes", freeBytes(folder_));
  if (!fallback_.empty()) storage.add("fallback", fallback_);
  env->add("storage", storage);
}

TemporaryFile& StorageDevice::file() {
  if (file_ == nullptr) {
    if (fileBytes_ < 4 << 20) throw Fault(Code::NoSpace, folder_ + " has too little space for a test file; name another folder with --folder");
    file_ = std::make_unique<TemporaryFile>(folder_, fileBytes_, options_.buffered, pool_);
    written_ += fileBytes_;
  }
  return *file_;
}

Sample StorageDevice::measure(const Point& point, bool write, bool sequential, const Run& run) {
  const int64_t bytes = point.at("bytes"), depth = point.at("depth");
  if (bytes < 4096 || bytes % 4096 != 0 || bytes > fileBytes_) throw Fault(Code::Usage, point.text() + ": bytes are a multiple of 4096, and a file of the test at most");
  if (depth < 1 || depth > 256) throw Fault(Code::Usage, point.text() + ": the depth is 1 to 256");
  TemporaryFile& target = file();
  if (write && written_ + kWritePerPoint > options_.mostWritten)
    throw Fault(Code::Budget, "a run writes " + std::to_string(options_.mostWritten) + " bytes at most, because disks wear");
  Buffer memory(static_cast<size_t>(bytes * depth));
  memory.fillBytes(pool_, 37);
  const bool tiny = options_.plan == Plan::tiny;
  const Job job{target.descriptor(), write, bytes, static_cast<int>(depth), fileBytes_, sequential,
                tiny || write ? 0.0 : 0.05, tiny ? 0.002 : write ? 0.004 : 0.05, tiny ? 3 : 5, write ? kWritePerPoint : 0, memory.as(), run.cancelled};
  Outcome outcome;
  try {
    outcome = engine_->run(job);
  } catch (const Fault& fault) {
    // A sandbox may let the rings be set up and refuse to use them.
    if (fault.code != Code::NoIoUring) throw;
    engine_ = preadEngine();
    outcome = engine_->run(job);
  }
  if (write) written_ += outcome.moved;
  if (run.cancelled) throw Fault(Code::Abort, "interrupted");
  if (outcome.seconds.empty()) throw Fault(Code::Timeout, point.text() + ": too few requests ended for one window");
  Sample sample;
  sample.impl = engine_->name();
  sample.bytes = static_cast<double>(bytes);
  // Threads that wait for a disk run little: that is no loss.
  sample.timing = summarise(outcome.seconds, std::vector<double>(outcome.seconds.size(), 0), 1);
  return sample;
}
}  // namespace

}  // namespace io

extern const DeviceClass storageDevices;
const DeviceClass storageDevices = {"storage", "the disk below a folder", [](const std::string&, const Options& options) -> std::unique_ptr<Device> {
                                      return std::make_unique<io::StorageDevice>(options);
                                    }};

}  // namespace calib
