#include "json.h"

#include <cmath>
#include <cstdio>

namespace calib {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
      out += escaped;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

void Json::key(const char* name) {
  if (text_.size() > 1) text_ += ',';
  text_ += quoted(name);
  text_ += ':';
}

Json& Json::raw(const char* name, const std::string& json) {
  key(name);
  text_ += json;
  return *this;
}

Json& Json::add(const char* name, const std::string& value) { return raw(name, quoted(value)); }

Json& Json::add(const char* name, double value) {
  if (!std::isfinite(value)) return null(name);
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return raw(name, text);
}

Json& Json::add(const char* name, int64_t value) { return raw(name, std::to_string(value)); }

Json& Json::add(const char* name, bool value) { return raw(name, value ? "true" : "false"); }

}  // namespace calib
