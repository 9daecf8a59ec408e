#include "errors.h"

namespace calib {

const char* nameOf(Code code) {
  switch (code) {
    case Code::NoDevice: return "NO_DEVICE";
    case Code::NoCudaDriver: return "NO_CUDA_DRIVER";
    case Code::DriverTooOld: return "DRIVER_TOO_OLD";
    case Code::UnsupportedArch: return "UNSUPPORTED_ARCH";
    case Code::UnsupportedDtype: return "UNSUPPORTED_DTYPE";
    case Code::NoLibrary: return "NO_LIBRARY";
    case Code::OutOfMemory: return "OUT_OF_MEMORY";
    case Code::MemlockLimit: return "MEMLOCK_LIMIT";
    case Code::Permission: return "PERMISSION";
    case Code::NoIoUring: return "NO_IO_URING";
    case Code::NoODirect: return "NO_O_DIRECT";
    case Code::NoSpace: return "NO_SPACE";
    case Code::Throttled: return "THROTTLED";
    case Code::WrongResult: return "WRONG_RESULT";
    case Code::Budget: return "BUDGET";
    case Code::Timeout: return "TIMEOUT";
    case Code::Abort: return "ABORT";
    case Code::Usage: return "USAGE";
    case Code::Internal: return "INTERNAL";
  }
  return "INTERNAL";
}

}  // namespace calib
