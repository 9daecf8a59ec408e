#include "ops.h"

namespace calib::cuda {

void GpuOp::passed(const Run& run, const Point& point, const std::string& impl) {
  if (checked_.insert(point.dtype).second) {
    Json line;
    line.add("v", 1).add("kind", "check").add("op", name_).add("dtype", point.dtype).add("impl", impl.empty() ? gpu_.kernels() : impl);
    run.write(line.add("error", worst_).add("tolerance", tolerance_).add("ok", true).text());
  }
  worst_ = 0;
}

std::vector<std::int64_t> sizesWithin(const Gpu& gpu, std::int64_t from, std::int64_t to, int copies) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t bytes = from; bytes <= to; bytes *= 4)
    if (static_cast<size_t>(bytes) * copies + (1 << 20) <= gpu.limit()) sizes.push_back(bytes);
  return sizes;
}

Ops gpuOps(Gpu& gpu, Cublas& cublas) {
  Ops ops;
  addMemory(gpu, &ops);
  addLinks(gpu, &ops);
  addLaunch(gpu, &ops);
  addGemm(gpu, cublas, &ops);
  addGemv(gpu, &ops);
  addDecode(gpu, &ops);
  addPrefill(gpu, &ops);
  addElementwise(gpu, &ops);
  addSustained(gpu, cublas, &ops);
  return ops;
}

}  // namespace calib::cuda
