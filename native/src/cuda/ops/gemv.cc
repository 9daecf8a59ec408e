// Decode's products of few rows by our own kernels: weights in bf16, and in int4 with int8 inputs as llama.cpp's kernels take them.
#include "ops.h"

namespace calib::cuda {

namespace {

using u64 = unsigned long long;
constexpr u64 kWeights = 301, kScales = 302, kInputs = 303;
constexpr unsigned kWarps = 4;
constexpr int kSpots = 16;
constexpr float kInputScale = 1.0f / 128;

struct Shape {
  std::int64_t m, n, k;
};

class GemvOp : public GpuOp {
 public:
  explicit GemvOp(Gpu& gpu) : GpuOp(gpu, "gemv") {}

  std::vector<Point> points(Plan plan) const override {
    std::vector<Point> points;
    const auto add = [&](std::int64_t m, std::int64_t n, std::int64_t k) {
      for (const char* dtype : {"bf16", "int4_g32"}) points.push_back({name_, dtype, {{"m", m}, {"n", n}, {"k", k}}, 0, 0, 0.1});
    };
    if (plan == Plan::tiny) {
      for (const std::int64_t m : {1, 2, 4, 8}) add(m, 10, 320);
      return points;
    }
    // Layers of models from 1 B to 70 B parameters: projections, gate and up, down, and a head of 128,256 tokens.
    const std::vector<std::pair<std::int64_t, std::int64_t>> layers = {{2048, 2048}, {4096, 4096}, {8192, 8192}, {28672, 4096},
                                                                        {4096, 14336}, {57344, 8192}, {8192, 28672}, {128256, 4096}};
    for (const auto& [n, k] : layers)
      for (const std::int64_t m : plan == Plan::quick ? std::vector<std::int64_t>{1} : std::vector<std::int64_t>{1, 2, 4, 8})
        if (static_cast<size_t>(n * k * 2) + (16 << 20) <= gpu_.limit()) add(m, n, k);
    return points;
  }

  Sample measure(const Point& point, const Run& run) override {
    const Shape shape{point.at("m"), point.at("n"), point.at("k")};
    if ((shape.m != 1 && shape.m != 2 && shape.m != 4 && shape.m != 8) || shape.n < 1 || shape.k < 32 || shape.k % 32 != 0)
      throw Fault(Code::Usage, point.text() + ": m is 1, 2, 4 or 8 and k a multiple of 32");
    if (point.dtype == "bf16") return bf16(point, shape, run);
    if (point.dtype == "int4_g32") return int4(point, shape, run);
    throw Fault(Code::UnsupportedDtype, "gemv: \"" + point.dtype + "\" is none of bf16, int4_g32");
  }

 private:
  static Grid grid(const Shape& shape) { return {static_cast<unsigned>((shape.n + kWarps - 1) / kWarps)}; }

  Sample bf16(const Point& point, const Shape& s, const Run& run) {
    const u64 bytes = s.n * s.k * 2;
    Rotation weights(gpu_, bytes, copiesBeyondCache(gpu_, bytes));
    Memory inputs(gpu_, s.m * s.k * 2), outputs(gpu_, s.m * s.n * 2);
    for (std::int64_t copy = 0; copy < weights.copies(); copy++)
      gpu_.launch("fill_bf16", gpu_.spread(s.n * s.k), 256, weights.turn(copy), u64(s.n * s.k), kWeights);
    gpu_.launch("fill_bf16", gpu_.spread(s.m * s.k), 256, inputs.at(), u64(s.m * s.k), kInputs);
    const std::string kernel = "gemv_bf16_m" + std::to_string(s.m);
    const auto call = [&](std::int64_t i) {
      gpu_.launch(kernel.c_str(), grid(s), kWarps * 32, weights.turn(i), inputs.at(), outputs.at(), static_cast<int>(s.n), static_cast<int>(s.k));
    };
    call(0);
    gpu_.finish();
    verify(point, s, outputs, [&](u64 row, u64 column, u64 i) { return unitAt(kInputs, row * s.k + i) * unitAt(kWeights, column * s.k + i); });
    passed(run, point);
    return finished(gpu_.time(run, call), s, weights.copies(), bytes + 2.0 * s.m * s.k);
  }

