#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "../core/buffers.h"
#include "kernels.h"

namespace calib::cpu {

enum class Format { fp32, bf16, int8, int4 };

/** The format that kernel names call `dtype`; throws Fault UnsupportedDtype. */
Format formatOf(const std::string& dtype);
extern const char* const kFormatNames[4];

/** A product of m rows of activations with weights of n columns: packs (and quantises) the activations, then multiplies. */
class Gemm {
 public:
  Gemm(const KernelSet& kernels, Format format, int64_t m, int64_t n, int64_t k);

  /** Bytes of the packed weights. */
  int64_t weightBytes() const { return panels_ * panelBytes_; }
  /** Columns of the output, rounded up to whole panels. */
  int64_t stride() const { return panels_ * kernels_.panel; }
  /** Called by every worker: output [m][stride] = activations [m][k] × weights. */
  void run(const Worker& worker, const float* activations, const char* weights, float* output);

  /** Packs weights [k][n]: row-major numbers, or for int8 and int4 whole numbers, with scales [n] or [k/32][n]. For checks; not fast. */
  void pack(const float* weights, const float* scales, char* packed);

  /** For int8: scale and sum of each column. */
  std::vector<float> columnScales;
  std::vector<int32_t> columnSums;
  /** As quantised by the last run: [m][k] and a scale for each row, or each row and 32 of k. */
  int32_t activation(int64_t row, int64_t at) const;
  float activationScale(int64_t row, int64_t at) const;

 private:
  int64_t words(int64_t k) const;
  void packActivations(const Worker& worker, const float* activations);
  void packTile(const float* activations, int64_t row, int64_t rows, int64_t from, int64_t count);
  void multiply(const Worker& worker, const char* weights, float* output);
  void finish(int64_t begin, int64_t end, float* output) const;

  const KernelSet& kernels_;
  const Format format_;
  const int64_t m_, n_, k_;
  int64_t panels_, panelBytes_, block_;
  std::vector<uint32_t> packed_;
  std::vector<float> scales_;
  std::vector<int32_t> sums_;
};

}  // namespace calib::cpu
