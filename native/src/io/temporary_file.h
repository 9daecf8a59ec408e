#pragma once
#include <cstdint>
#include <string>

#include "../core/buffers.h"

namespace calib::io {

/** A file without a name in a folder: it is gone when the process ends, however it ends. */
class TemporaryFile {
 public:
  /**
   * Writes `bytes` of random data, past the page cache unless `buffered`.
   *
   * Throws Fault: Permission (the folder), NoSpace (less than 5 GB would stay free), NoODirect (a file system in memory, or one that caches everything).
   */
  TemporaryFile(const std::string& folder, int64_t bytes, bool buffered, Pool& pool);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  int descriptor() const { return file_; }
  int64_t bytes() const { return bytes_; }

 private:
  void fill(Pool& pool);

  int file_ = -1;
  int64_t bytes_;
};

/** Bytes that stay free on a disk, whatever is measured. */
constexpr int64_t kKeptFree = 5'000'000'000;

/** Bytes free for this user in the folder's file system; throws Fault Permission when there is no such folder. */
int64_t freeBytes(const std::string& folder);

/** The name of the folder's file system where it matters: tmpfs, ramfs; else its magic number. */
std::string fileSystemOf(const std::string& folder);

}  // namespace calib::io
