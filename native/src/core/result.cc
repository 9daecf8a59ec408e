#include "result.h"

#include <sstream>

namespace calib {

int64_t Point::at(const char* name) const {
  for (const Axis& axis : shape)
    if (axis.name == name) return axis.value;
  throw Fault(Code::Usage, text() + ": the shape has no " + name);
}

std::string Point::text() const {
  std::ostringstream line;
  line << op << ' ' << (dtype.empty() ? "-" : dtype);
  for (const Axis& axis : shape) line << ' ' << axis.name << '=' << axis.value;
  if (threads > 0) line << " threads=" << threads;
  return line.str();
}

Point parsePoint(const std::string& line) {
  std::istringstream words(line);
  Point point;
  if (!(words >> point.op >> point.dtype)) throw Fault(Code::Usage, "\"" + line + "\" is no point, e.g. gemm bf16 m=1 n=4096 k=4096");
  if (point.dtype == "-") point.dtype.clear();
  for (std::string word; words >> word;) {
    const size_t equals = word.find('=');
    int64_t value = 0;
    try {
      size_t used = 0;
      value = std::stoll(word.substr(equals + 1), &used);
      if (equals == std::string::npos || used != word.size() - equals - 1 || value < 0) throw std::invalid_argument("");
    } catch (const std::exception&) {
      throw Fault(Code::Usage, "\"" + word + "\" in \"" + line + "\" is not axis=number");
    }
    if (word.compare(0, equals, "threads") == 0) point.threads = static_cast<int>(value);
    else point.shape.push_back({word.substr(0, equals), value});
  }
  return point;
}

}  // namespace calib
