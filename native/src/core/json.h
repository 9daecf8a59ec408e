#pragma once
#include <cstdint>
#include <functional>
#include <string>

namespace calib {

/** Takes one whole line of JSON, without its end. Called from one thread at a time. */
using Sink = std::function<void(const std::string& line)>;

/** Builds one JSON object, field by field; numbers that are not finite become null. */
class Json {
 public:
  Json() : text_("{") {}
  Json& add(const char* name, const std::string& value);
  Json& add(const char* name, const char* value) { return add(name, std::string(value)); }
  Json& add(const char* name, double value);
  Json& add(const char* name, int64_t value);
  Json& add(const char* name, int value) { return add(name, static_cast<int64_t>(value)); }
  Json& add(const char* name, bool value);
  Json& add(const char* name, const Json& value) { return raw(name, value.text()); }
  /** `json` is JSON already, e.g. a list. */
  Json& raw(const char* name, const std::string& json);
  Json& null(const char* name) { return raw(name, "null"); }
  std::string text() const { return text_ + "}"; }

 private:
  void key(const char* name);
  std::string text_;
};

/** A text in quotes, with what JSON escapes escaped. */
std::string quoted(const std::string& text);

}  // namespace calib
