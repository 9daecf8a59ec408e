#include "gemm.h"

#include <algorithm>
#include <cmath>

#include "../core/errors.h"

namespace calib::cpu {

const char* const kFormatNames[4] = {"fp32", "bf16", "int8", "int4_g32"};

Format formatOf(const std::string& dtype) {
  for (int i = 0; i < 4; i++)
    if (dtype == kFormatNames[i]) return static_cast<Format>(i);
  throw Fault(Code::UnsupportedDtype, "gemm: no kernel multiplies \"" + dtype + "\"; there are fp32, bf16, int8, int4_g32");
}

namespace {
/** k that one panel's block has, so that it stays in a first-level cache of 32 KiB. */
int64_t blockOf(Format format) { return format == Format::fp32 ? 256 : format == Format::bf16 ? 512 : 1024; }

int64_t panelBytesOf(Format format, int64_t k, int64_t panel) {
  switch (format) {
    case Format::fp32: return k * panel * 4;
    case Format::bf16: return k * panel * 2;
    case Format::int8: return k * panel;
    case Format::int4: return k / kGroup * panel * (kGroup / 2 + 2);
  }
  return 0;
}

int32_t rounded(float value) { return static_cast<int32_t>(value + std::copysign(0.5f, value)); }

float greatest(const float* values, int64_t count) {
  float most = 0;
  for (int64_t i = 0; i < count; i++) most = std::max(most, std::fabs(values[i]));
  return most;
}
}  // namespace

Gemm::Gemm(const KernelSet& kernels, Format format, int64_t m, int64_t n, int64_t k)
    : kernels_(kernels), format_(format), m_(m), n_(n), k_(k), panels_((n + kernels.panel - 1) / kernels.panel) {
  if (m < 1 || n < 1 || k < kGroup || k % kGroup != 0) throw Fault(Code::Usage, "gemm: m and n are at least 1, k is a multiple of 32");
  panelBytes_ = panelBytesOf(format, k, kernels.panel);
  block_ = blockOf(format);
  packed_.resize(static_cast<size_t>(m * words(k)));
  if (format == Format::int4) {
    scales_.resize(static_cast<size_t>(m * (k / kGroup)));
    sums_.resize(scales_.size());
  } else if (format == Format::int8) {
    scales_.resize(static_cast<size_t>(m));
    columnScales.assign(static_cast<size_t>(stride()), 1.0f);
    columnSums.assign(static_cast<size_t>(stride()), 0);
  }
}

/** 32-bit words that k activations of a row take. */
int64_t Gemm::words(int64_t k) const { return format_ == Format::fp32 ? k : format_ == Format::bf16 ? k / 2 : k / 4; }

void Gemm::run(const Worker& worker, const float* activations, const char* weights, float* output) {
  packActivations(worker, activations);
  worker.wait();
  multiply(worker, weights, output);
}

void Gemm::packActivations(const Worker& worker, const float* activations) {
  if (format_ == Format::int8) {
    int64_t begin, end;
    worker.part(m_, 1, &begin, &end);
    for (int64_t row = begin; row < end; row++) scales_[static_cast<size_t>(row)] = std::max(greatest(activations + row * k_, k_), 1e-20f) / 127;
    worker.wait();
  }
  const int64_t tiles = (m_ + kernels_.rows - 1) / kernels_.rows;
  const int64_t blocks = (k_ + block_ - 1) / block_;
  int64_t begin, end;
  worker.part(tiles * blocks, 1, &begin, &end);
  for (int64_t i = begin; i < end; i++) {
    const int64_t row = i / blocks * kernels_.rows, from = i % blocks * block_;
    packTile(activations, row, std::min<int64_t>(kernels_.rows, m_ - row), from, std::min(block_, k_ - from));
  }
}

/** Rows of a tile lie beside each other, block after block, tile after tile in a block. */
void Gemm::packTile(const float* activations, int64_t row, int64_t rows, int64_t from, int64_t count) {
  uint32_t* const to = packed_.data() + words(from) * m_ + row * words(count);
  for (int64_t r = 0; r < rows; r++) {
    const float* const a = activations + (row + r) * k_ + from;
    if (format_ == Format::fp32) {
      for (int64_t i = 0; i < count; i++) std::memcpy(to + i * rows + r, a + i, 4);
    } else if (format_ == Format::bf16) {
      for (int64_t i = 0; i < count / 2; i++) to[i * rows + r] = bf16Pair(a[2 * i], a[2 * i + 1]);
    } else {
      const int64_t step = format_ == Format::int8 ? count : kGroup;
      for (int64_t g = 0; g < count; g += step) {
        const bool grouped = format_ == Format::int4;
        const float scale = grouped ? std::max(greatest(a + g, step), 1e-20f) / 127 : scales_[static_cast<size_t>(row + r)];
        const float inverse = 1 / scale;
        const uint32_t plus = !grouped && kernels_.offset ? 128 : 0;
        int32_t sum = 0;
        for (int64_t i = g; i < g + step; i += 4) {
          uint32_t quad = 0;
          for (int b = 0; b < 4; b++) {
            const int32_t whole = rounded(a[i + b] * inverse);
            sum += whole;
            quad |= ((static_cast<uint32_t>(whole) + plus) & 255) << (8 * b);
          }
          to[i / 4 * rows + r] = quad;
        }
        if (grouped) {
          const size_t at = static_cast<size_t>(from / kGroup * m_ + row * (count / kGroup) + g / kGroup * rows + r);
          scales_[at] = scale;
          sums_[at] = 8 * sum;
        }
      }
    }
  }
}

void Gemm::multiply(const Worker& worker, const char* weights, float* output) {
  int64_t begin, end;
  worker.part(panels_, 1, &begin, &end);
  const int64_t ldc = stride();
  for (int64_t row = 0; row < m_; row++)
    std::fill(output + row * ldc + begin * kernels_.panel, output + row * ldc + end * kernels_.panel, 0.0f);
  for (int64_t panel = begin; panel < end; panel++) {
    for (int64_t from = 0; from < k_; from += block_) {
      const int64_t count = std::min(block_, k_ - from);
      const char* const w = weights + panel * panelBytes_ + panelBytesOf(format_, from, kernels_.panel);
      for (int64_t row = 0; row < m_; row += kernels_.rows) {
        const int rows = static_cast<int>(std::min<int64_t>(kernels_.rows, m_ - row));
        const uint32_t* const a = packed_.data() + words(from) * m_ + row * words(count);
        float* const c = output + row * ldc + panel * kernels_.panel;
        const auto* const w32 = reinterpret_cast<const uint32_t*>(w);
        switch (format_) {
          case Format::fp32: kernels_.f32(rows, count, reinterpret_cast<const float*>(w), reinterpret_cast<const float*>(a), c, ldc); break;
          case Format::bf16: kernels_.bf16(rows, count, w32, a, c, ldc); break;
          case Format::int8: kernels_.int8(rows, count, w32, a, reinterpret_cast<int32_t*>(c), ldc); break;
          case Format::int4: {
            const size_t group = static_cast<size_t>(from / kGroup * m_ + row * (count / kGroup));
            kernels_.int4(rows, count, w, {a, scales_.data() + group, sums_.data() + group}, c, ldc);
          }
        }
      }
    }
  }
  if (format_ == Format::int8) finish(begin * kernels_.panel, end * kernels_.panel, output);
}

/** Whole sums become numbers: the offset of the activations is taken off, then both scales. */
void Gemm::finish(int64_t begin, int64_t end, float* output) const {
  const int32_t offset = kernels_.offset ? 128 : 0;
  for (int64_t row = 0; row < m_; row++) {
    float* const c = output + row * stride();
    const float scale = scales_[static_cast<size_t>(row)];
    for (int64_t n = begin; n < end; n++) {
      int32_t sum;
      std::memcpy(&sum, c + n, 4);
      c[n] = static_cast<float>(sum - offset * columnSums[static_cast<size_t>(n)]) * (scale * columnScales[static_cast<size_t>(n)]);
    }
  }
}

void Gemm::pack(const float* weights, const float* scales, char* packed) {
  const int64_t panel = kernels_.panel;
  for (int64_t p = 0; p < panels_; p++) {
    for (int64_t j = 0; j < panel; j++) {
      const int64_t column = p * panel + j;
      const auto w = [&](int64_t k) { return column < n_ ? weights[k * n_ + column] : 0.0f; };
      char* const base = packed + p * panelBytes_;
      for (int64_t k = 0; k < k_; k++) {
        if (format_ == Format::fp32) {
          const float value = w(k);
          std::memcpy(base + (k * panel + j) * 4, &value, 4);
        } else if (format_ == Format::bf16) {
          const uint16_t value = toBf16(w(k));
          std::memcpy(base + (k / 2 * panel + j) * 4 + k % 2 * 2, &value, 2);
        } else if (format_ == Format::int8) {
          base[(k / 4 * panel + j) * 4 + k % 4] = static_cast<char>(static_cast<int>(w(k)));
        } else {
          char* const group = base + k / kGroup * panel * (kGroup / 2 + 2);
          const int nibble = static_cast<int>(w(k)) + 8, at = static_cast<int>(k % kGroup);
          char& byte = group[(at / 8 * panel + j) * 4 + at % 4];
          byte = static_cast<char>(at % 8 < 4 ? (byte & 0xf0) | nibble : (byte & 0x0f) | nibble << 4);
          const uint16_t scale = toBf16(column < n_ ? scales[k / kGroup * n_ + column] : 0.0f);
          std::memcpy(group + panel * (kGroup / 2) + j * 2, &scale, 2);
        }
      }
      if (format_ == Format::int8) {
        int32_t sum = 0;
        for (int64_t k = 0; k < k_; k++) sum += static_cast<int32_t>(w(k));
        columnSums[static_cast<size_t>(column)] = sum;
        columnScales[static_cast<size_t>(column)] = column < n_ ? scales[column] : 0.0f;
      }
    }
  }
}

int32_t Gemm::activation(int64_t row, int64_t at) const {
  const int64_t tile = row / kernels_.rows * kernels_.rows, rows = std::min<int64_t>(kernels_.rows, m_ - tile);
  const int64_t from = at / block_ * block_, count = std::min(block_, k_ - from);
  const uint32_t quad = packed_[static_cast<size_t>(words(from) * m_ + tile * words(count) + (at - from) / 4 * rows + (row - tile))];
  const uint32_t byte = quad >> (8 * (at % 4)) & 255;
  return format_ == Format::int8 && kernels_.offset ? static_cast<int32_t>(byte) - 128 : static_cast<int8_t>(byte);
}

float Gemm::activationScale(int64_t row, int64_t at) const {
  if (format_ == Format::int8) return scales_[static_cast<size_t>(row)];
  const int64_t tile = row / kernels_.rows * kernels_.rows, rows = std::min<int64_t>(kernels_.rows, m_ - tile);
  const int64_t from = at / block_ * block_, count = std::min(block_, k_ - from);
  return scales_[static_cast<size_t>(from / kGroup * m_ + tile * (count / kGroup) + (at - from) / kGroup * rows + (row - tile))];
}

}  // namespace calib::cpu
