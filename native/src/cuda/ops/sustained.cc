// A large product for twenty seconds: what clocks, power and heat leave of the first second's rate. Writes a `sustained` line each second.
#include "ops.h"

namespace calib::cuda {

namespace {

using u64 = unsigned long long;

class SustainedOp : public GpuOp {
 public:
  SustainedOp(Gpu& gpu, Cublas& cublas) : GpuOp(gpu, "sustained"), cublas_(cublas) {}

  std::vector<Point> points(Plan plan) const override {
    if (plan == Plan::quick) return {};
    const std::int64_t size = plan == Plan::tiny ? 64 : 8192;
    return {{name_, "bf16", {{"m", size}, {"n", size}, {"k", size}}, 0, 2, plan == Plan::tiny ? 0.1 : 21}};
  }

  Sample measure(const Point& point, const Run& run) override {
    const auto m = point.at("m"), n = point.at("n"), k = point.at("k");
    const double interval = run.options.plan == Plan::tiny ? 0.01 : 1;
    if (const std::string reason = cublas_.refusal(Format::bf16); !reason.empty()) throw Fault(Code::NoLibrary, "sustained: " + reason);
    Memory x(gpu_, m * k * 2), weights(gpu_, n * k * 2), y(gpu_, m * n * 2);
    gpu_.launch("fill_bf16", gpu_.spread(m * k), 256, x.at(), u64(m * k), u64(701));
    gpu_.launch("fill_bf16", gpu_.spread(n * k), 256, weights.at(), u64(n * k), u64(702));
    const auto call = [&] { cublas_.linear(Format::bf16, x.at(), weights.at(), y.at(), static_cast<int>(m), static_cast<int>(n), static_cast<int>(k)); };
    call();
    gpu_.finish();
    std::vector<double> seconds;
    std::int64_t calls = 0;
    Health health;
    for (int second = 0; second < kSeconds; second++) {
      if (run.cancelled) throw Fault(Code::Abort, "interrupted");
      const double began = now();
      // Eight at a time keep the queue short enough to stop at the second.
      for (calls = 0; now() - began < interval; calls += 8) {
        for (int i = 0; i < 8; i++) call();
        gpu_.finish();
      }
      seconds.push_back((now() - began) / static_cast<double>(calls));
      health = gpu_.nvml().health();
      write(run, point, second, 2.0 * m * n * k / seconds.back(), health);
    }
    const double first = seconds.front();
    seconds.erase(seconds.begin(), seconds.begin() + kSeconds * 3 / 4);
    Sample sample;
    sample.timing = summarise(seconds, std::vector<double>(seconds.size(), 0.0), calls);
    sample.impl = cublas_.version();
    sample.flops = 2.0 * m * n * k;
    sample.bytes = 2.0 * (m * k + n * k + m * n);
    sample.extras = {{"burst", first}, {"smMHz", static_cast<double>(health.smMHz)}, {"watts", health.watts},
                     {"celsius", static_cast<double>(health.celsius)}, {"throttle", static_cast<double>(health.throttle & kThrottled)}};
    return sample;
  }

 private:
  static constexpr int kSeconds = 20;

  static void write(const Run& run, const Point& point, int second, double rate, const Health& health) {
    Json line;
    line.add("v", 1).add("kind", "sustained").add("op", point.op).add("dtype", point.dtype).add("second", second).add("flopPerSecond", rate);
    line.add("smMHz", health.smMHz).add("memoryMHz", health.memoryMHz).add("watts", health.watts).add("celsius", health.celsius);
    run.write(line.add("throttle", static_cast<std::int64_t>(health.throttle & kThrottled)).text());
  }

  Cublas& cublas_;
};

}  // namespace

void addSustained(Gpu& gpu, Cublas& cublas, Ops* ops) { ops->push_back(std::make_unique<SustainedOp>(gpu, cublas)); }

}  // namespace calib::cuda
