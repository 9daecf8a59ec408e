// NVIDIA GPUs as a class of devices: `--device cuda:0`.
#include <algorithm>
#include <cstdlib>

#include "ops/ops.h"

namespace calib {

namespace {

using namespace cuda;

class CudaDevice : public calib::Device {
 public:
  CudaDevice(int index, Plan plan) : plan_(plan), gpu_(index), cublas_(gpu_), ops_(gpuOps(gpu_, cublas_)) {}

  void describe(Json* env) const override {
    gpu_.describe(env);
    const std::string refusal = cublas_.refusal(Format::bf16);
    env->add("cublas", refusal.empty() ? "found" : refusal);
  }

  const Ops& ops() const override { return ops_; }

  /** Memory and, where cuBLAS is there, arithmetic. */
  std::vector<Point> anchors() const override {
    const bool tiny = plan_ == Plan::tiny;
    const std::int64_t size = tiny ? 64 : 1024, bytes = tiny ? 144 << 10 : std::min<std::int64_t>(256 << 20, static_cast<std::int64_t>(gpu_.limit() / 2));
    std::vector<Point> points = {{"mem.triad", "", {{"bytes", bytes}}}};
    if (cublas_.refusal(Format::bf16).empty()) points.push_back({"gemm", "bf16", {{"m", size}, {"n", size}, {"k", size}}});
    return points;
  }

 private:
  const Plan plan_;
  Gpu gpu_;
  Cublas cublas_;
  Ops ops_;
};

std::unique_ptr<calib::Device> openCuda(const std::string& id, const Options& options) {
  char* end = nullptr;
  const long index = id.empty() ? 0 : std::strtol(id.c_str(), &end, 10);
  if (end && *end != '\0') throw Fault(Code::Usage, "--device cuda:" + id + ": a number is due, e.g. cuda:0");
  return std::make_unique<CudaDevice>(static_cast<int>(index), options.plan);
}

}  // namespace

extern const DeviceClass cudaDevices;
const DeviceClass cudaDevices = {"cuda", "NVIDIA GPUs by the driver that is installed; cuBLAS and NVML where they are found", openCuda};

}  // namespace calib
