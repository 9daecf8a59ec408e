// Matrix products as decode and prefill have them: few or many rows of activations, weights that come from memory each time.
#include <algorithm>

#include "device.h"
#include "gemm.h"

namespace calib::cpu {

namespace {
/** Compares with sums in double precision: of rounded bf16 inputs, of whole numbers exactly, of dequantised int4. */
Check checkGemm(const KernelSet& kernels, Pool& pool, const std::string& dtype) {
  const Format format = formatOf(dtype);
  // Odd counts of rows, a last panel that is not full, a last block of k that is not full.
  const int64_t m = 2 * kernels.rows + 5, n = 2 * kernels.panel + 3, k = 1024 + 160;
  Random random(11);
  std::vector<float> a(static_cast<size_t>(m * k)), w(static_cast<size_t>(k * n)), scales(static_cast<size_t>(k / kGroup * n));
  for (float& value : a) value = random.unit();
  for (float& value : scales) value = fromBf16(toBf16(0.01f + 0.005f * random.unit()));
  for (float& value : w) {
    if (format == Format::int8) value = static_cast<float>(static_cast<int>(random.below(255)) - 127);
    else if (format == Format::int4) value = static_cast<float>(static_cast<int>(random.below(16)) - 8);
    else value = random.unit();
  }
  Gemm gemm(kernels, format, m, n, k);
  std::vector<char> packed(static_cast<size_t>(gemm.weightBytes()));
  gemm.pack(w.data(), scales.data(), packed.data());
  std::vector<float> output(static_cast<size_t>(m * gemm.stride())), got(static_cast<size_t>(m * n));
  pool.run(pool.size(), [&](const Worker& worker) { gemm.run(worker, a.data(), packed.data(), output.data()); });
  std::vector<double> wanted(static_cast<size_t>(m * n));
  for (int64_t i = 0; i < m; i++) {
    for (int64_t j = 0; j < n; j++) {
      double sum = 0;
      for (int64_t x = 0; x < k; x++) {
        const float weight = w[static_cast<size_t>(x * n + j)], number = a[static_cast<size_t>(i * k + x)];
        if (format == Format::fp32) sum += static_cast<double>(number) * weight;
        else if (format == Format::bf16) sum += static_cast<double>(fromBf16(toBf16(number))) * fromBf16(toBf16(weight));
        else if (format == Format::int8) sum += static_cast<double>(gemm.activation(i, x)) * weight;
        else sum += static_cast<double>(gemm.activation(i, x)) * gemm.activationScale(i, x) * weight * scales[static_cast<size_t>(x / kGroup * n + j)];
      }
      if (format == Format::int8) sum = static_cast<float>(sum) * (gemm.activationScale(i, 0) * scales[static_cast<size_t>(j)]);
      wanted[static_cast<size_t>(i * n + j)] = sum;
      got[static_cast<size_t>(i * n + j)] = output[static_cast<size_t>(i * gemm.stride() + j)];
    }
  }
  const double tolerance = format == Format::bf16 || format == Format::int4 ? 1e-4 : format == Format::int8 ? 0 : 1e-5;
  return {relativeError(wanted, got.data()), tolerance};
}

class GemmOp : public Op {
 public:
  explicit GemmOp(CpuDevice& device) : device_(device) {}
  const char* name() const override { return "gemm"; }

  std::vector<Point> points(Plan plan) const override {
    std::vector<Point> found;
    const std::vector<int64_t> rows = plan == Plan::tiny    ? std::vector<int64_t>{1, 13}
                                      : plan == Plan::quick ? std::vector<int64_t>{1, 8, 64, 256}
                                                            : std::vector<int64_t>{1, 4, 16, 64, 256, 512};
    const std::vector<int64_t> sides = plan == Plan::tiny ? std::vector<int64_t>{256} : plan == Plan::quick ? std::vector<int64_t>{1024, 4096} : std::vector<int64_t>{1024, 4096, 11008};
    for (const char* dtype : kFormatNames) {
      for (const int64_t m : rows)
        for (const int64_t n : sides)
          for (const int64_t k : sides)
            // The quick plan leaves out one of the two oblong matrices.
            if (!(plan == Plan::quick && n < k)) found.push_back(point(dtype, m, n, k, device_.threads(), m <= 16 || m == 256 ? 0 : 1));
      if (plan == Plan::full && device_.threads() > 1) found.push_back(point(dtype, 1, 4096, 4096, 1, 3));
    }
    return found;
  }

  Sample measure(const Point& point, const Run& run) override {
    const Format format = formatOf(point.dtype);
    checks_.pass(name(), point.dtype, device_.kernels(), checkGemm, device_.pool(), run);
    const int64_t m = point.at("m"), n = point.at("n"), k = point.at("k");
    Gemm gemm(device_.kernels(), format, m, n, k);
    const int64_t window = (gemm.weightBytes() + 4095) & ~int64_t{4095};
    const int64_t copies = device_.arenaBytes() / window;
    if (copies < 1) throw Fault(Code::OutOfMemory, point.text() + ": the weights need " + std::to_string(window >> 20) + " MiB");
    Buffer activations(static_cast<size_t>(m * k * 4)), output(static_cast<size_t>(m * gemm.stride() * 4));
    activations.fillNumbers(device_.pool(), 5);
    output.fillNumbers(device_.pool(), 6);
    const char* const weights = device_.arena().as<char>();
    const Body body = [&](const Worker& worker, int64_t i) {
      gemm.run(worker, activations.as<float>(), weights + i % copies * window, output.as<float>());
    };
    Sample sample;
    sample.impl = device_.kernels().name;
    sample.timing = calib::sample(device_.pool(), device_.threadsOf(point), body, run.cancelled, run.rules);
    sample.flops = 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
    sample.bytes = static_cast<double>(gemm.weightBytes()) + 4.0 * static_cast<double>(m * k) + 4.0 * static_cast<double>(m * n);
    sample.rotation = static_cast<int>(copies);
    return sample;
  }

 private:
  /** The time to measure is guessed at 30 GFLOP/s and 4 GB/s a thread, six calls. */
  static Point point(const char* dtype, int64_t m, int64_t n, int64_t k, int threads, int priority) {
    const double work = static_cast<double>(n) * static_cast<double>(k);
    const double call = std::max(2.0 * static_cast<double>(m) * work / 3e10, work / 4e9) / threads;
    return {"gemm", dtype, {{"m", m}, {"n", n}, {"k", k}}, threads, priority, 0.02 + std::min(1.7, 6 * call)};
  }

  CpuDevice& device_;
  Checks checks_;
};
}  // namespace

std::unique_ptr<Op> gemmOp(CpuDevice& device) { return std::make_unique<GemmOp>(device); }

}  // namespace calib::cpu
