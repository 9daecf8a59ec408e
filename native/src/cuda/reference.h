#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include "../core/errors.h"

namespace calib::cuda {

// The kernels fill memory by index, so the host knows every operand without copying it: these mirror kernels/memory.cuh.

inline std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15ull;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ull;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebull;
  return value ^ (value >> 31);
}

/** What fill_f32, fill_bf16 and fill_f16 put at `index`. */
inline double unitAt(std::uint64_t seed, std::uint64_t index) { return (static_cast<int>(mixed(seed + index) >> 56) - 128) / 128.0; }

/** The byte that fill_bits puts at `index`. */
inline std::uint8_t byteAt(std::uint64_t seed, std::uint64_t index) { return static_cast<std::uint8_t>(mixed(seed + index / 8) >> (index % 8 * 8)); }

/** The value of the E4M3 byte that fill_fp8 puts at `index` (OCP 8-bit floating point, revision 1.0: bias 7, no infinity). */
inline double fp8At(std::uint64_t seed, std::uint64_t index) {
  const int bits = byteAt(seed, index) & 0xbf;
  const int exponent = bits >> 3 & 15, fraction = bits & 7;
  const double size = exponent == 0 ? std::ldexp(fraction, -9) : std::ldexp(8 + fraction, exponent - 10);
  return bits & 0x80 ? -size : size;
}

inline double bf16Value(std::uint16_t bits) {
  const std::uint32_t word = static_cast<std::uint32_t>(bits) << 16;
  float value;
  std::memcpy(&value, &word, 4);
  return value;
}

inline double fp16Value(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double size = exponent == 0 ? std::ldexp(fraction, -24) : exponent == 31 ? INFINITY : std::ldexp(1024 + fraction, exponent - 25);
  return bits & 0x8000 ? -size : size;
}

/** A sum in double precision that also knows how large its terms were: the scale that its error is measured by. */
struct Sum {
  double value = 0, square = 0;
  void add(double term) {
    value += term;
    square += term * term;
  }
  double scale() const { return std::sqrt(square); }
};

/**
 * The distance of `got` from `want`, over the larger of `scale` and |want|. Throws Fault WrongResult when that is more than `tolerance`,
 * or no number.
 */
inline double expectNear(const std::string& what, double got, double want, double scale, double tolerance) {
  const double size = std::fmax(scale, std::fabs(want)), allowed = tolerance * size, off = std::fabs(got - want);
  if (off <= allowed) return size > 0 ? off / size : 0;
  throw Fault(Code::WrongResult, what + " gave " + std::to_string(got) + " where the reference has " + std::to_string(want) + " ± " +
                                     std::to_string(allowed));
}

/** bf16 results: half a unit in the last of 8 bits is 0.2 %, and sums are taken in another order. */
constexpr double kBf16 = 1e-2;
constexpr double kF32 = 1e-5;

}  // namespace calib::cuda
