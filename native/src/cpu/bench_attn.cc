// Attention over a paged cache of bf16: decode of one token, and causal prefill of a chunk behind a prefix.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "attention.h"
#include "device.h"

namespace calib::cpu {

namespace {
/** A cache of random keys and values, with pages in random order, and the same numbers in plain order. */
struct RandomCache {
  std::vector<char> pages;
  std::vector<int32_t> table;
  std::vector<float> keys, values;  // [batch][context][kvHead][d]
};

RandomCache randomCache(const AttentionShape& shape) {
  Random random(13);
  RandomCache cache;
  const int count = shape.batch * shape.pages(), d = shape.headDim;
  cache.table.resize(static_cast<size_t>(count));
  std::iota(cache.table.begin(), cache.table.end(), 0);
  for (size_t i = cache.table.size() - 1; i > 0; i--) std::swap(cache.table[i], cache.table[random.below(i + 1)]);
  cache.pages.resize(static_cast<size_t>(count * shape.pageBytes()));
  cache.keys.resize(static_cast<size_t>(shape.batch) * shape.context() * shape.kvHeads * d);
  cache.values.resize(cache.keys.size());
  size_t at = 0;
  for (int sequence = 0; sequence < shape.batch; sequence++)
    for (int token = 0; token < shape.context(); token++)
      for (int head = 0; head < shape.kvHeads; head++)
        for (int j = 0; j < d; j++, at++) {
          const uint16_t key = toBf16(random.unit()), value = toBf16(random.unit());
          cache.keys[at] = fromBf16(key);
          cache.values[at] = fromBf16(value);
          char* const page = cache.pages.data() + cache.table[static_cast<size_t>(sequence * shape.pages() + token / kPage)] * shape.pageBytes() +
                             head * shape.headPageBytes();
          const int t = token % kPage;
          std::memcpy(page + (j / 2 * kPage + t) * 4 + j % 2 * 2, &key, 2);
          std::memcpy(page + d * kPage * 2 + (t / 2 * d + j) * 4 + t % 2 * 2, &value, 2);
        }
  return cache;
}

std::vector<double> reference(const AttentionShape& shape, const std::vector<float>& queries, const RandomCache& cache) {
  const int d = shape.headDim, group = shape.heads / shape.kvHeads;
  std::vector<double> out(queries.size());
  for (int sequence = 0; sequence < shape.batch; sequence++)
    for (int token = 0; token < shape.tokens; token++)
      for (int head = 0; head < shape.heads; head++) {
        const size_t row = (static_cast<size_t>(sequence * shape.tokens + token) * shape.heads + head) * d;
        const int seen = shape.prefix + token + 1;
        const auto cached = [&](int t) { return (static_cast<size_t>(sequence * shape.context() + t) * shape.kvHeads + head / group) * d; };
        std::vector<double> scores(static_cast<size_t>(seen));
        double most = -INFINITY, total = 0;
        for (int t = 0; t < seen; t++) {
          double dot = 0;
          for (int j = 0; j < d; j++) dot += static_cast<double>(queries[row + j]) * cache.keys[cached(t) + j];
          scores[static_cast<size_t>(t)] = dot / std::sqrt(static_cast<double>(d));
          most = std::max(most, scores[static_cast<size_t>(t)]);
        }
        for (double& score : scores) total += score = std::exp(score - most);
        for (int t = 0; t < seen; t++)
          for (int j = 0; j < d; j++) out[row + j] += scores[static_cast<size_t>(t)] / total * cache.values[cached(t) + j];
      }
  return out;
}

double errorOf(const KernelSet& kernels, Pool& pool, const AttentionShape& shape) {
  const RandomCache cache = randomCache(shape);
  Random random(17);
  std::vector<float> queries(static_cast<size_t>(shape.batch) * shape.tokens * shape.heads * shape.headDim), output(queries.size());
  for (float& value : queries) value = 4 * random.unit();
  PagedAttention attention(kernels, shape, pool.size());
  pool.run(pool.size(), [&](const Worker& worker) { attention.run(worker, queries.data(), cache.pages.data(), cache.table.data(), output.data()); });
  return relativeError(reference(shape, queries, cache), output.data());
}

/** Contexts that end inside a page and inside a block, one of them split between workers; groups of one and of several heads. */
Check checkDecode(const KernelSet& kernels, Pool& pool, const std::string&) {
  double worst = 0;
  for (const AttentionShape& shape : {AttentionShape{3, 1, 299, 6, 2, 64}, AttentionShape{1, 1, 1030, 1, 1, 128}, AttentionShape{1, 1, 4, 20, 1, 96}})
    worst = std::max(worst, errorOf(kernels, pool, shape));
  return {worst, 1e-2};
}

Check checkPrefill(const KernelSet& kernels, Pool& pool, const std::string&) {
  double worst = 0;
  for (const AttentionShape& shape : {AttentionShape{2, 37, 0, 4, 4, 64}, AttentionShape{1, 21, 150, 6, 2, 128}})
    worst = std::max(worst, errorOf(kernels, pool, shape));
  return {worst, 1e-2};
}

class AttentionOp : public Op {
 public:
  AttentionOp(CpuDevice& device, bool prefill) : device_(device), prefill_(prefill) {}
  const char* name() const override { return prefill_ ? "attn.prefill" : "attn.decode"; }

