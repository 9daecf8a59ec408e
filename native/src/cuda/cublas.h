#pragma once
#include <cstdint>
#include <string>

#include "gpu.h"

namespace calib::cuda {

/** A number format that a library product takes: names as in profiles. */
enum class Format { bf16, fp16, int8, fp8 };

/** Bytes of an operand and of a result of that format: bf16 from fp8, 32-bit integers from int8. */
size_t operandBytes(Format format);
size_t resultBytes(Format format);

/** NVIDIA's cuBLAS and cuBLASLt, loaded at run time; absent ones are no error until they are used. */
class Cublas {
 public:
  explicit Cublas(Gpu& gpu);
  ~Cublas();
  Cublas(const Cublas&) = delete;

  /** Why `format` cannot run here; empty when it can. */
  std::string refusal(Format format) const;
  /** For example `cublas 13.0`. */
  std::string version() const;
  /**
   * Enqueues y[m][n] = sum over k of x[m][k] * weights[n][k], all row by row: the product of a linear layer.
   * Throws Fault NoLibrary, UnsupportedDtype (this shape or format), Internal.
   */
  void linear(Format format, Pointer x, Pointer weights, Pointer y, int m, int n, int k);

 private:
  struct Lt;
  void plain(Format format, Pointer x, Pointer weights, Pointer y, int m, int n, int k);
  void prepareLt();

  Gpu& gpu_;
  void* library_ = nullptr;
  void* handle_ = nullptr;
  std::unique_ptr<Lt> lt_;
};

}  // namespace calib::cuda
