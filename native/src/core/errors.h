#pragma once
#include <exception>
#include <string>
#include <utility>

namespace calib {

/** Why something could not be measured; the names are part of the JSON Lines that the tools read. */
enum class Code {
  NoDevice, NoCudaDriver, DriverTooOld, UnsupportedArch, UnsupportedDtype, NoLibrary, OutOfMemory, MemlockLimit, Permission,
  NoIoUring, NoODirect, NoSpace, Throttled, WrongResult, Budget, Timeout, Abort, Usage, Internal,
};

/** The name of a code as it is written, e.g. NO_SPACE. */
const char* nameOf(Code code);

/** Thrown where a measurement, or a device, cannot go on; the message says what to do about it. */
class Fault : public std::exception {
 public:
  Fault(Code code, std::string message) : code(code), message(std::move(message)) {}
  const char* what() const noexcept override { return message.c_str(); }
  const Code code;
  const std::string message;
};

}  // namespace calib
