// Matrix products of linear layers by cuBLAS: what engines run in prefill and in larger decode batches.
#include "ops.h"

namespace calib::cuda {

namespace {

constexpr std::uint64_t kWeights = 101, kInputs = 202;
constexpr int kSpots = 16;
const std::vector<std::pair<const char*, Format>> formats = {
    {"bf16", Format::bf16}, {"fp16", Format::fp16}, {"fp8", Format::fp8}, {"int8", Format::int8}};

/** One call's operands in memory: weights in as many copies as exceed the cache, inputs, outputs. */
class Operands {
 public:
  Operands(Gpu& gpu, Format format, std::int64_t m, std::int64_t n, std::int64_t k)
      : weights(gpu, n * k * operandBytes(format), copiesBeyondCache(gpu, n * k * operandBytes(format))),
        inputs(gpu, m * k * operandBytes(format)), outputs(gpu, m * n * resultBytes(format)) {
    for (std::int64_t copy = 0; copy < weights.copies(); copy++) fill(gpu, format, weights.turn(copy), n * k, kWeights);
    fill(gpu, format, inputs.at(), m * k, kInputs);
  }
  Rotation weights;
  Memory inputs, outputs;

 private:
  static void fill(Gpu& gpu, Format format, Pointer at, std::uint64_t count, std::uint64_t seed) {
    using u64 = unsigned long long;
    const bool bytes = operandBytes(format) == 1;
    const u64 items = bytes ? (count + 7) / 8 : count;
    const char* kernel = format == Format::bf16 ? "fill_bf16" : format == Format::fp16 ? "fill_f16" : format == Format::fp8 ? "fill_fp8" : "fill_bits";
    gpu.launch(kernel, gpu.spread(items), 256, at, items, u64(seed));
  }
};

double operandAt(Format format, std::uint64_t seed, std::uint64_t index) {
  if (format == Format::int8) return static_cast<std::int8_t>(byteAt(seed, index));
  return format == Format::fp8 ? fp8At(seed, index) : unitAt(seed, index);
}

double resultAt(const Gpu& gpu, Format format, Pointer at, std::uint64_t index) {
  if (format == Format::int8) return gpu.read<std::int32_t>(at + index * 4, 1)[0];
  const std::uint16_t bits = gpu.read<std::uint16_t>(at + index * 2, 1)[0];
  return format == Format::fp16 ? fp16Value(bits) : bf16Value(bits);
}

class GemmOp : public GpuOp {
 public:
  GemmOp(Gpu& gpu, Cublas& cublas) : GpuOp(gpu, "gemm"), cublas_(cublas) {}

  std::vector<Point> points(Plan plan) const override {
    std::vector<Point> points;
    for (const auto& [dtype, format] : formats) {
      if (!cublas_.refusal(format).empty() && format != Format::bf16) continue;  // bf16 stays, so that the file says why there is none
      if (plan == Plan::tiny) points.push_back({name_, dtype, {{"m", 16}, {"n", 32}, {"k", 64}}});
      else grid(dtype, format, plan, &points);
    }
    return points;
  }

  Sample measure(const Point& point, const Run& run) override {
    const Format format = formatOf(point);
    const auto m = point.at("m"), n = point.at("n"), k = point.at("k");
    if (const std::string reason = cublas_.refusal(format); !reason.empty())
      throw Fault(reason.find("libcublas") == 0 ? Code::NoLibrary : Code::UnsupportedDtype, "gemm " + point.dtype + ": " + reason);
    Operands operands(gpu_, format, m, n, k);
    const auto call = [&](std::int64_t i) {
      cublas_.linear(format, operands.inputs.at(), operands.weights.turn(i), operands.outputs.at(), static_cast<int>(m), static_cast<int>(n),
                     static_cast<int>(k));
    };
    call(0);
    gpu_.finish();
    verify(point, format, operands);
    passed(run, point, cublas_.version());
    Sample sample = gpu_.time(run, call);
    sample.impl = cublas_.version();
    sample.rotation = static_cast<int>(operands.weights.copies());
    sample.flops = 2.0 * m * n * k;
    sample.bytes = static_cast<double>(operandBytes(format)) * (n * k + m * k) + static_cast<double>(resultBytes(format)) * m * n;
    return sample;
  }

 private:
  Format formatOf(const Point& point) const {
    for (const auto& [dtype, format] : formats)
      if (point.dtype == dtype) return format;
    throw Fault(Code::UnsupportedDtype, "gemm: \"" + point.dtype + "\" is none of bf16, fp16, fp8, int8");
  }

  /** 8 × 4 × 4 points a format; the wide ones first, as they say most about a model's layers. */
  void grid(const char* dtype, Format format, Plan plan, std::vector<Point>* points) const {
    const bool quick = plan == Plan::quick;
    const std::vector<std::int64_t> rows = quick ? std::vector<std::int64_t>{1, 64, 2048} : std::vector<std::int64_t>{1, 8, 32, 128, 256, 1024, 4096, 8192};
    const std::vector<std::int64_t> widths = quick ? std::vector<std::int64_t>{4096} : std::vector<std::int64_t>{256, 1024, 4096, 16384};
    for (const std::int64_t m : rows)
      for (const std::int64_t n : widths)
        for (const std::int64_t k : widths) {
          const size_t bytes = (n * k + m * k) * operandBytes(format) + m * n * resultBytes(format);
          if (bytes + (64 << 20) <= gpu_.limit()) points->push_back({name_, dtype, {{"m", m}, {"n", n}, {"k", k}}, 0, format == Format::bf16 ? 0 : 1, 0.1});
        }
  }

  void verify(const Point& point, Format format, const Operands& operands) {
    const std::uint64_t m = point.at("m"), n = point.at("n"), k = point.at("k");
    for (int spot = 0; spot < kSpots; spot++) {
      const std::uint64_t row = spot == 0 ? m - 1 : mixed(2 * spot) % m, column = spot == 0 ? n - 1 : mixed(2 * spot + 1) % n;
      Sum sum;
      for (std::uint64_t i = 0; i < k; i++) sum.add(operandAt(format, kInputs, row * k + i) * operandAt(format, kWeights, column * k + i));
      const double got = resultAt(gpu_, format, operands.outputs.at(), row * n + column);
      near(point.text() + " at " + std::to_string(row) + ',' + std::to_string(column), got, sum.value, sum.scale(),
                 format == Format::int8 ? 0 : kBf16);
    }
  }

  Cublas& cublas_;
};

}  // namespace

void addGemm(Gpu& gpu, Cublas& cublas, Ops* ops) { ops->push_back(std::make_unique<GemmOp>(gpu, cublas)); }

}  // namespace calib::cuda
