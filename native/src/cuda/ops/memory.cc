// Device memory: read, write, copy and triad by the SMs, and copy by the copy engine, over working sets from the caches to beyond them.
#include <algorithm>

#include "ops.h"

namespace calib::cuda {

namespace {

constexpr std::uint64_t kSeed = 11;
constexpr int kSpots = 64;

enum class Traffic { read, write, copy, triad, engine };
struct Kind {
  Traffic traffic;
  const char* name;
  int buffers;
};
constexpr Kind kinds[] = {{Traffic::read, "mem.read", 1}, {Traffic::write, "mem.write", 1}, {Traffic::copy, "mem.copy", 2},
                          {Traffic::triad, "mem.triad", 3}, {Traffic::engine, "mem.copy_engine", 2}};

/** `bytes` is the working set: all buffers together. */
class MemoryOp : public GpuOp {
 public:
  MemoryOp(Gpu& gpu, const Kind& kind) : GpuOp(gpu, kind.name), kind_(kind) {}

  std::vector<Point> points(Plan plan) const override {
    if (plan == Plan::tiny) return {{name_, "", {{"bytes", 144 << 10}}}};
    const std::int64_t from = plan == Plan::quick ? 64 << 20 : 64 << 10, to = plan == Plan::quick ? 256 << 20 : std::int64_t{2} << 30;
    std::vector<Point> points;
    for (const std::int64_t bytes : sizesWithin(gpu_, from, to, 1)) points.push_back({name_, "", {{"bytes", bytes}}, 0, 0, 0.1});
    return points;
  }

  Sample measure(const Point& point, const Run& run) override {
    words_ = static_cast<std::uint64_t>(point.at("bytes")) / kind_.buffers / 16;
    if (words_ < 256) throw Fault(Code::Usage, point.text() + ": at least " + std::to_string(kind_.buffers * 4096) + " bytes are needed");
    std::vector<std::unique_ptr<Memory>> buffers;
    for (int i = 0; i < kind_.buffers; i++) buffers.push_back(std::make_unique<Memory>(gpu_, words_ * 16));
    // `sum` is where reads leave their XOR.
    Memory sum(gpu_, 256);
    for (int i = 0; i < kind_.buffers; i++) gpu_.launch("fill_f32", gpu_.spread(words_ * 4), 256, buffers[i]->at(), u64(words_ * 4), u64(kSeed + 1000003 * i));
    gpu_.write(sum.at(), std::vector<unsigned>{0});
    gpu_.finish();
    const auto call = [&](std::int64_t) { enqueue(buffers, sum); };
    call(0);
    gpu_.finish();
    verify(buffers, sum);
    passed(run, point);
    Sample sample = gpu_.time(run, call);
    const double passes = kind_.traffic == Traffic::triad ? 3 : kind_.buffers;
    sample.bytes = passes * 16.0 * static_cast<double>(words_);
    sample.flops = kind_.traffic == Traffic::triad ? 8.0 * static_cast<double>(words_) : 0;
    if (kind_.traffic == Traffic::engine) sample.impl = "copy engine";
    return sample;
  }

 private:
  using u64 = unsigned long long;
  using Buffers = std::vector<std::unique_ptr<Memory>>;

  void enqueue(const Buffers& b, const Memory& sum) {
    const Grid grid = gpu_.spread(words_ / 4 + 1);
    switch (kind_.traffic) {
      case Traffic::read: return gpu_.launch("mem_read", grid, 256, b[0]->at(), u64(words_), sum.at());
      case Traffic::write: return gpu_.launch("mem_write", grid, 256, b[0]->at(), u64(words_), 7u);
      case Traffic::copy: return gpu_.launch("mem_copy", grid, 256, b[0]->at(), b[1]->at(), u64(words_));
      case Traffic::triad: return gpu_.launch("mem_triad", grid, 256, b[0]->at(), b[1]->at(), b[2]->at(), 3.0f, u64(words_));
      case Traffic::engine:
        return gpu_.check(gpu_.driver().copyWithinAsync(b[0]->at(), b[1]->at(), words_ * 16, gpu_.stream()), "copy on the GPU");
    }
  }

  static float valueOf(int buffer, std::uint64_t index) { return static_cast<float>(unitAt(kSeed + 1000003 * buffer, index)); }

  void verify(const Buffers& b, const Memory& sum) {
    if (kind_.traffic == Traffic::read) return verifyRead(sum);
    for (int spot = 0; spot < kSpots; spot++) {
      const std::uint64_t word = spot == 0 ? words_ - 1 : mixed(spot) % words_;
      const std::string what = name_ + " word " + std::to_string(word);
      if (kind_.traffic == Traffic::write) {
        const auto got = gpu_.read<unsigned>(b[0]->at(word * 16), 4);
        const unsigned low = static_cast<unsigned>(word), want[4] = {low, 7u, low ^ 7u, ~low};
        for (int i = 0; i < 4; i++) near(what, got[i], want[i], 1, 0);
        continue;
      }
      const auto got = gpu_.read<float>(b[0]->at(word * 16), 4);
      for (int i = 0; i < 4; i++) {
        const double scaled = kind_.traffic == Traffic::triad ? 3.0 * valueOf(2, word * 4 + i) : 0;
        near(what, got[i], valueOf(1, word * 4 + i) + scaled, 1, kind_.traffic == Traffic::triad ? kF32 : 0);
      }
    }
  }

  /** The XOR of all words; recomputed where that takes the host no more than a moment. */
  void verifyRead(const Memory& sum) {
    if (words_ * 16 > 32 << 20) return;
    unsigned want = 0;
    for (std::uint64_t i = 0; i < words_ * 4; i++) {
      const float value = valueOf(0, i);
      unsigned bits;
      std::memcpy(&bits, &value, 4);
      want ^= bits;
    }
    near(name_, gpu_.read<unsigned>(sum.at(), 1)[0], want, 1, 0);
  }

  const Kind kind_;
  std::uint64_t words_ = 0;
};

}  // namespace

void addMemory(Gpu& gpu, Ops* ops) {
  for (const Kind& kind : kinds) ops->push_back(std::make_unique<MemoryOp>(gpu, kind));
}

}  // namespace calib::cuda
