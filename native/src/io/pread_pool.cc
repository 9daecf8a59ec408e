// A thread for each request in flight, each with a blocking read or write.
#include <errno.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <thread>

#include "../core/errors.h"
#include "storage.h"

namespace calib::io {

namespace {
class PreadEngine : public Engine {
 public:
  const char* name() const override { return "pread"; }

  Outcome run(const Job& job) override {
    Counter counter(job);
    std::atomic<int> failed{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < job.depth; i++) {
      threads.emplace_back([&, i] {
        char* const memory = job.memory + i * job.bytes;
        for (int64_t offset; failed == 0 && (offset = counter.next()) >= 0; counter.done()) {
          const ssize_t moved = job.write ? pwrite(job.file, memory, static_cast<size_t>(job.bytes), offset)
                                          : pread(job.file, memory, static_cast<size_t>(job.bytes), offset);
          if (moved != job.bytes) failed = moved < 0 ? errno : EIO;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    if (failed != 0)
      throw Fault(failed == ENOSPC || failed == EDQUOT || failed == EFBIG ? Code::NoSpace : Code::Internal,
                  std::string(job.write ? "writing" : "reading") + " the temporary file failed: " + std::strerror(failed));
    return counter.outcome();
  }
};
}  // namespace

std::unique_ptr<Engine> preadEngine() { return std::make_unique<PreadEngine>(); }

}  // namespace calib::io
