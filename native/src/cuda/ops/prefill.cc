// Causal prefill attention by our own tensor-core kernel: no faster than FlashAttention, so a lower bound of an engine's rate.
#include <algorithm>

#include "ops.h"

namespace calib::cuda {

namespace {

using u64 = unsigned long long;
constexpr int kHead = 128, kBlock = 64;
constexpr u64 kQueries = 501, kKeys = 502, kValues = 503;
constexpr float kScale = 0.5f;

struct Shape {
  std::int64_t tokens, prefix, heads, kvHeads;
  std::int64_t keys() const { return tokens + prefix; }
};

class PrefillOp : public GpuOp {
 public:
  explicit PrefillOp(Gpu& gpu) : GpuOp(gpu, "attn.prefill") {}

  std::vector<Point> points(Plan plan) const override {
    std::vector<Point> points;
    const auto add = [&](std::int64_t tokens, std::int64_t prefix, std::int64_t heads, std::int64_t kvHeads) {
      points.push_back({name_, "bf16",
                        {{"batch", 1}, {"tokens", tokens}, {"prefix", prefix}, {"heads", heads}, {"kv_heads", kvHeads}, {"head_dim", kHead}, {"window", 0}},
                        0, 1, 0.3});
    };
    if (plan == Plan::tiny) {
      add(64, 0, 2, 1);
      add(64, 64, 2, 2);
      return points;
    }
    for (const std::int64_t tokens : plan == Plan::quick ? std::vector<std::int64_t>{2048} : std::vector<std::int64_t>{128, 512, 2048, 8192, 16384})
      for (const std::int64_t prefix : {0, 8192}) add(tokens, prefix, 32, 8);
    return points;
  }

  Sample measure(const Point& point, const Run& run) override {
    if (gpu_.capability() < 80) throw Fault(Code::UnsupportedArch, "attn.prefill needs bf16 tensor cores: compute capability 8.0");
    const Shape s = shapeOf(point);
    Memory queries(gpu_, s.tokens * s.heads * kHead * 2), outputs(gpu_, s.tokens * s.heads * kHead * 2);
    Memory keys(gpu_, s.keys() * s.kvHeads * kHead * 2), values(gpu_, s.keys() * s.kvHeads * kHead * 2);
    const auto fill = [&](const Memory& memory, u64 seed) {
      gpu_.launch("fill_bf16", gpu_.spread(memory.size() / 2), 256, memory.at(), u64(memory.size() / 2), seed);
    };
    fill(queries, kQueries);
    fill(keys, kKeys);
    fill(values, kValues);
    const Grid grid{static_cast<unsigned>(s.tokens / kBlock), static_cast<unsigned>(s.heads)};
    const auto call = [&](std::int64_t) {
      gpu_.launch("attn_prefill", grid, 128, queries.at(), keys.at(), values.at(), outputs.at(), static_cast<int>(s.heads),
                  static_cast<int>(s.kvHeads), static_cast<int>(s.prefix), kScale);
    };
    call(0);
    gpu_.finish();
    verify(point, s, outputs);
    passed(run, point);
    Sample sample = gpu_.time(run, call);
    const double area = static_cast<double>(s.tokens) * s.prefix + s.tokens * (s.tokens + 1.0) / 2;
    sample.flops = 4 * kHead * area * s.heads;
    sample.bytes = 2.0 * kHead * (s.heads * s.tokens * 2 + s.kvHeads * s.keys() * 2);
    sample.impl += ", own wmma kernel: a lower bound";
    return sample;
  }

 private:
  static Shape shapeOf(const Point& point) {
    const Shape s{point.at("tokens"), point.at("prefix"), point.at("heads"), point.at("kv_heads")};
    if (point.at("batch") != 1 || s.tokens < kBlock || s.tokens % kBlock != 0 || s.prefix % kBlock != 0 || s.kvHeads < 1 ||
        s.heads % s.kvHeads != 0 || point.at("head_dim") != kHead || point.at("window") != 0)
      throw Fault(Code::Usage, point.text() + ": batch 1, tokens and prefix in steps of 64, head_dim 128 and window 0 can be measured");
    return s;
  }

  /** Three rows in whole: the first, the last, and one in between, each of another head. */
  void verify(const Point& point, const Shape& s, const Memory& outputs) {
    const std::pair<std::int64_t, std::int64_t> rows[] = {{0, 0}, {s.tokens - 1, s.heads - 1}, {s.tokens / 3, s.heads / 2}};
    for (const auto& [query, head] : rows) {
      const std::int64_t kvHead = head / (s.heads / s.kvHeads), seen = s.prefix + query + 1, row = query * s.heads + head;
      std::vector<double> weights(seen);
      double most = -INFINITY, total = 0;
      for (std::int64_t t = 0; t < seen; t++) {
        for (int d = 0; d < kHead; d++) weights[t] += unitAt(kQueries, row * kHead + d) * unitAt(kKeys, (t * s.kvHeads + kvHead) * kHead + d) * kScale;
        most = std::max(most, weights[t]);
      }
      for (double& weight : weights) total += weight = std::exp(weight - most);
      const auto got = gpu_.read<std::uint16_t>(outputs.at(row * kHead * 2), kHead);
      for (int d = 0; d < kHead; d++) {
        Sum sum;
        for (std::int64_t t = 0; t < seen; t++) sum.add(weights[t] / total * unitAt(kValues, (t * s.kvHeads + kvHead) * kHead + d));
        near(point.text() + " at " + std::to_string(row) + ',' + std::to_string(d), bf16Value(got[d]), sum.value, sum.scale(), kBf16);
      }
    }
  }
};

}  // namespace

void addPrefill(Gpu& gpu, Ops* ops) { ops->push_back(std::make_unique<PrefillOp>(gpu)); }

}  // namespace calib::cuda
