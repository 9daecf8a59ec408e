#include "temporary_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#include "../core/errors.h"

#if defined(__linux__)
#include <sys/vfs.h>
#elif defined(__APPLE__)
#include <sys/mount.h>
#include <sys/param.h>
#endif

namespace calib::io {

int64_t freeBytes(const std::string& folder) {
  struct statvfs found;
  if (statvfs(folder.c_str(), &found) != 0) throw Fault(Code::Permission, folder + " cannot be used: " + std::strerror(errno));
  return static_cast<int64_t>(found.f_bavail) * static_cast<int64_t>(found.f_frsize);
}

std::string fileSystemOf(const std::string& folder) {
  struct statfs found;
  if (statfs(folder.c_str(), &found) != 0) return "";
#if defined(__APPLE__)
  return found.f_fstypename;
#else
  switch (static_cast<unsigned>(found.f_type)) {
    case 0x01021994u: return "tmpfs";
    case 0x858458f6u: return "ramfs";
    case 0xef53u: return "ext4";
    case 0x58465342u: return "xfs";
    case 0x9123683eu: return "btrfs";
    case 0x794c7630u: return "overlay";
    case 0x6969u: return "nfs";
    default: break;
  }
  char text[20];
  std::snprintf(text, sizeof text, "0x%x", static_cast<unsigned>(found.f_type));
  return text;
#endif
}

namespace {
[[noreturn]] void refuse(int error, const std::string& what) {
  const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  throw Fault(full ? Code::NoSpace : error == EINVAL ? Code::NoODirect : Code::Permission, what + ": " + std::strerror(error));
}

/** Turns the page cache off for this file; false when the file system cannot. */
bool pastCache(int file) {
#if defined(__APPLE__)
  return fcntl(file, F_NOCACHE, 1) == 0;
#elif defined(O_DIRECT)
  return fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_DIRECT) == 0;
#else
  return false;
#endif
}
}  // namespace

TemporaryFile::TemporaryFile(const std::string& folder, int64_t bytes, bool buffered, Pool& pool) : bytes_(bytes) {
  const std::string system = fileSystemOf(folder);
  if (!buffered && (system == "tmpfs" || system == "ramfs"))
    throw Fault(Code::NoODirect, folder + " is memory (" + system + "), not a disk; name another folder with --folder, or measure it as it is with --buffered");
  if (freeBytes(folder) - bytes < kKeptFree)
    throw Fault(Code::NoSpace, folder + " has " + std::to_string(freeBytes(folder) / 1000000) + " MB free; a test file of " +
                                   std::to_string(bytes / 1000000) + " MB must leave 5000 MB; name another folder with --folder");
  // A limit on file sizes is an error then, not the end of the process.
  signal(SIGXFSZ, SIG_IGN);
  std::string name = folder + "/calib-XXXXXX";
  file_ = mkstemp(&name[0]);
  if (file_ < 0) refuse(errno, folder + " cannot be written");
  unlink(name.c_str());
  if (!buffered && !pastCache(file_)) {
    close(file_);
    throw Fault(Code::NoODirect, folder + " (" + system + ") cannot be read past the page cache; name another folder with --folder, or use --buffered");
  }
  try {
    fill(pool);
  } catch (...) {
    close(file_);
    throw;
  }
}

TemporaryFile::~TemporaryFile() { close(file_); }

void TemporaryFile::fill(Pool& pool) {
  constexpr int64_t kChunk = 4 << 20;
  Buffer data(static_cast<size_t>(std::min(bytes_, kChunk)));
  for (int64_t at = 0; at < bytes_; at += kChunk) {
    const size_t count = static_cast<size_t>(std::min(kChunk, bytes_ - at));
    // Each chunk has numbers of its own: a disk that stores equal blocks once gains nothing.
    data.fillBytes(pool, static_cast<uint64_t>(at) + 1);
    ssize_t written;
    while ((written = pwrite(file_, data.as(), count, at)) < 0 && errno == EINTR) {
    }
    if (written != static_cast<ssize_t>(count)) refuse(written < 0 ? errno : ENOSPC, "writing the temporary file failed");
  }
  if (fsync(file_) != 0) refuse(errno, "writing the temporary file failed");
}

}  // namespace calib::io
