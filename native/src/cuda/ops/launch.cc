// What a kernel costs that does nothing: on the GPU behind others, as the host sees it, in a graph of 32, and a wait for the GPU.
#include "ops.h"

namespace calib::cuda {

namespace {

constexpr int kGraph = 32;

/** An executable graph of empty kernels. */
class EmptyGraph {
 public:
  explicit EmptyGraph(Gpu& gpu) : gpu_(gpu) {
    const Driver& driver = gpu.driver();
    gpu.launch("empty_kernel", {}, 1);  // loaded before the capture begins
    gpu.finish();
    gpu.check(driver.beginCapture(gpu.stream(), kCaptureThreadLocal), "begin a graph");
    for (int i = 0; i < kGraph; i++) gpu.launch("empty_kernel", {}, 1);
    gpu.check(driver.endCapture(gpu.stream(), &graph_), "end a graph");
    const int status = driver.instantiate(&exec_, graph_, 0);
    if (status != kSuccess) driver.destroyGraph(graph_);
    gpu.check(status, "make a graph");
  }
  ~EmptyGraph() {
    gpu_.driver().destroyExec(exec_);
    gpu_.driver().destroyGraph(graph_);
  }
  EmptyGraph(const EmptyGraph&) = delete;
  void launch() const { gpu_.check(gpu_.driver().launchGraph(exec_, gpu_.stream()), "launch a graph"); }

 private:
  Gpu& gpu_;
  Graph graph_ = nullptr;
  GraphExec exec_ = nullptr;
};

/** Seconds by the host's clock of `calls` calls and whatever they wait for. */
template <class Call>
Sample byHostClock(const Run& run, int calls, const Call& call) {
  std::vector<double> seconds;
  const int samples = run.options.plan == Plan::tiny ? 3 : 20;
  for (int i = 0; i < samples + 1; i++) {
    if (run.cancelled) throw Fault(Code::Abort, "interrupted");
    const double began = now();
    for (int c = 0; c < calls; c++) call();
    if (i > 0) seconds.push_back((now() - began) / calls);
  }
  Sample sample;
  sample.timing = summarise(seconds, std::vector<double>(seconds.size(), 0.0), calls);
  sample.impl = "host clock";
  return sample;
}

class LaunchOp : public GpuOp {
 public:
  using GpuOp::GpuOp;

  std::vector<Point> points(Plan) const override { return {{name_, "", {}}}; }

  Sample measure(const Point&, const Run& run) override {
    if (name_ == "launch.kernel") return gpu_.time(run, [&](std::int64_t) { gpu_.launch("empty_kernel", {}, 1); });
    if (name_ == "launch.graph_kernel") return inGraph(run);
    if (name_ == "launch.host") return launches(run);
    return byHostClock(run, 50, [&] {
      gpu_.launch("empty_kernel", {}, 1);
      gpu_.finish();
    });
  }

 private:
  /** One kernel of a graph of 32. */
  Sample inGraph(const Run& run) {
    const EmptyGraph graph(gpu_);
    Sample sample = gpu_.time(run, [&](std::int64_t) { graph.launch(); });
    Timing& t = sample.timing;
    for (double* seconds : {&t.min, &t.p25, &t.p50, &t.p90}) *seconds /= kGraph;
    t.inner *= kGraph;
    return sample;
  }

  /** The host's part of a launch: few enough of them that the stream takes all without a wait. */
  Sample launches(const Run& run) {
    Sample sample = byHostClock(run, 200, [&] { gpu_.launch("empty_kernel", {}, 1); });
    gpu_.finish();
    return sample;
  }
};

}  // namespace

void addLaunch(Gpu& gpu, Ops* ops) {
  for (const char* name : {"launch.kernel", "launch.graph_kernel", "launch.host", "launch.round_trip"})
    ops->push_back(std::make_unique<LaunchOp>(gpu, name));
}

}  // namespace calib::cuda
