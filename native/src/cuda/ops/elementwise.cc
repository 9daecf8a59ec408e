// The small operations between products: rmsnorm, silu_mul, add, rope, on bf16 activations of one width and growing numbers of tokens.
#include <cmath>

#include "ops.h"

namespace calib::cuda {

namespace {

using u64 = unsigned long long;
constexpr u64 kX = 601, kOther = 602;
constexpr int kHead = 128;
constexpr int kSpots = 64;

/** What an op reads and writes: elements of width for each one, and FLOP, as `elementwiseOps` of the cost model counts them. */
struct Kind {
  const char* name;
  int moved, flops;
};
constexpr Kind kinds[] = {{"rmsnorm", 2, 4}, {"silu_mul", 3, 5}, {"add", 3, 1}, {"rope", 2, 3}};

class ElementwiseOp : public GpuOp {
 public:
  ElementwiseOp(Gpu& gpu, const Kind& kind) : GpuOp(gpu, kind.name), kind_(kind) {}

  std::vector<Point> points(Plan plan) const override {
    if (plan == Plan::tiny) return {{name_, "bf16", {{"tokens", 3}, {"width", 512}}}};
    std::vector<Point> points;
    const std::int64_t width = 4096, from = plan == Plan::quick ? 16 << 20 : 16 << 10, to = plan == Plan::quick ? 16 << 20 : 1 << 30;
    for (const std::int64_t bytes : sizesWithin(gpu_, from, to, 2)) {
      const std::int64_t tokens = std::max<std::int64_t>(1, bytes / (kind_.moved * 2 * width));
      points.push_back({name_, "bf16", {{"tokens", tokens}, {"width", width}}, 0, 1, 0.1});
    }
    return points;
  }

  Sample measure(const Point& point, const Run& run) override {
    const std::int64_t tokens = point.at("tokens"), width = point.at("width");
    if (tokens < 1 || width < kHead || width % kHead != 0) throw Fault(Code::Usage, point.text() + ": the width is a multiple of 128");
    const size_t elements = static_cast<size_t>(tokens) * width;
    const bool rope = name_ == "rope";
    Memory x(gpu_, elements * 2), y(gpu_, elements * 2), other(gpu_, rope ? tokens * kHead * 4 : name_ == "rmsnorm" ? width * 2 : elements * 2);
    gpu_.launch("fill_bf16", gpu_.spread(elements), 256, x.at(), u64(elements), kX);
    const u64 others = other.size() / (rope ? 4 : 2);
    gpu_.launch(rope ? "fill_f32" : "fill_bf16", gpu_.spread(others), 256, other.at(), others, kOther);
    const auto call = [&](std::int64_t) { enqueue(tokens, width, x.at(), other.at(), y.at()); };
    call(0);
    gpu_.finish();
    verify(point, tokens, width, y);
    passed(run, point);
    Sample sample = gpu_.time(run, call);
    sample.flops = static_cast<double>(kind_.flops) * elements;
    sample.bytes = 2.0 * kind_.moved * elements;
    return sample;
  }

 private:
  void enqueue(std::int64_t tokens, std::int64_t width, Pointer x, Pointer other, Pointer y) {
    const u64 words = static_cast<u64>(tokens) * width / 8;
    if (name_ == "rmsnorm") return gpu_.launch("rmsnorm", {static_cast<unsigned>(tokens)}, 256, x, other, y, static_cast<int>(width));
    if (name_ == "rope")
      return gpu_.launch("rope", gpu_.spread(words * 2), 256, x, other, y, static_cast<unsigned>(width / kHead), u64(words * 2));
    gpu_.launch(name_.c_str(), gpu_.spread(words), 256, x, other, y, words);
  }

  double wanted(std::int64_t token, std::int64_t column, std::int64_t width) const {
    const u64 index = static_cast<u64>(token) * width + column;
    const double x = unitAt(kX, index);
    if (name_ == "add") return x + unitAt(kOther, index);
    if (name_ == "silu_mul") return x / (1 + std::exp(-x)) * unitAt(kOther, index);
    if (name_ == "rmsnorm") {
      double square = 0;
      for (std::int64_t i = 0; i < width; i++) square += unitAt(kX, token * width + i) * unitAt(kX, token * width + i);
      return x / std::sqrt(square / width + 1e-6) * unitAt(kOther, column);
    }
    const int d = static_cast<int>(column % kHead), low = d % (kHead / 2);
    const double cosine = unitAt(kOther, token * kHead + 2 * low), sine = unitAt(kOther, token * kHead + 2 * low + 1);
    return d < kHead / 2 ? x * cosine - unitAt(kX, index + kHead / 2) * sine : x * cosine + unitAt(kX, index - kHead / 2) * sine;
  }

  void verify(const Point& point, std::int64_t tokens, std::int64_t width, const Memory& y) {
    for (int spot = 0; spot < kSpots; spot++) {
      const std::int64_t token = spot == 0 ? tokens - 1 : static_cast<std::int64_t>(mixed(2 * spot) % tokens);
      const std::int64_t column = spot == 0 ? width - 1 : static_cast<std::int64_t>(mixed(2 * spot + 1) % width);
      const double got = bf16Value(gpu_.read<std::uint16_t>(y.at((token * width + column) * 2), 1)[0]);
      // Inputs are of size 1, so errors are measured against that where a difference cancels.
      near(point.text() + " at " + std::to_string(token) + ',' + std::to_string(column), got, wanted(token, column, width), 0.5, kBf16);
    }
  }

  const Kind kind_;
};

}  // namespace

void addElementwise(Gpu& gpu, Ops* ops) {
  for (const Kind& kind : kinds) ops->push_back(std::make_unique<ElementwiseOp>(gpu, kind));
}

}  // namespace calib::cuda