  std::vector<Point> points(Plan plan) const override {
    std::vector<Point> found;
    const bool full = plan == Plan::full;
    if (plan == Plan::tiny) {
      found.push_back(prefill_ ? prefill(24, 16, 2) : decode(2, 256, 2));
      return found;
    }
    for (const int kvHeads : {8, 32}) {
      if (prefill_) {
        for (const int tokens : full ? std::vector<int>{32, 128, 512, 2048} : std::vector<int>{128, 512})
          for (const int prefix : full ? std::vector<int>{0, 512, 2048} : std::vector<int>{0, 1024, 2048})
            if (tokens < 2048 || prefix == 0) found.push_back(prefill(tokens, prefix, kvHeads));
      } else {
        for (const int batch : full ? std::vector<int>{1, 4, 16} : std::vector<int>{1, 8})
          for (const int context : full ? std::vector<int>{256, 1024, 4096, 16384} : std::vector<int>{256, 1024, 4096}) found.push_back(decode(batch, context, kvHeads));
      }
    }
    const auto large = [this](const Point& point) { return cacheBytes(shapeOf(point)) > device_.arenaBytes(); };
    found.erase(std::remove_if(found.begin(), found.end(), large), found.end());
    return found;
  }

  Sample measure(const Point& point, const Run& run) override {
    if (point.dtype != "bf16") throw Fault(Code::UnsupportedDtype, std::string(name()) + ": the cache is bf16, not \"" + point.dtype + "\"");
    checks_.pass(name(), point.dtype, device_.kernels(), prefill_ ? checkPrefill : checkDecode, device_.pool(), run);
    const AttentionShape shape = shapeOf(point);
    const int threads = device_.threadsOf(point);
    PagedAttention attention(device_.kernels(), shape, threads);
    const int64_t perCall = int64_t{shape.batch} * shape.pages(), all = device_.arenaBytes() / shape.pageBytes();
    if (perCall > all) throw Fault(Code::OutOfMemory, point.text() + ": the cache needs " + std::to_string(cacheBytes(shape) >> 20) + " MiB");
    // Every page of the arena once, in random order; each call takes the next ones, so that none is found in a cache.
    std::vector<int32_t> pages(static_cast<size_t>(all));
    std::iota(pages.begin(), pages.end(), 0);
    Random random(19);
    for (size_t i = pages.size() - 1; i > 0; i--) std::swap(pages[i], pages[random.below(i + 1)]);
    const int64_t turns = all / perCall;
    const size_t count = static_cast<size_t>(shape.batch) * shape.tokens * shape.heads * shape.headDim;
    Buffer queries(count * 4), output(count * 4);
    queries.fillNumbers(device_.pool(), 23);
    output.fillNumbers(device_.pool(), 29);
    const char* const cache = device_.arena().as<char>();
    const Body body = [&](const Worker& worker, int64_t i) {
      attention.run(worker, queries.as<float>(), cache, pages.data() + i % turns * perCall, output.as<float>());
    };
    Sample sample;
    sample.impl = device_.kernels().name;
    sample.timing = calib::sample(device_.pool(), threads, body, run.cancelled, run.rules);
    const double d = shape.headDim, tokens = shape.tokens, area = tokens * shape.prefix + tokens * (tokens + 1) / 2;
    sample.flops = 4.0 * shape.batch * shape.heads * d * area;
    sample.bytes = 4.0 * shape.batch * d * (tokens * shape.heads + double{1} * shape.kvHeads * shape.context());
    sample.rotation = static_cast<int>(turns);
    return sample;
  }

 private:
  Point decode(int batch, int context, int kvHeads) const {
    const double call = 128.0 * 4 * batch * kvHeads * context / 5e9 / device_.threads();
    return {name(), "bf16", {{"batch", batch}, {"context", context}, {"heads", 32}, {"kv_heads", kvHeads}, {"head_dim", 128}, {"window", 0}},
            device_.threads(), 0, 0.02 + std::min(1.7, 6 * call)};
  }
  Point prefill(int tokens, int prefix, int kvHeads) const {
    const double call = 4.0 * 32 * 128 * tokens * (prefix + tokens / 2.0) / 3e10 / device_.threads();
    return {name(), "bf16",
            {{"batch", 1}, {"tokens", tokens}, {"prefix", prefix}, {"heads", 32}, {"kv_heads", kvHeads}, {"head_dim", 128}, {"window", 0}},
            device_.threads(), 0, 0.02 + std::min(1.7, 6 * call)};
  }
  AttentionShape shapeOf(const Point& point) const {
    const auto axis = [&](const char* name) { return static_cast<int>(std::min<int64_t>(point.at(name), 1 << 24)); };
    if (axis("window") != 0) throw Fault(Code::UnsupportedDtype, point.text() + ": windows are not measured; window is 0");
    if (prefill_) return {axis("batch"), axis("tokens"), axis("prefix"), axis("heads"), axis("kv_heads"), axis("head_dim")};
    return {axis("batch"), 1, axis("context") - 1, axis("heads"), axis("kv_heads"), axis("head_dim")};
  }
  static int64_t cacheBytes(const AttentionShape& shape) { return int64_t{shape.batch} * shape.pages() * shape.pageBytes(); }

  CpuDevice& device_;
  const bool prefill_;
  Checks checks_;
};
}  // namespace

std::unique_ptr<Op> decodeOp(CpuDevice& device) { return std::make_unique<AttentionOp>(device, false); }
std::unique_ptr<Op> prefillOp(CpuDevice& device) { return std::make_unique<AttentionOp>(device, true); }

}  // namespace calib::cpu