  Sample int4(const Point& point, const Shape& s, const Run& run) {
    const u64 groups = s.k / 32, packed = s.n * groups * 16, scales = s.n * groups;
    Rotation weights(gpu_, packed + scales * 2, copiesBeyondCache(gpu_, packed + scales * 2));
    Memory inputs(gpu_, s.m * s.k), sums(gpu_, s.m * groups * 8), outputs(gpu_, s.m * s.n * 2);
    for (std::int64_t copy = 0; copy < weights.copies(); copy++) {
      gpu_.launch("fill_bits", gpu_.spread(packed / 8), 256, weights.turn(copy), u64(packed / 8), kWeights);
      gpu_.launch("fill_bf16", gpu_.spread(scales), 256, weights.turn(copy) + packed, scales, kScales);
    }
    gpu_.launch("fill_bits", gpu_.spread(s.m * s.k / 8), 256, inputs.at(), u64(s.m * s.k / 8), kInputs);
    gpu_.write(sums.at(), inputSums(s));
    const std::string kernel = "gemv_int4_m" + std::to_string(s.m);
    const auto call = [&](std::int64_t i) {
      gpu_.launch(kernel.c_str(), grid(s), kWarps * 32, weights.turn(i), weights.turn(i) + packed, inputs.at(), sums.at(), outputs.at(),
                  static_cast<int>(s.n), static_cast<int>(s.k));
    };
    call(0);
    gpu_.finish();
    verify(point, s, outputs, [&](u64 row, u64 column, u64 i) {
      // Word i/8 of the weights holds inputs 8w … 8w+3 in its bytes' low nibbles and 8w+4 … 8w+7 in the high ones.
      const std::uint8_t both = byteAt(kWeights, (column * s.k + i) / 8 * 4 + i % 4);
      const int nibble = i % 8 < 4 ? both & 15 : both >> 4;
      return (nibble - 8) * unitAt(kScales, column * groups + i / 32) * static_cast<std::int8_t>(byteAt(kInputs, row * s.k + i)) * kInputScale;
    });
    passed(run, point);
    Sample sample = finished(gpu_.time(run, call), s, weights.copies(), packed + scales * 2.0 + s.m * (s.k + groups * 8.0));
    sample.impl += ", int8 inputs";
    return sample;
  }

  /** For each group of 32 inputs: its scale, and 8 · scale · sum, which takes back the nibbles' zero of 8. */
  static std::vector<float> inputSums(const Shape& s) {
    std::vector<float> values;
    for (u64 group = 0; group < static_cast<u64>(s.m * s.k / 32); group++) {
      int sum = 0;
      for (int i = 0; i < 32; i++) sum += static_cast<std::int8_t>(byteAt(kInputs, group * 32 + i));
      values.push_back(kInputScale);
      values.push_back(8 * kInputScale * static_cast<float>(sum));
    }
    return values;
  }

  static Sample finished(Sample sample, const Shape& s, std::int64_t copies, double bytes) {
    sample.rotation = static_cast<int>(copies);
    sample.flops = 2.0 * s.m * s.n * s.k;
    sample.bytes = bytes + 2.0 * s.m * s.n;
    return sample;
  }

  template <class Term>
  void verify(const Point& point, const Shape& s, const Memory& outputs, const Term& term) {
    for (int spot = 0; spot < kSpots; spot++) {
      const u64 row = spot == 0 ? s.m - 1 : mixed(2 * spot) % s.m, column = spot == 0 ? s.n - 1 : mixed(2 * spot + 1) % s.n;
      Sum sum;
      for (u64 i = 0; i < static_cast<u64>(s.k); i++) sum.add(term(row, column, i));
      const double got = bf16Value(gpu_.read<std::uint16_t>(outputs.at((row * s.n + column) * 2), 1)[0]);
      near(point.text() + " at " + std::to_string(row) + ',' + std::to_string(column), got, sum.value, sum.scale(), kBf16);
    }
  }
};

}  // namespace

void addGemv(Gpu& gpu, Ops* ops) { ops->push_back(std::make_unique<GemvOp>(gpu)); }

}  // namespace calib::cuda
