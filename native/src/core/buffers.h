#pragma once
#include <cstddef>
#include <cstdint>

#include "pool.h"

namespace calib {

/** Memory for measuring: whole pages, huge ones where the system has them, every page written before it is read. */
class Buffer {
 public:
  Buffer() = default;
  /** Maps `bytes`; throws Fault OutOfMemory. Nothing is touched yet. */
  explicit Buffer(size_t bytes);
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer();

  template <class T = char>
  T* as() const { return static_cast<T*>(data_); }
  size_t size() const { return bytes_; }
  /** Whether the pages could be locked; the limit for locked memory is often 8 MiB. */
  bool lock();

  /** Fills with random pairs of bf16 near 1: random numbers in bf16 and in fp32 too, none of them slow. Each worker first touches its own part. */
  void fillNumbers(Pool& pool, uint64_t seed);
  /** Fills with random bytes. */
  void fillBytes(Pool& pool, uint64_t seed);

 private:
  void* data_ = nullptr;
  size_t bytes_ = 0;
};

/** A fast random stream (splitmix64; Steele, Lea, Flood 2014). */
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  /** Uniform below `n`. */
  uint64_t below(uint64_t n) { return next() % n; }
  /** Uniform in [−1, 1). */
  float unit() { return static_cast<float>(static_cast<int64_t>(next() >> 40) - (1 << 23)) / (1 << 23); }

 private:
  uint64_t state_;
};

}  // namespace calib
