#pragma once
#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "../cublas.h"
#include "../gpu.h"
#include "../reference.h"

namespace calib::cuda {

/** An op of a GPU; what each measures stands in its file. Before a point is timed its results are compared with a reference, at its own shape. */
class GpuOp : public Op {
 public:
  GpuOp(Gpu& gpu, std::string name) : gpu_(gpu), name_(std::move(name)) {}
  const char* name() const override { return name_.c_str(); }

 protected:
  /** As `expectNear`, and remembers the worst error. */
  void near(const std::string& what, double got, double want, double scale, double tolerance) {
    worst_ = std::max(worst_, expectNear(what, got, want, scale, tolerance));
    tolerance_ = tolerance;
  }
  /** Writes the `check` line of an op and number format that has now been compared for the first time. */
  void passed(const Run& run, const Point& point, const std::string& impl = "");

  Gpu& gpu_;
  const std::string name_;

 private:
  double worst_ = 0, tolerance_ = 0;
  std::set<std::string> checked_;
};

using Ops = std::vector<std::unique_ptr<Op>>;

// One line for each file of this folder; `gpuOps` calls them in the order of a plan.
void addMemory(Gpu& gpu, Ops* ops);
void addLinks(Gpu& gpu, Ops* ops);
void addLaunch(Gpu& gpu, Ops* ops);
void addGemm(Gpu& gpu, Cublas& cublas, Ops* ops);
void addGemv(Gpu& gpu, Ops* ops);
void addDecode(Gpu& gpu, Ops* ops);
void addPrefill(Gpu& gpu, Ops* ops);
void addElementwise(Gpu& gpu, Ops* ops);
void addSustained(Gpu& gpu, Cublas& cublas, Ops* ops);

/** Every op of the files above. */
Ops gpuOps(Gpu& gpu, Cublas& cublas);

/** Sizes from `from` to `to` bytes in steps of four, as far as `copies` of them fit into what the bench may take. */
std::vector<std::int64_t> sizesWithin(const Gpu& gpu, std::int64_t from, std::int64_t to, int copies);

}  // namespace calib::cuda
