// Decode attention over a paged cache, pages unique and shuffled as an engine's are after an hour, by our own split-KV kernel.
#include <algorithm>
#include <numeric>

#include "ops.h"

namespace calib::cuda {

namespace {

using u64 = unsigned long long;
constexpr int kHead = 128, kPage = 16, kTile = 64;
constexpr u64 kQueries = 401, kKeys = 402, kValues = 403;
constexpr float kScale = 0.5f;

struct Shape {
  std::int64_t batch, context, heads, kvHeads;
  std::int64_t group() const { return heads / kvHeads; }
  std::int64_t pagesEach() const { return (context + kPage - 1) / kPage; }
  std::int64_t pages() const { return batch * pagesEach(); }
  size_t pageBytes() const { return static_cast<size_t>(kPage) * kvHeads * kHead * 2; }
  size_t cacheBytes() const { return 2 * pages() * pageBytes(); }
};

/** The cache of several rotations, whose pages lie in a random order, and everything a call takes. */
class Operands {
 public:
  Operands(Gpu& gpu, const Shape& s, int splits)
      : cache(gpu, s.cacheBytes(), copiesBeyondCache(gpu, s.cacheBytes())), half(cache.copies() * s.pages() * s.pageBytes()),
        queries(gpu, s.batch * s.heads * kHead * 2), outputs(gpu, s.batch * s.heads * kHead * 2),
        parts(gpu, s.batch * s.heads * splits * kHead * 4), stats(gpu, s.batch * s.heads * splits * 8),
        tables(gpu, cache.copies() * s.pages() * 4), order(cache.copies() * s.pages()) {
    const u64 values = half / 2;
    gpu.launch("fill_bf16", gpu.spread(values), 256, keys(), values, kKeys);
    gpu.launch("fill_bf16", gpu.spread(values), 256, this->values(), values, kValues);
    gpu.launch("fill_bf16", gpu.spread(s.batch * s.heads * kHead), 256, queries.at(), u64(s.batch * s.heads * kHead), kQueries);
    std::iota(order.begin(), order.end(), 0);
    for (size_t i = order.size(); i > 1; i--) std::swap(order[i - 1], order[mixed(i) % i]);
    gpu.write(tables.at(), order);
  }
  Pointer keys() const { return cache.turn(0); }
  Pointer values() const { return cache.turn(0) + half; }

  Rotation cache;
  /** Bytes of all keys; the values lie behind them. */
  size_t half;
  Memory queries, outputs, parts, stats, tables;
  /** The page of each table's entry. */
  std::vector<int> order;
};

class DecodeOp : public GpuOp {
 public:
  explicit DecodeOp(Gpu& gpu) : GpuOp(gpu, "attn.decode") {}

  std::vector<Point> points(Plan plan) const override {
    std::vector<Point> points;
    const auto add = [&](std::int64_t batch, std::int64_t context, std::int64_t kvHeads, std::int64_t group) {
      const Shape s{batch, context, kvHeads * group, kvHeads};
      if (s.cacheBytes() + (64 << 20) > gpu_.limit() && plan != Plan::tiny) return;
      points.push_back({name_, "bf16",
                        {{"batch", batch}, {"context", context}, {"heads", s.heads}, {"kv_heads", kvHeads}, {"head_dim", kHead}, {"window", 0}},
                        0, group == 4 && kvHeads == 8 ? 0 : 1, 0.15});
    };
    if (plan == Plan::tiny) {
      for (const std::int64_t group : {1, 4, 8}) add(2, 100, 2, group);
      add(1, 520, 1, 4);  // long enough for several splits
      return points;
    }
    const bool quick = plan == Plan::quick;
    for (const std::int64_t batch : quick ? std::vector<std::int64_t>{1, 32} : std::vector<std::int64_t>{1, 4, 16, 64, 256})
      for (const std::int64_t context : quick ? std::vector<std::int64_t>{4096} : std::vector<std::int64_t>{128, 512, 2048, 8192, 32768})
        for (const std::int64_t kvHeads : quick ? std::vector<std::int64_t>{8} : std::vector<std::int64_t>{1, 8})
          for (const std::int64_t group : quick ? std::vector<std::int64_t>{4} : std::vector<std::int64_t>{1, 4, 8}) add(batch, context, kvHeads, group);
    return points;
  }

