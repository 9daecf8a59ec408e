#include "buffers.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "errors.h"

namespace calib {

Buffer::Buffer(size_t bytes) : bytes_(bytes) {
  data_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data_ == MAP_FAILED) {
    data_ = nullptr;
    throw Fault(Code::OutOfMemory, std::to_string(bytes >> 20) + " MiB could not be mapped: " + std::strerror(errno));
  }
#if defined(MADV_HUGEPAGE)
  madvise(data_, bytes, MADV_HUGEPAGE);
#endif
}

Buffer::Buffer(Buffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

Buffer::~Buffer() {
  if (data_ != nullptr) munmap(data_, bytes_);
}

bool Buffer::lock() { return mlock(data_, bytes_) == 0; }

namespace {
/** Each 2 MiB has a stream of its own, so that the content does not depend on the number of workers. */
constexpr int64_t kStretch = 2 << 20;

void fill(Pool& pool, char* data, size_t bytes, uint64_t seed, uint64_t keep, uint64_t set) {
  pool.run(pool.size(), [=](const Worker& worker) {
    int64_t begin, end;
    worker.part(static_cast<int64_t>(bytes), kStretch, &begin, &end);
    for (int64_t at = begin; at < end; at += kStretch) {
      Random random(seed * 0x2545f4914f6cdd1dull + static_cast<uint64_t>(at));
      const int64_t stop = std::min(end, at + kStretch);
      for (int64_t i = at; i + 8 <= stop; i += 8) {
        const uint64_t word = (random.next() & keep) | set;
        std::memcpy(data + i, &word, 8);
      }
    }
  });
}
}  // namespace

// Of each 16 bits the sign, two bits of the exponent and the fraction are random: ±0.125 … ±2.
void Buffer::fillNumbers(Pool& pool, uint64_t seed) {
  fill(pool, as<char>(), bytes_, seed, 0x81ff81ff81ff81ffull, 0x3e003e003e003e00ull);
}

void Buffer::fillBytes(Pool& pool, uint64_t seed) { fill(pool, as<char>(), bytes_, seed, ~0ull, 0); }

}  // namespace calib
