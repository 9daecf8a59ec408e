// io_uring by plain system calls (Axboe, "Efficient IO with io_uring", 2019): no library needed.
#include "storage.h"

#if defined(__linux__) && __has_include(<linux/io_uring.h>)
#include <errno.h>
#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "../core/errors.h"

namespace calib::io {

namespace {
int setup(unsigned entries, io_uring_params* params) { return static_cast<int>(syscall(__NR_io_uring_setup, entries, params)); }
int enter(int ring, unsigned submit, unsigned wait) {
  return static_cast<int>(syscall(__NR_io_uring_enter, ring, submit, wait, IORING_ENTER_GETEVENTS, nullptr, 0));
}

/** The two rings of one instance. */
class Rings {
 public:
  explicit Rings(unsigned entries) {
    std::memset(&params_, 0, sizeof params_);
    file_ = setup(entries, &params_);
    if (file_ < 0) throw Fault(Code::NoIoUring, std::string("io_uring: ") + std::strerror(errno));
    submissionBytes_ = params_.sq_off.array + params_.sq_entries * sizeof(unsigned);
    completionBytes_ = params_.cq_off.cqes + params_.cq_entries * sizeof(io_uring_cqe);
    submission_ = map(submissionBytes_, IORING_OFF_SQ_RING);
    completion_ = map(completionBytes_, IORING_OFF_CQ_RING);
    entries_ = reinterpret_cast<io_uring_sqe*>(map(params_.sq_entries * sizeof(io_uring_sqe), IORING_OFF_SQES));
  }
  ~Rings() {
    if (submission_ != nullptr) munmap(submission_, submissionBytes_);
    if (completion_ != nullptr) munmap(completion_, completionBytes_);
    if (entries_ != nullptr) munmap(entries_, params_.sq_entries * sizeof(io_uring_sqe));
    close(file_);
  }
  Rings(const Rings&) = delete;
  Rings& operator=(const Rings&) = delete;

  void add(bool write, int file, char* memory, int64_t bytes, int64_t offset, uint64_t tag) {
    unsigned* const tail = at(submission_, params_.sq_off.tail);
    const unsigned index = *tail & *at(submission_, params_.sq_off.ring_mask);
    io_uring_sqe& entry = entries_[index];
    std::memset(&entry, 0, sizeof entry);
    entry.opcode = write ? IORING_OP_WRITE : IORING_OP_READ;
    entry.fd = file;
    entry.addr = reinterpret_cast<uint64_t>(memory);
    entry.len = static_cast<unsigned>(bytes);
    entry.off = static_cast<uint64_t>(offset);
    entry.user_data = tag;
    at(submission_, params_.sq_off.array)[index] = index;
    __atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
    added_++;
  }

  /** Submits what was added and waits for one completion. */
  void submit() {
    while (enter(file_, added_, 1) < 0)
      if (errno != EINTR) throw Fault(Code::NoIoUring, std::string("io_uring_enter: ") + std::strerror(errno));
    added_ = 0;
  }

  /** Takes a completion that is there. */
  bool take(uint64_t* tag, int* result) {
    unsigned* const head = at(completion_, params_.cq_off.head);
    if (*head == __atomic_load_n(at(completion_, params_.cq_off.tail), __ATOMIC_ACQUIRE)) return false;
    const auto* entries = reinterpret_cast<const io_uring_cqe*>(completion_ + params_.cq_off.cqes);
    const io_uring_cqe& entry = entries[*head & *at(completion_, params_.cq_off.ring_mask)];
    *tag = entry.user_data;
    *result = entry.res;
    __atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
    return true;
  }

 private:
  char* map(size_t bytes, uint64_t offset) {
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file_, static_cast<off_t>(offset));
    if (memory == MAP_FAILED) throw Fault(Code::NoIoUring, std::string("io_uring rings: ") + std::strerror(errno));
    return static_cast<char*>(memory);
  }
  static unsigned* at(char* base, unsigned offset) { return reinterpret_cast<unsigned*>(base + offset); }

  io_uring_params params_;
  int file_ = -1;
  unsigned added_ = 0;
  size_t submissionBytes_ = 0, completionBytes_ = 0;
  char *submission_ = nullptr, *completion_ = nullptr;
  io_uring_sqe* entries_ = nullptr;
};

class UringEngine : public Engine {
 public:
  const char* name() const override { return "io_uring"; }

  Outcome run(const Job& job) override {
    Rings rings(static_cast<unsigned>(job.depth));
    Counter counter(job);
    int flying = 0, failed = 0;
    const auto begin = [&](int64_t slot) {
      const int64_t offset = failed == 0 ? counter.next() : -1;
      if (offset < 0) return;
      rings.add(job.write, job.file, job.memory + slot * job.bytes, job.bytes, offset, static_cast<uint64_t>(slot));
      flying++;
    };
    for (int i = 0; i < job.depth; i++) begin(i);
    // What flies is waited for in any case: its memory is the caller's.
    while (flying > 0) {
      rings.submit();
      uint64_t slot;
      for (int result; rings.take(&slot, &result);) {
        flying--;
        if (result != job.bytes) failed = result < 0 ? -result : EIO;
        counter.done();
        begin(static_cast<int64_t>(slot));
      }
    }
    if (failed == EINVAL || failed == EPERM || failed == EOPNOTSUPP) throw Fault(Code::NoIoUring, std::string("io_uring: ") + std::strerror(failed));
    if (failed != 0)
      throw Fault(failed == ENOSPC || failed == EDQUOT || failed == EFBIG ? Code::NoSpace : Code::Internal,
                  std::string(job.write ? "writing" : "reading") + " the temporary file failed: " + std::strerror(failed));
    return counter.outcome();
  }
};
}  // namespace

std::unique_ptr<Engine> uringEngine(std::string* reason) {
  try {
    Rings tried(1);
    return std::make_unique<UringEngine>();
  } catch (const Fault& fault) {
    *reason = fault.message;
    return nullptr;
  }
}

}  // namespace calib::io

#else
namespace calib::io {

std::unique_ptr<Engine> uringEngine(std::string* reason) {
  *reason = "io_uring is a part of Linux";
  return nullptr;
}

}  // namespace calib::io
#endif