  Sample measure(const Point& point, const Run& run) override {
    const Shape s = shapeOf(point);
    const int splits = splitsFor(s);
    Operands operands(gpu_, s, splits);
    const auto call = [&](std::int64_t i) { enqueue(s, splits, operands, i); };
    call(0);
    gpu_.finish();
    verify(point, s, operands);
    passed(run, point);
    Sample sample = gpu_.time(run, call);
    sample.rotation = static_cast<int>(operands.cache.copies());
    sample.flops = 4.0 * s.batch * s.heads * kHead * s.context;
    sample.bytes = 2.0 * s.batch * kHead * (s.heads * 2 + s.kvHeads * s.context * 2);
    sample.extras.push_back({"splits", static_cast<double>(splits)});
    return sample;
  }

 private:
  static Shape shapeOf(const Point& point) {
    const Shape s{point.at("batch"), point.at("context"), point.at("heads"), point.at("kv_heads")};
    const bool whole = s.kvHeads > 0 && s.heads % s.kvHeads == 0;
    if (s.batch < 1 || s.context < 1 || !whole || (s.group() != 1 && s.group() != 4 && s.group() != 8) || point.at("head_dim") != kHead || point.at("window") != 0)
      throw Fault(Code::Usage, point.text() + ": 1, 4 or 8 heads for each KV head, head_dim 128 and window 0 can be measured");
    return s;
  }

  /** Enough blocks for each SM to have four, but none with less than 256 tokens. */
  int splitsFor(const Shape& s) const {
    const std::int64_t wanted = (4 * gpu_.sms() + s.batch * s.kvHeads - 1) / (s.batch * s.kvHeads);
    return static_cast<int>(std::clamp<std::int64_t>(wanted, 1, std::max<std::int64_t>(1, (s.context + 4 * kTile - 1) / (4 * kTile))));
  }

  void enqueue(const Shape& s, int splits, const Operands& o, std::int64_t i) {
    const Pointer table = o.tables.at(static_cast<size_t>(i % o.cache.copies()) * s.pages() * 4);
    const std::string kernel = "decode_g" + std::to_string(s.group());
    const Grid grid{static_cast<unsigned>(splits), static_cast<unsigned>(s.kvHeads), static_cast<unsigned>(s.batch)};
    gpu_.launch(kernel.c_str(), grid, 128, o.queries.at(), o.keys(), o.values(), table, static_cast<int>(s.pagesEach()),
                static_cast<int>(s.context), kScale, o.parts.at(), o.stats.at());
    gpu_.launch("decode_merge", {static_cast<unsigned>(s.batch * s.heads)}, kHead, o.parts.at(), o.stats.at(), o.outputs.at(), splits);
  }

  /** Two query heads in whole: the last of the last sequence, and one in between. */
  void verify(const Point& point, const Shape& s, const Operands& o) {
    for (const std::int64_t row : {s.batch * s.heads - 1, s.batch * s.heads / 3}) {
      const std::int64_t sequence = row / s.heads, kvHead = row % s.heads / s.group();
      const auto at = [&](u64 seed, std::int64_t token, int d) {
        const u64 page = o.order[sequence * s.pagesEach() + token / kPage];
        return unitAt(seed, ((page * kPage + token % kPage) * s.kvHeads + kvHead) * kHead + d);
      };
      std::vector<double> weights(s.context);
      double most = -INFINITY, total = 0;
      for (std::int64_t t = 0; t < s.context; t++) {
        for (int d = 0; d < kHead; d++) weights[t] += unitAt(kQueries, row * kHead + d) * at(kKeys, t, d) * kScale;
        most = std::max(most, weights[t]);
      }
      for (double& weight : weights) total += weight = std::exp(weight - most);
      const auto got = gpu_.read<std::uint16_t>(o.outputs.at(row * kHead * 2), kHead);
      for (int d = 0; d < kHead; d++) {
        Sum sum;
        for (std::int64_t t = 0; t < s.context; t++) sum.add(weights[t] / total * at(kValues, t, d));
        near(point.text() + " at " + std::to_string(row) + ',' + std::to_string(d), bf16Value(got[d]), sum.value, sum.scale(), kBf16);
      }
    }
  }
};

}  // namespace

void addDecode(Gpu& gpu, Ops* ops) { ops->push_back(std::make_unique<DecodeOp>(gpu)); }

}  // namespace calib::cuda
